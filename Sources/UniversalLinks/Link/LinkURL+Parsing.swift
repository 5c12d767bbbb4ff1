extension LinkURL {
  /// Splits `text` (RFC 3986, appendix B); throws when it is no absolute URL, or when its host can
  /// be no name.
  public init(parsing text: String) throws(UniversalLinksError) {
    guard !text.isEmpty else { throw .url(.empty) }
    if let bad = text.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw .url(.controlCharacter(bad))
    }
    guard text.utf8.first != 0x20, text.utf8.last != 0x20 else { throw .url(.spaceAround) }
    var rest = text.unicodeScalars[...]
    guard let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) else {
      throw .url(.noScheme)
    }
    written = text
    scheme = String(rest[..<colon]).lowercased()
    rest = rest[rest.index(after: colon)...]

    var encodes = false
    func encode(_ text: Substring.UnicodeScalarView, adding more: String = "") -> String {
      let encoded = Self.encode(text, adding: more)
      if !encoded.unicodeScalars.elementsEqual(text) { encodes = true }
      return encoded
    }
    let hash = rest.firstIndex(of: "#")
    fragment = hash.map { encode(rest[rest.index(after: $0)...], adding: "/?") }
    rest = rest[..<(hash ?? rest.endIndex)]
    let mark = rest.firstIndex(of: "?")
    query = mark.map { encode(rest[rest.index(after: $0)...], adding: "/?") }
    rest = rest[..<(mark ?? rest.endIndex)]

    guard rest.starts(with: "//".unicodeScalars) else {
      (userInfo, host, port, writtenHost) = (nil, nil, nil, nil)
      path = encode(rest, adding: "/")
      hasEncodedCharacters = encodes
      return
    }
    rest = rest.dropFirst(2)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    path = encode(rest[slash...], adding: "/")
    var authority = rest[..<slash]
    let at = authority.lastIndex(of: "@")
    userInfo = at.map { encode(authority[..<$0]) }
    if let at { authority = authority[authority.index(after: at)...] }
    (writtenHost, port) = try Self.hostAndPort(authority)
    host = try Self.asciiHost(writtenHost ?? "")
    hasEncodedCharacters = encodes
  }

  /// RFC 3986, 3.2.2 and 3.2.3: the colon before a port comes after the brackets of an address.
  private static func hostAndPort(_ text: Substring.UnicodeScalarView)
    throws(UniversalLinksError) -> (host: String, port: String?)
  {
    var nameEnd = text.firstIndex(of: ":") ?? text.endIndex
    if text.first == "[" {
      guard let bracket = text.firstIndex(of: "]") else { throw .url(.hostCharacter("[")) }
      nameEnd = text.index(after: bracket)
    }
    let name = String(text[..<nameEnd])
    guard let colon = text[nameEnd...].first else { return (name, nil) }
    let port = text[nameEnd...].dropFirst()
    guard colon == ":" else { throw .url(.hostCharacter(colon)) }
    if let bad = port.first(where: { !isDigit($0) }) { throw .url(.portCharacter(bad)) }
    return (name, String(port))
  }

  /// RFC 3986, 3.1.
  private static func isScheme(_ text: Substring.UnicodeScalarView) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".unicodeScalars.contains($0) }
  }

  /// Percent-encodes what neither RFC 3986, 3.3, allows in a path segment nor `more` adds.
  private static func encode(_ text: Substring.UnicodeScalarView, adding more: String = "")
    -> String
  {
    PercentEncoding.encode(String(text)) { scalar in
      isPathCharacter(scalar) || scalar == "%" || more.unicodeScalars.contains(scalar)
    }
  }

  /// `pchar` of RFC 3986, 3.3, escapes aside.
  static func isPathCharacter(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || isDigit(scalar) || "-._~!$&'()*+,;=:@".unicodeScalars.contains(scalar)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// The host name in lower case and ASCII; the dots of other scripts count as dots (RFC 3490, 3.1).
  static func asciiHost(_ name: String) throws(UniversalLinksError) -> String {
    guard !name.isEmpty else { return "" }
    if name.hasPrefix("[") {
      let bad = name.unicodeScalars.dropFirst().dropLast().first { scalar in
        PercentEncoding.digit(scalar) == nil && scalar != ":" && scalar != "."
      }
      if let bad { throw .url(.hostCharacter(bad)) }
      return name.lowercased()
    }
    let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    var labels: [String] = []
    for label in name.lowercased().unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: dots.contains)
    {
      // 63 bytes is the longest label in the domain name system, RFC 1035, 2.3.4.
      guard label.count <= 63, let ascii = Punycode.asciiLabel(String(label)),
        ascii.utf8.count <= 63
      else { throw .url(.labelTooLong(String(label))) }
      let bad = ascii.unicodeScalars.first { scalar in
        !isLetter(scalar) && !isDigit(scalar) && scalar != "-" && scalar != "_"
      }
      if let bad { throw .url(.hostCharacter(bad)) }
      labels.append(ascii)
    }
    return labels.joined(separator: ".")
  }
}
