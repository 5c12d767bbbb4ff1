/// Parts of host names outside ASCII: what may stand in them (RFC 5892) and how they are composed.
///
/// Full tables are not kept here; what is doubtful is refused, and its xn-- form can always be
/// written.
enum InternationalLabel {
  /// Letters, marks and digits that stay what they are in compatibility folding (RFC 5892, 2.1 and
  /// 2.2), and ß and ς, which RFC 5892, 2.6, takes by name.
  static func mayHold(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{DF}" || scalar == "\u{3C2}" { return true }
    // Hangul comes in whole syllables; its single parts are refused (RFC 5892, 2.9).
    if (0x1100...0x11FF).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
      .decimalNumber:
      return !scalar.properties.changesWhenNFKCCaseFolded
    default: return false
    }
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// `label` with letters and the accents behind them made one, as a Macintosh hands names over.
  static func composed(_ label: String) -> String {
    guard label.unicodeScalars.contains(where: isAccent) else { return label }
    var result = String.UnicodeScalarView()
    for scalar in label.unicodeScalars {
      if isAccent(scalar), let base = result.last, let whole = composition(base, scalar) {
        result.removeLast()
        result.append(whole)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value) || scalar == "\u{3099}" || scalar == "\u{309A}"
  }

  /// Strings are equal when they are canonically equivalent: the one letter that equals the two.
  private static func composition(
    _ base: Unicode.Scalar, _ accent: Unicode.Scalar
  ) -> Unicode.Scalar? {
    let pair = String(String.UnicodeScalarView([base, accent]))
    let ranges: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF, 0x3040...0x30FF,
    ]
    for value in ranges.joined() {
      if let scalar = Unicode.Scalar(value), String(Character(scalar)) == pair { return scalar }
    }
    return nil
  }
}
