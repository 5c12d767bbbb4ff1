extension String {
  /// Fit for a terminal: control characters, and those that turn the direction of writing, as their
  /// code.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: \.actsOnTerminals) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.actsOnTerminals {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var actsOnTerminals: Bool {
    properties.generalCategory == .control || properties.isBidiControl
  }
}
