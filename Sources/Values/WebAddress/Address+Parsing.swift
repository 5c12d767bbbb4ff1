extension Address {
  /// Where an address comes from.
  package enum Origin: Sendable {
    /// Somebody gives it, to be written: what is surely a slip of the hand is refused, too.
    case given
    /// It is on a tag: a phone takes whatever RFC 3986 takes.
    case tag
  }

  /// Splits `text` (RFC 3986, appendix B) and encodes what a URL cannot hold; throws when it is no
  /// absolute URL, when its host can be no host, and when a telephone number or mailbox is none. An
  /// address that somebody gives has its scheme once, and a port behind the colon of its host.
  package init(parsing text: String, from origin: Origin = .given) throws(AddressError) {
    try Self.checkCharacters(of: text)
    var rest = text.unicodeScalars[...]
    guard let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) else {
      throw .noScheme
    }
    let writtenScheme = String(rest[..<colon])
    let scheme = writtenScheme.lowercased()
    rest = rest[rest.index(after: colon)...]

    var encoder = AddressEncoder()
    let hash = rest.firstIndex(of: "#")
    let written = (
      fragment: hash.map { rest[rest.index(after: $0)...] },
      beforeFragment: rest[..<(hash ?? rest.endIndex)]
    )
    rest = written.beforeFragment
    let mark = rest.firstIndex(of: "?")
    let writtenQuery = mark.map { rest[rest.index(after: $0)...] }
    rest = rest[..<(mark ?? rest.endIndex)]

    var authority: Authority?
    if rest.starts(with: "//".unicodeScalars) {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = try Authority(rest[..<slash], scheme: scheme, &encoder)
      rest = rest[slash...]
    } else if Authority.needsDomain(scheme) {
      throw .noSlashes(scheme: scheme)
    }
    path = try encoder.encode(rest, adding: "/")
    query = try writtenQuery.map { query throws(AddressError) in
      try encoder.encode(query, adding: "/?")
    }
    fragment = try written.fragment.map { fragment throws(AddressError) in
      try encoder.encode(fragment, adding: "/?")
    }
    self.written = text
    self.scheme = scheme
    (userInfo, port) = (authority?.userInfo, authority?.port)
    (host, writtenHost) = (authority?.host, authority?.writtenHost)
    let hostChange = authority?.alteration.map { [$0] } ?? []
    alterations = hostChange + encoder.alterations
    let isASCIIHost = hostChange.isEmpty && authority?.isDomain == true
    self.text = Self.join(
      writtenScheme, userInfo: userInfo, host: isASCIIHost ? authority?.writtenHost : host,
      port: port, path: path, query: query, fragment: fragment)
    try checkContent()
    if origin == .given { try checkSlips() }
  }

  /// What no part of an address holds, whatever the scheme.
  private static func checkCharacters(of text: String) throws(AddressError) {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      throw .empty
    }
    guard !first.properties.isWhitespace || first.properties.generalCategory == .control,
      !last.properties.isWhitespace || last.properties.generalCategory == .control
    else { throw .spaceAround }
    for scalar in text.unicodeScalars {
      if scalar == "\u{FFFD}" { throw .notUTF8 }
      if isControl(scalar) { throw .controlCharacter(scalar) }
    }
  }

  /// The category Cc, which never grows (Unicode's stability policy): a look at Unicode's tables
  /// for each character was an eighth of a long list's check.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// RFC 3986, 3.1.
  private static func isScheme(_ text: Substring.UnicodeScalarView) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".unicodeScalars.contains($0) }
  }

  /// `pchar` of RFC 3986, 3.3, escapes aside.
  package static func isPathCharacter(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || isDigit(scalar) || "-._~!$&'()*+,;=:@".unicodeScalars.contains(scalar)
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

/// Percent-encodes the parts of one address and keeps what it encoded.
struct AddressEncoder {
  private var scalars: [Unicode.Scalar] = []

  var alterations: [Address.Alteration] { scalars.isEmpty ? [] : [.encoded(scalars)] }

  /// `text` with everything encoded that neither RFC 3986, 3.3, allows in a path segment nor `more`
  /// adds. Throws for a `%` that begins no escape.
  mutating func encode(
    _ text: Substring.UnicodeScalarView, adding more: String = ""
  ) throws(AddressError) -> String {
    let text = String(text)
    if let fault = PercentEncoding.firstFault(in: text) { throw .escape(fault) }
    return PercentEncoding.encode(text) { scalar in
      let stands =
        Address.isPathCharacter(scalar) || scalar == "%" || more.unicodeScalars.contains(scalar)
      if !stands, !scalars.contains(scalar) { scalars.append(scalar) }
      return stands
    }
  }
}
