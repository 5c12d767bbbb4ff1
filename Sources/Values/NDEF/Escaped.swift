/// Foreign text made fit for one line of a terminal.
///
/// What stands on a tag is anybody's: control characters, line breaks and marks that reorder the
/// line are shown as their code point.
package enum Escaped {
  /// `text` with every scalar that could break or forge a line as `\u{…}`.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSafe(scalar) {
        result.append(scalar)
      } else {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(result)
  }

  /// `line(text)` between quotation marks, after `limit` scalars an ellipsis.
  package static func quote(_ text: String, limit: Int = 80) -> String {
    "\u{201C}\(line(text, limit: limit))\u{201D}"
  }

  /// `line(text)`, after `limit` scalars an ellipsis.
  package static func line(_ text: String, limit: Int) -> String {
    let scalars = text.unicodeScalars
    let isLong = !scalars.dropFirst(limit).isEmpty
    return line(String(scalars.prefix(limit))) + (isLong ? "\u{2026}" : "")
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    // The joiners that emoji and several scripts need reorder nothing.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      false
    default: true
    }
  }
}
