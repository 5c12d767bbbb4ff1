/// How the digits behind a number prove that it was not mistyped.
package enum CheckDigit: String, CaseIterable, Hashable, Sendable {
  /// One digit: ISO/IEC 7812-1, annex B, of card numbers.
  case luhn
  /// One digit of weights 3 and 1, the last digit's 3, as of EAN and UPC, for a number of any
  /// length.
  case mod10
  /// Two digits, which letters may come before, A as 10: ISO/IEC 7064, MOD 97-10.
  case mod97
  /// `mod10` of what becomes a GTIN, an SSCC, a GLN or a GSRN by it (GS1 General Specifications,
  /// 7.9.1).
  case gs1

  /// What cannot be proved so: a clause.
  package struct Refusal: Error, Hashable { package let reason: String }

  /// Returns the digits that prove `text`.
  package func digits(of text: some StringProtocol) throws(Refusal) -> String {
    let values = try text.utf8.map { character throws(Refusal) in
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return Int(character - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where self == .mod97:
        return Int(character - UInt8(ascii: "A")) + 10
      default:
        let kinds = self == .mod97 ? "digits and capital letters" : "digits"
        throw Refusal(reason: "\(rawValue) is of \(kinds) alone")
      }
    }
    guard !values.isEmpty else { throw Refusal(reason: "\(rawValue) is of one digit at least") }
    switch self {
    case .luhn:
      return Self.complement(
        values.reversed().enumerated().map {
          $0.offset.isMultiple(of: 2) ? $0.element * 2 : $0.element
        }
        .map { $0 > 9 ? $0 - 9 : $0 })
    case .gs1 where !Self.lengths.contains(values.count + 1):
      throw Refusal(
        reason:
          "with its check digit a GS1 number has 8, 12, 13, 14, 17 or 18 digits, and this one \(values.count + 1)"
      )
    case .mod10, .gs1:
      return Self.complement(
        values.reversed().enumerated().map {
          $0.offset.isMultiple(of: 2) ? $0.element * 3 : $0.element
        })
    case .mod97:
      // The two digits are zeros first.
      let rest = (values + [0, 0]).reduce(0) { ($0 * ($1 > 9 ? 100 : 10) + $1) % 97 }
      let check = 98 - rest
      return check < 10 ? "0\(check)" : "\(check)"
    }
  }

  /// The digits of GTIN-8, -12, -13 and GLN, GTIN-14, GSIN, SSCC and GSRN.
  private static let lengths = [8, 12, 13, 14, 17, 18]

  private static func complement(_ terms: [Int]) -> String {
    "\((10 - terms.reduce(0, +) % 10) % 10)"
  }
}
