import Bytes
import CardCrypto
import Testing

@testable import TagMemory

/// Vectors of the logs of two independent programs (ElmüSoft's examples; AN12196, table 13).
@Suite("MIFARE DESFire: versions, keys, sessions")
struct DESFireTests {
  @Test(
    "GetVersion names the product",
    arguments: [
      ("04010100021805", "desfire"), ("04010101001605", "desfire-ev1"),
      ("04010112001A05", "desfire-ev2"), ("04010133001A05", "desfire-ev3"),
      ("04080130001305", "desfire-light"), ("04040230001105", "ntag424"),
      ("04040830001105", "ntag424tt"), ("04040210000F05", "ntag413"),
      ("04810142001805", "desfire-ev2"), ("04020222001805", "plus-ev2"),
    ])
  func version(hex: String, name: String) throws {
    let version = try #require(DESFireVersion(try Hex.bytes(hex)))
    #expect(version.product?.name == name)
  }

  @Test("GetVersion of an unknown chip names nothing")
  func unknownVersion() throws {
    for hex in ["05010101001605", "04770101001605", "040101FF001605"] {
      #expect(try #require(DESFireVersion(try Hex.bytes(hex))).product == nil)
    }
    #expect(DESFireVersion([4, 1, 1]) == nil)
    #expect(DESFireVersion([4, 1, 1, 1, 0, 0xFF, 5])?.leastByteCount == 1 << 20)
  }

  /// Command, key, card's challenge, own challenge, own token, card's proof, session key.
  static let authentications: [(DESFireAuthentication.Way, DESFireKey.Kind, [String])] = [
    (
      .tripleDES, .tripleDES,
      [
        "00102031405060708090A0B0B0A09080", "B295579926155AE3", "530E3D90F7A201C4",
        "70F349740C945DAE159BA9FEDBCC461A", "B8FD7FE56B241FC4",
        "520E3C90BCD82896F6A200C446322CAE",
      ]
    ),
    (
      .tripleDES, .threeKeyTripleDES,
      [
        "000000000000000000000000000000000000000000000000", "BC1C570BC948156187132364E4DCE176",
        "36C5F8BF4A09AC239E8DA0C73251D4AB",
        "DDDC9A77597F03A40C7FAA362F45A8EADBE46A115D98198CBF36A6E51B39D87C",
        "7244D935ED9A1306CD8C841A7C1DE39A",
        "36C4F8BE306E6C76AC229E8CF824BA303250D4AA643656A2",
      ]
    ),
    (
      .aes, .aes,
      [
        "00000000000000000000000000000000", "B969FDFE56FD91FC9DE6F6F213B8FD1E",
        "F44B26F5686F3A391CD38EBD10772281",
        "36AAD7DF6E436BA08D18613830A70D5AD43E3D3F4A8D47541EEE623A934E4774",
        "800DB680BC146BD121D6578F2D2E2059", "F44B26F5C05DDD7110772281C4D066E8",
      ]
    ),
    (
      .aes, .aes,
      [
        "10182028303840485058606870788088", "B351CB2465D4F33AC627FD6E87A168F2",
        "40E7D27174CBA675E8EFBAB99C530E3D",
        "044B6CAC343A0865895149649CA8DDE1F5AC4EC67BD208900AF02F049E05F0B0",
        "A2EE144B1012FBEB7B2F11132D95A454", "40E7D271626FFBD49C530E3D304F5B17",
      ]
    ),
  ]

  @Test("proves and checks a key", arguments: authentications)
  func authenticates(
    way: DESFireAuthentication.Way, kind: DESFireKey.Kind, hex: [String]
  ) throws {
    let values = try hex.map { try Hex.bytes($0) }
    let key = try #require(DESFireKey(kind, values[0]))
    var authentication = DESFireAuthentication(key, number: 0, challenge: values[2], way: way)
    #expect(authentication.start.bytes == [way.rawValue, 0])
    let token = authentication.answer(to: values[1])
    #expect(token?.bytes == [0xAF] + values[3])
    let session = try #require(authentication.session(from: values[4]))
    // The lowest bits of DES keys are no part of them.
    let mask: UInt8 = kind == .aes ? 0xFF : 0xFE
    #expect(session.key.bytes.map { $0 & mask } == values[5].map { $0 & mask })
    var other = values[4]
    other[0] ^= 1
    #expect(authentication.session(from: other) == nil)
    #expect(authentication.session(from: []) == nil)
  }

  @Test("proves a DES key in the first generation's way, and the card proves itself")
  func firstGeneration() throws {
    // The card's side is written out here: it encrypts, and so undoes the reader's decryption.
    let key = DESFireKey.delivered(.tripleDES)
    let (own, card) = ([UInt8](1...8), [UInt8](11...18))
    let cipher = key.cipher
    let zero = [UInt8](repeating: 0, count: 8)
    var authentication = DESFireAuthentication(key, number: 0, challenge: own)
    let token = authentication.answer(to: cipher.encrypt(card, iv: zero))
    let sent = try #require(token)
    let first = cipher.encryptBlock(Array(sent.data[..<8]))
    let second = cipher.encryptBlock(Array(sent.data[8...]))
    #expect(first == own)
    #expect(zip(second, sent.data[..<8]).map { $0 ^ $1 } == Array(12...18) + [11])
    let proof = cipher.encrypt(Array(2...8) + [1], iv: zero)
    let session = try #require(authentication.session(from: proof))
    #expect(session.isFirstGeneration)
    #expect(session.key.bytes == [1, 2, 3, 4, 11, 12, 13, 14] + [1, 2, 3, 4, 11, 12, 13, 14])
  }

  /// Session key, new key, version, cryptogram.
  @Test(
    "changes the key that was proven",
    arguments: [
      (
        DESFireKey.Kind.tripleDES, "C86CE25E4C647E56", "00102031405060708090A0B0B0A09080",
        "BEDE0FC6ED347DCF0D51C717DF75D97D2C5A2BA6CAC7479D"
      ),
      (
        .threeKeyTripleDES, "36C4F8BE306E6C76AC229E8CF824BA303250D4AA643656A2",
        "00102031405060708090A0B0B0A090807060504030201000",
        "F4F865F318CB9DE80B2B165145021F4F3AFEF1244FEA42FC997726FDE750741D"
      ),
      (
        .aes, "F44B26F5C05DDD7110772281C4D066E8", "00102030405060708090A0B0B0A09080",
        "E9F85E219496C2B58C1090DC3935FAE9E840CF61B383D9531946256B1F110C10"
      ),
      (
        .aes, "C2A1E47B27104712FE6D00A71177A19B", "10182028303840485058606870788088",
        "2945E3760E60F4A4046BB8A505B31CF559A3A2E05213BC82942CA6AB5DBCECF5"
      ),
    ])
  func changesKey(kind: DESFireKey.Kind, key: String, new: String, cryptogram: String) throws {
    let key = try #require(DESFireKey(kind, try Hex.bytes(key)))
    let new = try #require(DESFireKey(kind, try Hex.bytes(new)))
    var session = DESFireSession(key, keyNumber: 0, isFirstGeneration: false)
    let sent = session.changeKey(to: new, version: 0x10)
    #expect(sent.bytes == [0xC4, 0x00] + (try Hex.bytes(cryptogram)))
  }

  @Test("checks the code behind an answer, and tells a wrong one")
  func answerCode() throws {
    // The log of ChangeKey for another key: the encrypted command chains into the answer's code.
    let key = try #require(DESFireKey(.aes, try Hex.bytes("C2A1E47BD8100044FE6D00A74D7AB17C")))
    let sent = try Hex.bytes("E7ECCB6BD1CA64BC161A12B1C024F71430337408C8A87EACAB7A1FF18951FCA3")
    var session = DESFireSession(
      key, keyNumber: 0, isFirstGeneration: false, chain: Array(sent.suffix(16)))
    var other = session
    let right = session.opened(try Hex.bytes("2128D3CD9C9ACFFF"), status: 0)
    let wrong = other.opened(try Hex.bytes("2128D3CD9C9ACFFE"), status: 0)
    #expect(right == [] && wrong == nil)
  }

  @Test("gives commands as AN11004 has them")
  func commands() throws {
    let application = DESFireCommand.createApplication(
      1, settings: 0x0F, kind: .tripleDES, isoFile: FileID(0xE110),
      name: NDEFApplication.current.name)
    #expect(application.bytes == (try Hex.bytes("CA0100000F2110E1D2760000850101")))
    let file = DESFireCommand.createDataFile(
      1, isoFile: .capability, rights: .readOnly, byteCount: 15)
    #expect(file.bytes == (try Hex.bytes("CD0103E10000E00F0000")))
    #expect(
      DESFireCommand.createDataFile(2, isoFile: .usualMessage, rights: .free, byteCount: 0x1E00)
        .bytes == (try Hex.bytes("CD0204E100E0EE001E00")))
    #expect(
      DESFireCommand.writeData([0, 15], to: 1, from: 0).bytes
        == (try Hex.bytes("3D01000000020000000F")))
    #expect(DESFireCommand.select(0).apdu.serialize() == (try Hex.bytes("905A00000300000000")))
    #expect(DESFireCommand.getVersion.apdu.serialize() == (try Hex.bytes("9060000000")))
  }

  @Test("reads settings, and not those of files without bytes")
  func settings() throws {
    let settings = try #require(DESFireFileSettings(try Hex.bytes("0000E0EE000800")))
    #expect(settings.rights == .free && settings.byteCount == 0x800)
    #expect(settings.rights.isFreeToWrite && settings.rights.change == 0)
    #expect(DESFireFileSettings(try Hex.bytes("0200E0EE000800")) == nil)
    #expect(DESFireFileSettings([0, 0]) == nil)
    let keys = try #require(DESFireKeySettings([0x0F, 0xA1]))
    #expect(keys.kind == .aes && keys.isFreeToCreate && keys.canChangeMasterKey)
  }

  @Test("keeps keys out of every text")
  func secrecy() throws {
    let key = try #require(DESFireKey(.aes, [UInt8](repeating: 0xA5, count: 16)))
    let session = DESFireSession(key, keyNumber: 0, isFirstGeneration: false)
    for text in [
      "\(key)", String(reflecting: key), "\(session)", String(describing: Optional(session)),
    ] {
      #expect(!text.contains("165") && !text.lowercased().contains("a5"))
    }
    #expect(DESFireKey.candidates([UInt8](repeating: 0, count: 16)).count == 2)
    #expect(DESFireKey.candidates([1, 2, 3]).isEmpty)
    #expect(DESFireKey.delivered(.tripleDES).isDelivered && !key.isDelivered)
  }
}
