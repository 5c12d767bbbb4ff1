import Bytes
import Testing

@testable import CardCrypto

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "hashes the examples of FIPS 180-4 and one million letters",
    arguments: [
      ([], "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"),
      (Array("abc".utf8), "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      (
        Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
        "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"
      ),
      (
        [UInt8](repeating: 0x61, count: 1_000_000),
        "CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0"
      ),
    ])
  func examples(bytes: [UInt8], hash: String) throws {
    #expect(SHA256.hash(bytes) == (try Hex.bytes(hash)))
  }

  @Test("takes its bytes in pieces, contiguous or not")
  func pieces() throws {
    let hash = SHA256()
    hash.update([UInt8(ascii: "a")][...])
    hash.update([])
    #expect(hash.soFar == SHA256.hash("a".utf8))
    hash.update("bc".utf8.lazy.map { $0 })
    #expect(
      hash.finalize()
        == (try Hex.bytes("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD")))
  }
}
