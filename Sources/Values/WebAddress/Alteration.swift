extension Address {
  /// Something that was changed on the way from the text to the address.
  package enum Alteration: Hashable, Sendable {
    /// A host outside ASCII, as the domain name system carries it.
    case host(written: String, ascii: String)
    /// Characters that a URL cannot hold, each once, in the order of the text.
    case encoded([Unicode.Scalar])

    /// Stable, for programs.
    package var code: String {
      switch self {
      case .host: "host-punycode"
      case .encoded: "percent-encoded"
      }
    }
  }
}

extension Address.Alteration: CustomStringConvertible {
  /// A clause: `the host bücher.example becomes xn--bcher-kva.example`.
  package var description: String {
    switch self {
    case .host(let written, let ascii): "the host \(written) becomes \(ascii)"
    case .encoded(let scalars):
      scalars.prefix(8).map { scalar in
        let code = PercentEncoding.encode(String(Character(scalar))) { _ in false }
        return "\(Self.name(scalar)) becomes \(code)"
      }.joined(separator: ", ") + (scalars.count > 8 ? ", and so on" : "")
    }
  }

  /// The character as it can stand in a line of text.
  private static func name(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case _ where scalar == " ": "a space"
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .decimalNumber, .otherNumber, .letterNumber, .dashPunctuation, .openPunctuation,
      .closePunctuation, .otherPunctuation, .initialPunctuation, .finalPunctuation,
      .connectorPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      String(Character(scalar))
    default: "U+" + String(scalar.value, radix: 16, uppercase: true)
    }
  }
}
