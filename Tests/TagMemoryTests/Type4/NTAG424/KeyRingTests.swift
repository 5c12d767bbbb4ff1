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

  /// Input n has n bytes, 7 · i + 3 each, under master 00112233…; made with the AES and the
  /// subkeys of PyCryptodome, those from 16 bytes on also with its CMAC.
  private static let codes = [
    "ce3ca6b56735300128316e1b2c043268", "86b1e5d922f2e25f998cd71bd2dd4cf8",
    "1bfe6f9801c2ce5409e2f3e0716db008", "b103c2061c6bbcd58f9079c6bf4f203a",
    "5c98e1421dfb432ff53bf7ac2fce5618", "0c3fe522152d4bc8eac66ea2dde1cf06",
    "a014eb15bfdf8c491f34ce18e369b8d9", "1b8338f4307aed2e79f4dfbe26fe6029",
    "d84cf2a95c001fbb3141665283163850", "e8c0cdfc7d66016c57e272be9ac0fe0c",
    "156ffc7a6ea6ad8d0d84297a308d3517", "5a34ef1d16da850e1bc6657a0a8fabc6",
    "c4efc5c669f646f6a6eb9572e9104c2c", "f60b466418c7b995f3d6d55d63d59887",
    "1b847721b4ff5984a690b8f8380b6728", "fc2155fecd2fefea9644708856abfffa",
    "01f94a26478a28b016e9d3e1aed82991", "1b0c567e7e3da72e9ae836a5b5dabc4e",
    "8f4c4ebce21ff6c6b43247eaacd4b136", "16e33efcb03c6dc4602a5a0eee64d3e2",
    "ae30594ca005fcefbe1237452bab2c1c", "845ba41e91d78b544d08620d67ad782b",
    "1784be05fb12437db93cb3f8981e3ed0", "90283bfed29c82fce4d62e99303bca14",
    "07e678731e568a19601afeff0789ba20", "45240c3e5b75b9528d9f57b4c94abf9b",
    "c3ec3ebdc8ef8a9910c9e3a8c85d41bb", "f9bfb76173e684194cc4dd31bc0ae268",
    "060eeee54940e02572a0bc2d8aeebc83", "d3158bfb00a0c38af1007601558443e8",
    "5f06576fcf8dda7acf222e75bf3cd4df", "4e902a987eb28094077c23a2cce156ea",
  ]

  @Test("AN10922: inputs of every length, by another implementation")
  func lengths() throws {
    let master = try key("00112233445566778899AABBCCDDEEFF")
    for (count, code) in Self.codes.enumerated() {
      let input = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 3) }
      #expect(KeyRing.an10922(master, input) == (try key(code)), "\(count) bytes")
    }
  }

  @Test("names of 7 and 14 characters fill a block; the keys from before are there for older tags")
  func blocks() throws {
    let master = try key("00112233445566778899AABBCCDDEEFF")
    let uid = UID(try Hex.bytes("04782E21801D80"))
    // meta-read is another key, so that key 1 follows from the UID.
    func ring(_ scheme: String, _ name: String, metaRead: Int = 0) throws -> KeyRing {
      try KeyRingFile.parse(
        "scheme = \(scheme)\nmaster = 00112233445566778899AABBCCDDEEFF\nname = \(name)\nmeta-read = \(metaRead)"
      )
    }
    #expect(
      try ring("an10922", "acme.de").key(1, of: uid) == key("D07268BD10013844BC4BEF9395BEB90B"))
    #expect(
      try ring("an10922-short", "acme.de").key(1, of: uid)
        == key("BED55A3686DE872CEBE681B84131DBB7"))
    #expect(
      try ring("an10922", "app.example.de", metaRead: 1).key(1, of: uid)
        == key("FD976F5E22C2CF2439F572C3AB4C6F34"))
    #expect(
      try ring("an10922-short", "app.example.de", metaRead: 1).key(1, of: uid)
        == key("6905C8B5319C963D13C23594A86BEA03"))
    for count in 0...22 {
      let name = String(repeating: "x", count: count)
      let (right, short) = (try ring("an10922", name), try ring("an10922-short", name))
      for number in KeyRing.keyNumbers {
        let differs = right.key(number, of: uid) != short.key(number, of: uid)
        #expect(differs == (count == 7 && number != 0 || count == 14 && number == 0), "\(count)")
      }
      #expect(short.identity.scheme == "an10922-short")
      #expect(short.identity.master == KeyRing(.an10922(master: master, name: [])).identity.master)
    }
  }

  /// Made with Python's hmac and PyCryptodome's CMAC.
  @Test("sdm-backend takes a master of 32 bytes, too")
  func longMaster() throws {
    let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    let ring = try KeyRingFile.parse("scheme = sdm-backend\nmaster = \(digits)")
    let uid = UID(try Hex.bytes("010203040506AB"))
    #expect(ring.key(1, of: uid) == (try key("856829179215ceb2fa2d53deae4d4934")))
    #expect(ring.key(2, of: uid) == (try key("0b00d4dddc5f264d88b9545c3b0ba616")))
    #expect(!"\(ring) \(ring.identity)".contains("0001"))
    for wrong in ["00", String(digits.dropLast(2)), digits + "20"] {
      #expect(throws: KeyRingFile.FormatError.self) {
        try KeyRingFile.parse("scheme = sdm-backend\nmaster = \(wrong)")
      }
    }
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
    let ring = KeyRing(
      .sdmBackend(master: SDMBackendMaster(try key("C9EB67DF090AFF47C3B19A2516680B9D"))))
    let uid = UID(try Hex.bytes("010203040506AB"))
    #expect(ring.key(1, of: uid) == (try key("a13086f194d7bdfd108dd11716ea2bdf")))
    let named = SDMBackendKeys(
      SDMBackendMaster(try key("C9EB67DF090AFF47C3B19A2516680B9D")))
    // RFC 4231, 4.3.
    let code = HMACSHA256.code(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(Hex.string(code).hasPrefix("5bdcc146bf60754e6a042426089575c7"))
    #expect(named.key(1, of: uid) == ring.key(1, of: uid))
    #expect(SDMBackendKeys(SDMBackendMaster(.delivered)).key(2, of: uid).isDelivered)
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
