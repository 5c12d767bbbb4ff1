/// Text with fields in braces: `https://example.com/t/{code}?tag={uid}`. `{{` and `}}` are braces.
package struct Template: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case text(String)
    /// What stands between the braces.
    case field(String)
  }

  package let pieces: [Piece]

  /// Fails for braces that do not pair.
  package init(_ text: String) throws(RecordTextError) {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    while let brace = rest.utf8.firstIndex(where: { $0 == Self.open || $0 == Self.close }) {
      plain += rest[..<brace]
      let byte = rest.utf8[brace]
      let after = rest.utf8.index(after: brace)
      if after < rest.endIndex, rest.utf8[after] == byte {
        plain += byte == Self.open ? "{" : "}"
        rest = rest[rest.utf8.index(after: after)...]
        continue
      }
      let end = rest.utf8[after...].firstIndex { $0 == Self.open || $0 == Self.close }
      guard byte == Self.open, let end, rest.utf8[end] == Self.close, end > after else {
        throw Self.unpaired(in: text)
      }
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(.field(String(rest[after..<end])))
      rest = rest[rest.utf8.index(after: end)...]
    }
    plain += rest
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  /// The names between braces.
  package var fields: [String] {
    pieces.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// `text` as it stands in a template.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == open || $0 == close }) else { return text }
    return String(
      decoding: text.utf8.flatMap { $0 == open || $0 == close ? [$0, $0] : [$0] }, as: UTF8.self)
  }

  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")

  private static func unpaired(in text: String) -> RecordTextError {
    RecordTextError(
      .badInput,
      "The braces of \(RecordTextError.quoted(text)) do not pair: a field is {name}; write {{ and }} for braces."
    )
  }
}
