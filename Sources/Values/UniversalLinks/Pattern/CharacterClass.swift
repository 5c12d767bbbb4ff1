/// A predefined variable that stands for one ASCII character.
///
/// developer.apple.com, applinks.SubstitutionVariables.
enum CharacterClass: String, CaseIterable, Hashable, Sendable {
  case alpha, upper, lower, alnum, digit, xdigit

  private static let (uppers, lowers, digits) = (0x41...0x5A, 0x61...0x7A, 0x30...0x39)

  /// The code points of the class.
  private var ranges: [ClosedRange<Int>] {
    switch self {
    case .alpha: [Self.uppers, Self.lowers]
    case .upper: [Self.uppers]
    case .lower: [Self.lowers]
    case .alnum: [Self.uppers, Self.lowers, Self.digits]
    case .digit: [Self.digits]
    case .xdigit: [Self.digits, 0x41...0x46, 0x61...0x66]
    }
  }

  func contains(_ scalar: UInt32) -> Bool {
    ranges.contains { $0.contains(Int(scalar)) }
  }

  /// Returns whether every character of `other` is in this class.
  func contains(_ other: CharacterClass) -> Bool {
    other.ranges.allSatisfy { part in part.allSatisfy { contains(UInt32($0)) } }
  }

  /// The class when upper and lower case are one.
  var folded: CharacterClass { self == .upper || self == .lower ? .alpha : self }
}
