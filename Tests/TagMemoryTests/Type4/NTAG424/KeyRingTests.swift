import Bytes
import Testing

@testable import TagMemory

@Suite("NTAG 424 DNA: keys that follow from a master")
struct KeyRingTests {
  private func key(_ hex: String) throws -> AESKey { try #require(AESKey(try Hex.bytes(hex))) }

  @Test("AN10922, 2.2.1: the code is always of 32 bytes")
  func an10922() throws {
    let master = try key("00112233445566778899AABBCCDDEEFF")
    let long = try Hex.bytes("04782E21801D803042F54E585020416275")
    #expect(KeyRing.an10922(master, long) == (try key("A8DD63A3B89D54B37CA802473FDA9175")))
    // Shorter than a block: not the plain code.
    let short = KeyRing.an10922(master, [0x01])
    #expect(short != KeyRing.an10922(master, [0x02]) && !short.isDelivered)
  }

  @Test("each tag has keys of its own but for the shared one")
  func shared() throws {
    let ring = KeyRing(.an10922(master: try key("00112233445566778899AABBCCDDEEFF"), name: [0x4E]))
    let (one, other) = (UID([4, 1, 2, 3, 4, 5, 6]), UID([4, 1, 2, 3, 4, 5, 7]))
    for number in KeyRing.keyNumbers {
      #expect((ring.key(number, of: one) == ring.key(number, of: other)) == (number == 1))
    }
    #expect(Set(KeyRing.keyNumbers.map { ring.key($0, of: one) }).count == 5)
    #expect(ring.sharedMetaKey == ring.key(1, of: one))
  }

  @Test("sdm-backend, tests/test_key_derivation")
  func sdmBackend() throws {
    let ring = KeyRing(.sdmBackend(master: try key("C9EB67DF090AFF47C3B19A2516680B9D")))
    let uid = UID(try Hex.bytes("010203040506AB"))
    #expect(ring.key(1, of: uid) == (try key("a13086f194d7bdfd108dd11716ea2bdf")))
    let named = SDMBackendKeys(try key("C9EB67DF090AFF47C3B19A2516680B9D"))
    // RFC 4231, 4.3.
    let code = HMACSHA256.code(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(Hex.string(code).hasPrefix("5bdcc146bf60754e6a042426089575c7"))
    #expect(named.key(1, of: uid) == ring.key(1, of: uid))
    #expect(SDMBackendKeys(.delivered).key(2, of: uid).isDelivered)
  }

  @Test("Bolt Card, DETERMINISTIC.md")
  func boltCard() throws {
    let issuer = try key("00000000000000000000000000000001")
    let uid = UID(try Hex.bytes("04a39493cc8680"))
    let ring = KeyRing(.boltCard(issuer: issuer))
    let expected = [
      "a29119fcb48e737d1591d3489557e49b", "55da174c9608993dc27bb3f30a4a7314",
      "f4b404be700ab285e333e32348fa3d3b", "73610ba4afe45b55319691cb9489142f",
      "addd03e52964369be7f2967736b7bdb5",
    ]
    for (number, hex) in expected.enumerated() {
      #expect(ring.key(UInt8(number), of: uid) == (try key(hex)))
    }
    #expect(
      Hex.string(KeyRing.boltCardName(issuer: issuer, uid: uid))
        == "e07ce1279d980ecb892a81924b67bf18")
  }
}
