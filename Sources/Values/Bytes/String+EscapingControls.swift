extension String {
  /// Fit for a terminal: characters that act on one as their code.
  package var escapingControls: String { escapingControls { _ in false } }

  /// This is a text of several lines made fit for a terminal: line ends and tabs stay.
  package var escapingControlsInLines: String { escapingControls { $0 == "\n" || $0 == "\t" } }

  private func escapingControls(but isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.actsOnTerminals && !isKept($0) }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.actsOnTerminals, !isKept(scalar) {
        text += scalar.escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Is true if a terminal takes it for an order: a control character, a line end of any kind, or
  /// one that turns the direction of writing.
  package var actsOnTerminals: Bool {
    guard !isASCII else { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isBidiControl
    }
  }

  /// Its code in letters: `\u{1b}`.
  package var escaped: String { "\\u{\(String(value, radix: 16))}" }
}
