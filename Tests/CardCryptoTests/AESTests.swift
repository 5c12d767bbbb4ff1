import Bytes
import Testing

@testable import CardCrypto

@Suite("AES-128 and CMAC")
struct AESTests {
  @Test(
    "encrypts and decrypts a block",
    arguments: [
      // FIPS 197, appendix B and C.1; SP 800-38A, F.1.1.
      (
        "2B7E151628AED2A6ABF7158809CF4F3C", "3243F6A8885A308D313198A2E0370734",
        "3925841D02DC09FBDC118597196A0B32"
      ),
      (
        "000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF",
        "69C4E0D86A7B0430D8CDB78070B4C55A"
      ),
      (
        "2B7E151628AED2A6ABF7158809CF4F3C", "6BC1BEE22E409F96E93D7E117393172A",
        "3AD77BB40D7A3660A89ECAF32466EF97"
      ),
    ])
  func block(key: String, plain: String, cipher: String) throws {
    let aes = AES128(key: try Hex.bytes(key))
    let (plain, cipher) = (try Hex.bytes(plain), try Hex.bytes(cipher))
    #expect(aes.encryptBlock(plain) == cipher)
    #expect(aes.decryptBlock(cipher) == plain)
  }

  @Test("chains blocks, SP 800-38A, F.2.1")
  func chain() throws {
    let aes = AES128(key: try Hex.bytes("2B7E151628AED2A6ABF7158809CF4F3C"))
    let iv = try Hex.bytes("000102030405060708090A0B0C0D0E0F")
    let plain = try Hex.bytes("6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51")
    let cipher = try Hex.bytes("7649ABAC8119B246CEE98E9B12E9197D5086CB9B507219EE95DB113A917678B2")
    #expect(aes.encrypt(plain, iv: iv) == cipher)
    #expect(aes.decrypt(cipher, iv: iv) == plain)
  }

  @Test(
    "authenticates messages with AES, RFC 4493, 4",
    arguments: [
      ("", "BB1D6929E95937287FA37D129B756746"),
      ("6BC1BEE22E409F96E93D7E117393172A", "070A16B46B4D4144F79BDD9DD04A287C"),
      (
        "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E5130C81C46A35CE411",
        "DFA66747DE9AE63030CA32611497C827"
      ),
    ])
  func code(message: String, code: String) throws {
    let aes = AES128(key: try Hex.bytes("2B7E151628AED2A6ABF7158809CF4F3C"))
    #expect(aes.authenticationCode(of: try Hex.bytes(message)) == (try Hex.bytes(code)))
  }

  @Test(
    "authenticates messages with triple DES, SP 800-38B, D.4 and D.5",
    arguments: [
      ("8AA83BF8CBDA10620BC1BF19FBB6CD58BC313D4A371CA8B5", "", "B7A688E122FFAF95"),
      (
        "8AA83BF8CBDA10620BC1BF19FBB6CD58BC313D4A371CA8B5", "6BC1BEE22E409F96",
        "8E8F293136283797"
      ),
      (
        "8AA83BF8CBDA10620BC1BF19FBB6CD58BC313D4A371CA8B5",
        "6BC1BEE22E409F96E93D7E117393172AAE2D8A57", "743DDBE0CE2DC2ED"
      ),
      ("4CF15134A2850DD58A3D10BA80570D38", "", "BD2EBF9A3BA00361"),
      ("4CF15134A2850DD58A3D10BA80570D38", "6BC1BEE22E409F96", "4FF2AB813C53CE83"),
    ])
  func shortCode(key: String, message: String, code: String) throws {
    let cipher = TripleDES(key: try Hex.bytes(key))
    #expect(cipher.authenticationCode(of: try Hex.bytes(message)) == (try Hex.bytes(code)))
  }

  @Test("computes the checksums of cards")
  func checksums() throws {
    // AN12196, table 26: the CRC of a new key, sent low byte first.
    let key = try Hex.bytes("F3847D627727ED3BC9C4CC050489B966")
    #expect(CRC32.bytes(of: key) == (try Hex.bytes("789DFADC")))
    // ISO/IEC 14443-3, annex B.3.
    #expect(CRCA.bytes(of: [0x12, 0x34]) == [0x26, 0xCF])
  }
}
