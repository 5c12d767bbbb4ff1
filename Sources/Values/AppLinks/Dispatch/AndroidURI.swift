/// A URI as Android takes it apart (android.net.Uri), which refuses nothing.
package struct AndroidURI: Hashable, Sendable {
  /// As written, the scheme in lower case (Uri.normalizeScheme).
  package let text: String
  /// Empty where there is none.
  package let scheme: String
  /// In lower case; nil without `//`.
  package let host: String?
  let port: String?
  /// Decoded, as filters and rules are compared with them.
  package let path: String
  let query: String?
  let fragment: String?
  /// The text between the scheme's colon and the fragment, decoded.
  let schemeSpecificPart: String

  /// Reads `text`; without a scheme there is a URI, too, which no filter takes.
  package init(_ text: String) {
    var rest = text[...]
    if let colon = text.firstIndex(of: ":"), !text[..<colon].contains(where: { "/?#".contains($0) })
    {
      scheme = text[..<colon].lowercased()
      rest = text[text.index(after: colon)...]
      self.text = scheme + ":" + rest
    } else {
      (scheme, self.text) = ("", text)
    }
    func cut(at mark: Character) -> String? {
      guard let index = rest.firstIndex(of: mark) else { return nil }
      defer { rest = rest[..<index] }
      return Self.decoded(rest[rest.index(after: index)...])
    }
    fragment = cut(at: "#")
    schemeSpecificPart = Self.decoded(rest)
    guard rest.isEmpty || rest.hasPrefix("/") else {
      // Opaque, as mailto: is.
      (host, port, path, query) = (nil, nil, "", nil)
      return
    }
    query = cut(at: "?")
    guard rest.hasPrefix("//") else {
      (host, port, path) = (nil, nil, Self.decoded(rest))
      return
    }
    let authority = rest.dropFirst(2).prefix { $0 != "/" }
    path = Self.decoded(rest.dropFirst(2 + authority.count))
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let name = place ?? authority
    if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
      host = Self.decoded(name[..<colon]).lowercased()
      port = String(name[name.index(after: colon)...])
    } else {
      (host, port) = (Self.decoded(name).lowercased(), nil)
    }
  }

  package var isWebLink: Bool { scheme.hasPrefix("http") }

  /// The parts of the query in their order; a part without `=` has an empty value.
  var parameters: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
  }

  /// `text` with its escapes decoded; any other character stays.
  private static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
