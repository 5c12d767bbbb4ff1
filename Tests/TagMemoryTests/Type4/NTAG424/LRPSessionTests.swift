import Bytes
import CardCrypto
import Testing

@testable import TagMemory

/// AN12321, revision 1.0, by its tables; and exchanges with tags that were logged by others.
@Suite("NTAG 424 DNA in LRP mode: authentication and secure messaging")
struct LRPSessionTests {
  private struct Exchange: Sendable {
    let number: UInt8
    let challenge, card, token, proof, transaction: String
  }

  /// AN12321, table 2, and a tag of its own.
  private static let exchanges = [
    Exchange(
      number: 3, challenge: "74D7DF6A2CEC0B72B412DE0D2B1117E6",
      card: "56109A31977C855319CD4618C9D2AED2", token: "189B59DCEDC31A3D3F38EF8D4810B3B4",
      proof: "F4FC209D9D60623588B299FA5D6B2D710125F8547D9FB8D572C90D2C2A14E235",
      transaction: "58EE9424"),
    Exchange(
      number: 0, challenge: "D1D85ACB0A57299BFEED443D832DAD0C",
      card: "B40643A537D6B0ACD8E7816168CD85C1", token: "23A13B80F26E481E4FAD3F3D75B14B7B",
      proof: "1C8EE9654067C50B188BD7652CEA8ABF4DCAF2776C80ABACEC992D6DF2D6E4EE",
      transaction: "9D96C13C"),
  ]

  @Test("opens a session with the key of delivery", arguments: exchanges.indices)
  func first(_ index: Int) throws {
    let exchange = Self.exchanges[index]
    var authentication = LRPAuthentication(
      key: AESKey.delivered.bytes, number: exchange.number,
      challenge: try Hex.bytes(exchange.challenge))
    #expect(
      authentication.start.apdu.serialize()
        == [0x90, 0x71, 0, 0, 8, exchange.number, 6, 2, 0, 0, 0, 0, 0, 0])
    let challenge = [0x01] + (try Hex.bytes(exchange.card))
    let made = authentication.answer(to: challenge)
    let answer = try #require(made)
    #expect(answer.bytes == [0xAF] + (try Hex.bytes(exchange.challenge + exchange.token)))
    let session = try #require(authentication.session(from: try Hex.bytes(exchange.proof)))
    #expect(session.transaction == (try Hex.bytes(exchange.transaction)) && session.usesLRP)
    #expect(session.counter == 0)
    var wrong = try Hex.bytes(exchange.proof)
    wrong[31] ^= 1
    #expect(authentication.session(from: wrong) == nil)
    // A tag that answers for AES is not taken for one of LRP.
    let other = authentication.answer(to: try Hex.bytes(exchange.card))
    #expect(other == nil)
  }

  @Test("table 3: SetConfiguration turns LRP on")
  func switching() throws {
    var session = EV2Session(
      keyNumber: 0, encryption: try Hex.bytes("66A8CB93269DC9BC2885B7A91B9C697B"),
      authentication: try Hex.bytes("7DE5F7E244A46D22E536804D07E8D70E"),
      transaction: try Hex.bytes("ED56F6E6"))
    #expect(
      session.wrapped(.useLRP, header: 1, .full).apdu.serialize()
        == (try Hex.bytes("905C0000190541B2BA963075730426D0858D2AA6C4982F579E77FAB49F8300")))
  }

  private func session(_ vector: String, _ transaction: String) throws -> EV2Session {
    let master = LRP(key: AESKey.delivered.bytes).authenticationCode(of: try Hex.bytes(vector))
    return EV2Session(
      keyNumber: 0,
      suite: .lrp(
        encryption: LRP(key: master, updatedKey: 1), authentication: LRP(key: master), blocks: 1),
      transaction: try Hex.bytes(transaction), counter: 0)
  }

  @Test("GetCardUID three times, as a tag answered: its blocks are counted on")
  func counting() throws {
    var session = try session(
      "00010080993C4EED466BFC0E7EE1D30C1EBD0DEA6F6481E0D70E9A174E789669", "4F5E8407")
    let logged = [
      ("C37D6270F674CC6D", "5EC351196B8E2943DB04FCD4A952F53D", "A2830DC2258E4539"),
      ("D65CCB81E5591400", "D80B735F7B4C8E7E8A3CDAAA4410F35F", "752769C8EBC48E1A"),
      ("8C677D7DCC349371", "9CCD031474A50199C696D8EF272E231A", "10173FAF41B614E4"),
    ]
    for (code, data, answerCode) in logged {
      let sent = session.wrapped(.getCardUID, header: 0, .full).data
      #expect(sent == (try Hex.bytes(code)))
      let uid = session.opened(try Hex.bytes(data + answerCode), .full)
      #expect(uid == (try Hex.bytes("04940D2A2F7080")))
    }
  }

  @Test("WriteData with encrypted data, as a tag took it")
  func command() throws {
    var session = try session(
      "0001008008A6953C60BC3D34E53766689732E2A203FF23855751D644ED519669", "204F2276")
    let write = DESFireCommand(0x8D, try Hex.bytes("03000000030000010203"))
    #expect(
      session.wrapped(write, header: 7, .full).data
        == (try Hex.bytes("03000000030000EAF0FAD0430ECDC947A822E12EC8D5F3BB75F218B405FDBC")))
  }

  @Test("NonFirst keeps TI and counter, and counts blocks from zero")
  func nonFirst() throws {
    let before = EV2Session(
      keyNumber: 3, encryption: AESKey.delivered.bytes, authentication: AESKey.delivered.bytes,
      transaction: [1, 2, 3, 4], counter: 7)
    let (host, card) = ([UInt8](repeating: 0xA1, count: 16), [UInt8](repeating: 0xB2, count: 16))
    var authentication = LRPAuthentication(
      key: AESKey.delivered.bytes, number: 2, challenge: host, continuing: before)
    #expect(authentication.start.bytes == [0x77, 2])
    let token = authentication.answer(to: [0x01] + card)
    #expect(token?.data.count == 32)
    let mixed = (0..<6).map { _ in UInt8(0xA1 ^ 0xB2) }
    let vector: [UInt8] =
      [0, 1, 0, 0x80] + host[0..<2] + mixed + card[6...] + host[8...] + [0x96, 0x69]
    let master = LRP(key: AESKey.delivered.bytes).authenticationCode(of: vector)
    let proof = LRP(key: master).authenticationCode(of: card + host)
    let session = try #require(authentication.session(from: proof))
    #expect(session.transaction == [1, 2, 3, 4] && session.counter == 7)
    #expect(authentication.session(from: proof.reversed()) == nil)
  }
}

/// sdm-backend's vectors for tags in LRP mode, and what TagTampers show.
@Suite("NTAG 424 DNA: addresses of tags in LRP mode, and of TagTampers")
struct LRPAddressTests {
  @Test("UID and counter encrypted, a code from them on")
  func picc() throws {
    let address =
      "https://a.example/"
      + "AAE1508939ECF6FF26BCE407959AB1A5EC022819A35CD293x5E3DB82C19E3865F"
    let template = "https://a.example/{picc}x{mac:picc}"
    let proof = try SUNProof(try SUNParts(address, template: template), keys: .delivered)
    #expect(proof.uid == UID(try Hex.bytes("042E1D222A6380")) && proof.counter == 0x6A)
    #expect(proof.usesLRP && proof.fileData == nil)
    let other = address.replacing("x5E3", with: "x5E4")
    #expect(throws: SUNError.wrongCode) {
      try SUNProof(try SUNParts(other, template: template), keys: .delivered)
    }
  }

  @Test("encrypted file data, a code from the start of the address")
  func fileData() throws {
    let address =
      "https://any.domain/?m=65628ED36888CF9C84797E43ECACF114C6ED9A5E101EB592"
      + "x4ADE304B5AB9474CB40AFFCAB0607A85x87E287E8135BFC06"
    let template = "https://any.domain/?m={picc}x{enc:0102030400000000}x{mac:any.domain}"
    let proof = try SUNProof(try SUNParts(address, template: template), keys: .delivered)
    #expect(proof.uid == UID(try Hex.bytes("042E1D222A6380")) && proof.counter == 0x7B)
    #expect(proof.fileData == Array("0102030400000000".utf8))
  }

  @Test(
    "a code of the encrypted data's digits, and one of nothing",
    arguments: [
      (
        "07D9CA2545881D4BFDD920BE1603268C0714420DD893A497", "D6E921C47DB4C17C56F979F81559BB83",
        "F9481AC7D855BDB6", "049B112A2F7080", 4, "NTXXb7dz3PsYYBlU"
      ),
      (
        "1FCBE61B3E4CAD980CBFDD333E7A4AC4A579569BAFD22C5F", nil, "4231608BA7B02BA9",
        "04940E2A2F7080", 3, nil
      ),
    ] as [(String, String?, String, String, Int, String?)])
  func separated(
    picc: String, enc: String?, mac: String, uid: String, counter: Int, data: String?
  ) throws {
    var parts = SUNParts()
    parts.picc = try Hex.bytes(picc)
    parts.encrypted = try enc.map { try Hex.bytes($0) }
    parts.code = try Hex.bytes(mac)
    parts.codeInput = Array((enc.map { $0 + "&cmac=" } ?? "").utf8)
    let proof = try SUNProof(parts, keys: .delivered)
    #expect(proof.uid == UID(try Hex.bytes(uid)) && proof.counter == counter && proof.usesLRP)
    #expect(proof.fileData == data.map { Array($0.utf8) })
  }

  @Test("a value of 48 digits is UID and counter of such a tag, without a template, too")
  func guessing() throws {
    let parts = try SUNParts(
      guessing:
        "https://a.example/?e=AAE1508939ECF6FF26BCE407959AB1A5EC022819A35CD293&c=5E3DB82C19E3865F"
    )
    #expect(parts.picc?.count == 24 && parts.code?.count == 8)
  }

  @Test("the letters of a loop: twice the same place is refused, within {enc:} it is known")
  func tamper() throws {
    let template = "https://a.example/?e={picc}&d={enc:a-{tt}-b}&c={mac}"
    let (text, input) = try SDMTemplate.expand(template)
    let message = [0xD1, 0x01, UInt8(text.utf8.count - 7), 0x55, 0x04] + text.utf8.dropFirst(8)
    let settings = try #require(
      try SDMSettings(message: message, codeInput: input, keys: .delivered))
    #expect(settings.isTamperEncrypted && settings.tamper == settings.encrypted!.lowerBound + 2)
    let bytes = settings.serialize()
    #expect(bytes[0] & 0x08 != 0 && SDMSettings(bytes) == settings)
    let address =
      "https://a.example/?e=\(String(repeating: "0", count: 32))"
      + "&d=\(String(repeating: "1", count: 32))&c=\(String(repeating: "2", count: 16))"
    #expect(try SUNParts(address, template: template).tamperInData == 2)
    #expect(throws: SDMTemplateError.twice(.tt)) {
      try SDMTemplate.expand("https://a.example/?t={tt}&d={enc:{tt}}&e={picc}&c={mac}")
    }
    let plain = "https://a.example/?e={picc}&t={tt}&c={mac:tt}"
    let shown = try SUNParts(
      "https://a.example/?e=\(String(repeating: "0", count: 32))&t=OC&c=\(String(repeating: "2", count: 16))",
      template: plain)
    #expect(shown.tamper == TamperState(ever: .open, now: .closed) && shown.provesTamper)
    #expect("\(try #require(shown.tamper))" == "opened before, and closed now")
  }

  @Test("who asks for the counter is named only where there is one, or the tag says 919E")
  func counterRight() throws {
    let (text, input) = try SDMTemplate.expand("https://a.example/?u={uid}&c={mac}")
    let message = [0xD1, 0x01, UInt8(text.utf8.count - 7), 0x55, 0x04] + text.utf8.dropFirst(8)
    var settings = try #require(
      try SDMSettings(message: message, codeInput: input, keys: .delivered))
    #expect(settings.counterRetrieval == SDMSettings.nobody)
    settings.counterRetrieval = 0
    #expect(throws: SDMError.noCounter) { try settings.check(fileByteCount: 256) }
  }
}
