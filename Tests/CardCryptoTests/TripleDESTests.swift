import Bytes
import Testing

@testable import CardCrypto

@Suite("DES and triple DES, FIPS 46-3")
struct TripleDESTests {
  /// Key, plain text, cipher text. The first is the worked example of many textbooks; the others
  /// are from SP 800-17, appendix A and B (variable plain text and key, substitution tables) and
  /// the weak key of all ones.
  static let vectors = [
    ("133457799BBCDFF1", "0123456789ABCDEF", "85E813540F0AB405"),
    ("0101010101010101", "8000000000000000", "95F8A5E5DD31D900"),
    ("8001010101010101", "0000000000000000", "95A8D72813DAA94D"),
    ("7CA110454A1A6E57", "01A1D6D039776742", "690F5B0D9A26939B"),
    ("07A7137045DA2A16", "3BDD119049372802", "DFD64A815CAF1A0F"),
    ("584023641ABA6176", "004BD6EF09176062", "88BF0DB6D70DEE56"),
    ("018310DC409B26D6", "1D9D5C5018F728C2", "5F4C038ED12B2E41"),
    ("0E329232EA6D0D73", "8787878787878787", "0000000000000000"),
    ("FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF", "7359B2163E4EDC58"),
  ]

  @Test("DES encrypts and decrypts every vector", arguments: vectors)
  func des(key: String, plain: String, cipher: String) throws {
    let des = TripleDES(key: try Hex.bytes(key))
    #expect(des.encryptBlock(try Hex.bytes(plain)) == (try Hex.bytes(cipher)))
    #expect(des.decryptBlock(try Hex.bytes(cipher)) == (try Hex.bytes(plain)))
  }

  @Test("two-key triple DES chains its blocks")
  func chain() throws {
    let cipher = TripleDES(key: try Hex.bytes("0123456789ABCDEFFEDCBA9876543210"))
    let plain = Array("Now is the time for all ".utf8)
    let expected = try Hex.bytes("D80A0D8B2BAE5E4E319E5E68C3E8891B93462A6DB9B4A4D1")
    #expect(cipher.encrypt(plain, iv: TripleDES.zero) == expected)
    #expect(cipher.decrypt(expected, iv: TripleDES.zero) == plain)
  }

  @Test("with two equal halves it is DES")
  func degenerate() throws {
    for (key, plain, cipher) in Self.vectors {
      let key = try Hex.bytes(key)
      let triple = TripleDES(key: key + key)
      #expect(triple.encrypt(try Hex.bytes(plain), iv: TripleDES.zero) == (try Hex.bytes(cipher)))
    }
  }
}
