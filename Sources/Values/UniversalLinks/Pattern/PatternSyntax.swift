/// A piece of a pattern as it is written.
enum PatternPiece: Hashable, Sendable {
  case literal(UInt32)
  /// `?`
  case anyCharacter
  /// `*`
  case anyRun
  /// `$(name)`
  case variable(String)

  /// The pieces of `text`. A `$(` without its `)` stands for itself.
  static func pieces(of text: String, variables: Bool = true) -> [PatternPiece] {
    var pieces: [PatternPiece] = []
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": pieces.append(.anyRun)
      case "?": pieces.append(.anyCharacter)
      case "$" where variables && rest.first == "(":
        guard let end = rest.firstIndex(of: ")") else { fallthrough }
        let name = rest[rest.index(after: rest.startIndex)..<end]
        pieces.append(.variable(String(String.UnicodeScalarView(name))))
        rest = rest[rest.index(after: end)...]
      default: pieces.append(.literal(scalar.value))
      }
    }
    return pieces
  }

  static let slash = PatternPiece.literal(0x2F)
}

/// Upper and lower case made one, a scalar for a scalar, so that `?` still counts characters.
enum CaseFolding {
  static func fold(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A: return scalar + 0x20
    case ..<0x80: return scalar
    default:
      guard let lower = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars,
        lower.count == 1
      else { return scalar }
      return lower[lower.startIndex].value
    }
  }
}
