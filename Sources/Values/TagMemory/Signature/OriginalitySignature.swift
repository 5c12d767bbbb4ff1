import Bytes
import CardCrypto

/// The signature that a maker puts into a chip, over its UID (ECDSA without a hash, r and s).
///
/// It proves that the maker issued this UID once, not that this chip is the one: whoever copies a
/// UID copies the signature.
package enum OriginalitySignature {
  /// What a signature says of the tag that shows it.
  package enum Verdict: Hashable, Sendable {
    /// The maker issued this UID; `key` names the public key.
    case genuine(key: String)
    /// The tag shows bytes that no known key of its maker signs its UID with.
    case notGenuine
    /// It shows none, though its product has one, or zeros.
    case none
  }

  /// Holds `signature`, as a tag of `product` showed it, to the maker's keys; nil stands for a
  /// refusal. Nil where the product has no signature that is known here.
  package static func verdict(_ signature: [UInt8]?, uid: UID, of product: Product) -> Verdict? {
    let keys = keys(of: product)
    guard !keys.isEmpty else { return nil }
    guard let signature, signature.contains(where: { $0 != 0 }) else { return Verdict.none }
    let found = keys.first { key in
      let message = key.isHashed ? SHA256.hash(uid.bytes) : uid.bytes
      return key.curve.verifies(signature, of: message, publicKey: key.bytes)
    }
    return found.map { .genuine(key: $0.name) } ?? .notGenuine
  }

  /// How many bytes a tag of `product` shows; nil where it has no signature that is known here.
  package static func byteCount(of product: Product) -> Int? {
    keys(of: product).first.map { 2 * $0.curve.byteCount }
  }

  private static func keys(of product: Product) -> [Key] {
    all.filter { $0.products.contains(product.name) }
  }

  struct Key {
    let name: String
    let products: Set<String>
    let curve: EllipticCurve
    /// Is true if the hash of the UID is signed.
    let isHashed: Bool
    let bytes: [UInt8]

    init(
      _ name: String, _ products: Set<String>, _ curve: EllipticCurve, isHashed: Bool = false,
      _ hex: String
    ) {
      (self.name, self.products, self.curve, self.isHashed) = (name, products, curve, isHashed)
      bytes = (try? Hex.bytes(hex)) ?? []
    }
  }

  private static let dna: Set<String> = ["ntag424", "ntag424tt", "desfire-ev2", "desfire-light"]
  private static let ev1: Set<String> = [
    "ultralight-ev1-11", "ultralight-ev1-21", "ultralight-nano",
  ]
  /// NTAG21x and what NXP has made of it, NTAG I2C plus among them (NT3H2111/NT3H2211, 9.7).
  private static let ntag: Set<String> = [
    "ntag210", "ntag210u", "ntag212", "ntag213", "ntag213c", "ntag213f", "ntag213tt", "ntag215",
    "ntag215f", "ntag216", "ntag216f", "ntag-i2c-plus-1k", "ntag-i2c-plus-2k",
  ]
  private static let st25TA: Set<String> = [
    "st25ta02k", "st25ta02kb", "st25ta02kb-d", "st25ta02kb-p", "st25ta512", "st25ta512b",
  ]

  /// A row each: Proxmark3, `originality.c`, which has them from the makers' notes.
  static let all: [Key] = [
    Key(
      "NTAG21x", ntag, .secp128r1,
      "04494E1A386D3D3CFE3DC10E5DE68A499B1C202DB5B132393E89ED19FE5BE8BC61"),
    Key(
      "NTAG21x (2)", ntag, .secp128r1,
      "04A748B6A632FBEE2C0897702B33BEA1C074998E17B84ACA04FF267E5D2C91F6DC"),
    Key(
      "Ultralight EV1", ev1, .secp128r1,
      "0490933BDCD6E99B4E255E3DA55389A827564E11718E017292FAF23226A96614B8"),
    Key(
      "Ultralight AES", ["ultralight-aes"], .secp192r1,
      "0453BF8C49B7BD9FE3207A91513B9C1D238ECAB07186B772104AB535F7D3AE63CF7C7F3DD0D169DA3E99E43C6399621A86"
    ),
    Key(
      "Ultralight AES (2)", ["ultralight-aes"], .secp192r1,
      "04DC34DAA903F2726A6225B11C692AF6AB4396575CA12810CBBCE3F781A097B3833B50AB364A70D9C2B641A728A599AE74"
    ),
    Key(
      "NTAG 22x DNA", ["ntag223", "ntag224"], .secp192r1,
      "0485D5B9353B4FAA77581BA2AE96630C5876D6E8603308ABE9A81A0B506F52D02D04FEE6F2D365B3DEE7B9FAD9133E2976"
    ),
    Key(
      "ST25TN", ["st25tn512", "st25tn01k"], .secp128r1, isHashed: true,
      "0440004F974F7C76BC8718E523D85FA7B354A9A992BFA966CB8219242F9D274FD6"),
    Key(
      "MIFARE Classic EV1", ["classic1k", "classic4k"], .secp128r1,
      "044F6D3F294DEA5737F0F46FFEE88A356EED95695DD7E0C27A591E6F6F65962BAF"),
    Key(
      "NTAG 424 DNA", dna, .secp224r1,
      "048A9B380AF2EE1B98DC417FECC263F8449C7625CECE82D9B916C992DA209D68422B81EC20B65A66B5102A61596AF3379200599316A00A1410"
    ),
    Key(
      "NTAG 424 DNA (2)", dna, .secp224r1,
      "04B304DC4C615F5326FE9383DDEC9AA892DF3A57FA7FFB3276192BC0EAA252ED45A865E3B093A3D0DCE5BE29E92F1392CE7DE321E3E5C52B3A"
    ),
    Key(
      "DESFire EV3", ["desfire-ev3"], .secp224r1,
      "041DB46C145D0A36539C6544BD6D9B0AA62FF91EC48CBC6ABAE36E0089A46F0D08C8A715EA40A63313B92E90DDC1730230E0458A33276FB743"
    ),
    Key(
      "ST25TA", st25TA, .secp128r1, isHashed: true,
      "041D92163650161A2548D33881C235D0FB2315C2C31A442F23C87ACF14497C0CBA"),
  ]
}

extension OriginalitySignature.Verdict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .genuine(let key):
      "genuine: the maker issued this UID (key \(key)); that this chip is the one is not proved"
    case .notGenuine: "not genuine: no key of the maker's signed this UID"
    case .none: "none: the chip shows no signature"
    }
  }
}
