import Bytes
import CardCrypto
import Testing

@testable import TagMemory

/// Vectors of Proxmark3, `tools/recover_pk.py`, and AN12196, table 30.
@Suite("Signatures of the makers over UIDs")
struct SignatureTests {
  static let vectors: [(product: String, uid: String, signature: String)] = [
    (
      "ntag213", "04E10CDA993C80",
      "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"
    ),
    (
      "ultralight-ev1-11", "04C1285A373080",
      "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"
    ),
    (
      "ultralight-aes", "04A31232241C90",
      "057595DCC601CA7E21341F1F978FA134F0204D87A33749C56DDB4ABD6F1F26194341DB10093B34C42F524A30DCC5CE54"
    ),
    (
      "classic1k", "0433619AB35780",
      "B9FAE369EC21C980650D87ED9AE9B1610E859131B4B8699C647548AB68D249BB"
    ),
    (
      "ntag424", "04518DFAA96180",
      "D1940D17CFEDA4BFF80359AB975F9F6514313E8F90C1D3CAAF5941AD744A1CDF9A83F883CAFE0FE95D1939B1B7E47113993324473B785D21"
    ),
    (
      "st25ta02k", "02E3002FCD4038",
      "E71B844BCE76C8110B36E5B1E1C0410381BD994F226D5C11D84CA6697A5EB572"
    ),
  ]

  @Test("genuine tags are told, others not, one wrong bit neither", arguments: vectors)
  func vector(product: String, uid: String, signature: String) throws {
    let product = try #require(Product.named(product))
    let (uid, signature) = (UID(try Hex.bytes(uid)), try Hex.bytes(signature))
    guard case .genuine? = OriginalitySignature.verdict(signature, uid: uid, of: product) else {
      Issue.record("\(product) is not genuine")
      return
    }
    for index in [0, signature.count / 2, signature.count - 1] {
      var other = signature
      other[index] ^= 1
      #expect(OriginalitySignature.verdict(other, uid: uid, of: product) == .notGenuine)
    }
    let next = UID(uid.bytes.dropLast() + [uid.bytes.last! ^ 1])
    #expect(OriginalitySignature.verdict(signature, uid: next, of: product) == .notGenuine)
    #expect(
      OriginalitySignature.verdict(nil, uid: uid, of: product) == OriginalitySignature.Verdict.none)
    let zeros = signature.map { _ in UInt8(0) }
    #expect(
      OriginalitySignature.verdict(zeros, uid: uid, of: product)
        == OriginalitySignature.Verdict.none)
    #expect(OriginalitySignature.verdict([1, 2, 3], uid: uid, of: product) == .notGenuine)
  }

  @Test(
    "every public key is a point of its curve, and a signature of a key of ours proves with it alone"
  )
  func keys() throws {
    for key in OriginalitySignature.all {
      let secret = (1...UInt8(key.curve.byteCount)).map { $0 }
      let own = try #require(key.curve.publicKey(of: secret))
      let message = Array("04518DFAA96180".utf8.prefix(7))
      let signature = try #require(
        key.curve.signature(of: message, key: secret, nonce: secret.map { $0 / 2 + 1 }))
      #expect(key.curve.verifies(signature, of: message, publicKey: own))
      #expect(!key.curve.verifies(signature, of: message, publicKey: key.bytes), "\(key.name)")
      var off = key.bytes
      off[5] ^= 1
      #expect(!key.curve.verifies(signature, of: message, publicKey: off))
    }
    #expect(
      try OriginalitySignature.verdict(nil, uid: UID([]), of: #require(.named("ntag203"))) == nil)
  }
}
