extension MAD {
  /// Who holds the card: the fields in a sector whose AID is `cardHolder` (AN10787, 3).
  ///
  /// Each field starts with a byte of type (bits 7…6) and length (bits 5…0); the text is in ASCII,
  /// and its closing 00 counts. A zero byte ends the fields.
  package struct CardHolder: Hashable, Sendable {
    package let fields: [Field]

    package struct Field: Hashable, Sendable {
      package let kind: Kind
      /// Without the closing 00; bytes beyond ASCII become U+FFFD.
      package let text: String
    }

    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
      case surname = 0b00
      case givenName = 0b01
      case sex = 0b10
      case other = 0b11
    }

    /// Reads a sector's data blocks; a field that runs over their end is left out.
    package init(parsing bytes: some Collection<UInt8>) {
      var fields: [Field] = []
      var rest = Array(bytes)[...]
      while let head = rest.popFirst(), head & 0x3F > 0, rest.count >= Int(head & 0x3F),
        let kind = Kind(rawValue: head >> 6)
      {
        let text = rest.prefix(Int(head & 0x3F)).prefix { $0 != 0 }
        rest = rest.dropFirst(Int(head & 0x3F))
        fields.append(
          Field(
            kind: kind,
            text: String(text.map { $0 < 0x80 ? Character(UnicodeScalar($0)) : "\u{FFFD}" })))
      }
      self.fields = fields
    }
  }
}
