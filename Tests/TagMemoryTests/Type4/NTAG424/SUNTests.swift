import Bytes
import CardCrypto
import Testing

@testable import TagMemory

/// AN12196, revision 1.8; sdm-backend's and Bolt Card's vectors.
@Suite("NTAG 424 DNA: addresses that prove a tag")
struct SUNTests {
  private static let zeros = KeyRing.delivered

  private func parts(
    picc: String? = nil, enc: String? = nil, mac: String, input: String = ""
  ) throws -> SUNParts {
    var parts = SUNParts()
    parts.picc = try picc.map { try Hex.bytes($0) }
    parts.encrypted = try enc.map { try Hex.bytes($0) }
    parts.code = try Hex.bytes(mac)
    parts.codeInput = Array(input.utf8)
    return parts
  }

  @Test("tables 3 and 5: encrypted UID and counter, a code of nothing")
  func picc() throws {
    let parts = try parts(picc: "EF963FF7828658A599F3041510671E88", mac: "94EED9EE65337086")
    let proof = try SUNProof(parts, keys: Self.zeros)
    #expect(proof.uid == UID(try Hex.bytes("04DE5F1EACC040")) && proof.counter == 0x3D)
    #expect(proof.fileData == nil)
  }

  @Test(
    "tables 4 and 6: encrypted file data, and a code of it",
    arguments: [
      (
        "FDE4AFA99B5C820A2C1BB0F1C792D0EB", "94592FDE69FA06E8E3B6CA686A22842B", "C48B89C17A233B2C"
      ),
      (
        "FD91EC264309878BE6345CBE53BADF40", "CEE9A53E3E463EF1F459635736738962", "ECC1E7F6C6C73BF6"
      ),
    ])
  func fileData(picc: String, enc: String, mac: String) throws {
    let parts = try parts(picc: picc, enc: enc, mac: mac, input: enc + "&cmac=")
    let proof = try SUNProof(parts, keys: Self.zeros)
    #expect(proof.uid == UID(try Hex.bytes("04958CAA5C5E80")))
    #expect(proof.counter == (mac.hasPrefix("C48") ? 1 : 8))
    #expect(proof.fileData == [UInt8](repeating: 0x78, count: 16))
    var other = parts
    other.codeInput[0] ^= 1
    #expect(throws: SUNError.wrongCode) { try SUNProof(other, keys: Self.zeros) }
  }

  @Test("table 2: the keys of one reading")
  func sessionKeys() throws {
    let key = try #require(AESKey(try Hex.bytes("5ACE7E50AB65D5D51FD5BF5A16B8205B")))
    let session = SUNSession(key: key, uid: try Hex.bytes("04C767F2066180"), counter: 1)
    let encryption = AES128(key: try Hex.bytes("66DA61797E23DECA5D8ECA13BBADF7A9"))
    let authentication = AES128(key: try Hex.bytes("3A3E8110E05311F7A3FCF0D969BF2B48"))
    for text in [[], Array("any text that a code is of".utf8)] {
      #expect(session.code(of: text) == authentication.shortCode(of: text))
    }
    let cipher = [UInt8](0..<32)
    let start = encryption.encryptBlock([1, 0, 0] + [UInt8](repeating: 0, count: 13))
    #expect(session.decrypted(cipher, counter: 1) == encryption.decrypt(cipher, iv: start))
  }

  @Test("sdm-backend: keys of the operator, and a code of the encrypted data's digits")
  func ownKeys() throws {
    let keys = try [
      "00", "42aff114f2cb3b6141be6dc95dfc5416", "b62a9baf092439bd43c62aee96b970c5", "00", "00",
    ].map { AESKey(try Hex.bytes($0)) ?? .delivered }
    let data = "B8436E11F627BB7F543FCC0C1E0D1A89"
    let parts = try parts(
      picc: "8ACADDEF0A9B62CDAE39A16B83FC14DE", enc: data, mac: "238B2543A8DEBAD8", input: data)
    let proof = try SUNProof(parts, keys: KeyRing(.fixed(keys)))
    #expect(proof.uid == UID(try Hex.bytes("041D3C8A2D6B80")) && proof.counter == 291)
    #expect(proof.fileData == Array("NTXXqno_oBFpwy-V".utf8))
  }

  @Test(
    "sdm-backend: keys that follow from a master of 32 bytes, 16 and 64 bytes of data",
    arguments: [
      (
        "8DE9030262807261850FCCF5FE007E21",
        "382B4C3D68552C3A5F417F0695A3D857923764E1737AD1F80E834E46387F45DC77FE7468BBCF9DBF43B29CA58E8D6435F908C9C0CD56E9B4B9960FE1279C5DF1",
        "DF3EF20BE7D91C8E", "04C24EDA926980", 1,
        "NT1xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxEEEEEEEEEEEE"
      ),
      (
        "4F5B914723915D456C038FE658686CD5", "5CE7DCDEA93F5DA7AAA0AADC97485ABF",
        "FFCD8DE82AD05289", "047D5F2AAA6180", 2, "CC\u{4}aaaaEEEEEEEEE"
      ),
    ])
  func master(
    picc: String, enc: String, mac: String, uid: String, counter: Int, data: String
  ) throws {
    let ring = try KeyRingFile.parse(
      "scheme = sdm-backend\nmaster = 47BBB68AFA73F31310BEEFCE5DDA692DBAD671A03FEAD5A9BBDBCF3CD6D4C521"
    )
    let parts = try parts(picc: picc, enc: enc, mac: mac, input: enc)
    let proof = try SUNProof(parts, keys: ring)
    #expect(proof.uid == UID(try Hex.bytes(uid)) && proof.counter == counter)
    #expect(proof.fileData == Array(data.utf8))
    #expect(throws: SUNError.self) { try SUNProof(parts, keys: Self.zeros) }
  }

  @Test("sdm-backend: UID and counter in plain text")
  func plain() throws {
    var parts = try parts(mac: "4B00064004B0B3D3")
    (parts.uid, parts.counter) = (try Hex.bytes("041E3C8A2D6B80"), 6)
    #expect(try SUNProof(parts, keys: Self.zeros).counter == 6)
    parts.counter = 7
    #expect(throws: SUNError.wrongCode) { try SUNProof(parts, keys: Self.zeros) }
  }

  @Test("Bolt Card, TEST_VECTORS.md")
  func boltCard() throws {
    let keys = try [
      "00", "0c3b25d92b38ae443229dd59ad34b85d", "b45775776cb224c75bcde7ca3704e933", "00", "00",
    ].map { AESKey(try Hex.bytes($0)) ?? .delivered }
    let parts = try parts(picc: "4E2E289D945A66BB13377A728884E867", mac: "E19CCB1FED8892CE")
    let proof = try SUNProof(parts, keys: KeyRing(.fixed(keys)))
    #expect(proof.uid == UID(try Hex.bytes("04996c6a926980")) && proof.counter == 3)
    #expect(throws: SUNError.notDecrypted) { try SUNProof(parts, keys: Self.zeros) }
  }
}
