import Bytes
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
    #expect(proof.uid?.bytes.count == 7 && proof.counter != nil)
    if mac.hasPrefix("C48") { #expect(proof.fileData == [UInt8](repeating: 0x78, count: 16)) }
    var other = parts
    other.codeInput[0] ^= 1
    #expect(throws: SUNError.wrongCode) { try SUNProof(other, keys: Self.zeros) }
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
