/// What stands between `//` and the path: user information, host and port (RFC 3986, 3.2).
struct Authority {
  let userInfo: String?
  let host: String
  let port: String?
  let writtenHost: String
  /// Says whether the host is a name of the domain name system or a numeric address.
  let isDomain: Bool
  let alteration: Address.Alteration?

  /// Schemes whose host is one of the domain name system. Others put there what they like.
  static func needsDomain(_ scheme: String) -> Bool {
    ["https", "http", "wss", "ws", "ftp", "ftps", "sftp"].contains(scheme)
  }

  /// The scheme that `host` spells, alone or behind `www.`; nil for any other name.
  static func scheme(asHost host: String) -> String? {
    var name = host.lowercased()
    if name.hasPrefix("www.") { name = String(name.dropFirst(4)) }
    return needsDomain(name) || !isHost(name) ? name : nil
  }

  /// Returns whether a host may have the name of a scheme: `ftp` is one in many a house.
  static func isHost(_ scheme: String) -> Bool {
    !["https", "http", "mailto", "tel", "sms"].contains(scheme)
  }

  init(
    _ text: Substring.UnicodeScalarView, scheme: String, _ encoder: inout AddressEncoder
  ) throws(AddressError) {
    var rest = text
    let at = rest.lastIndex(of: "@")
    userInfo = try at.map { at throws(AddressError) in try encoder.encode(rest[..<at]) }
    if let at { rest = rest[rest.index(after: at)...] }
    guard Self.needsDomain(scheme) || rest.first == "[" else {
      (isDomain, port, alteration) = (false, nil, nil)
      writtenHost = String(rest)
      host = try encoder.encode(rest)
      return
    }
    let (name, port) = try Self.hostAndPort(rest, scheme: scheme)
    guard !name.isEmpty else { throw .noHost(scheme: scheme) }
    (self.port, writtenHost, isDomain) = (port, name, true)
    host = try DomainName.ascii(name)
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    alteration = isASCII ? nil : .host(written: name, ascii: host)
  }

  /// RFC 3986, 3.2.2 and 3.2.3: the colon before a port comes after the brackets of an address.
  private static func hostAndPort(
    _ text: Substring.UnicodeScalarView, scheme: String
  ) throws(AddressError) -> (host: String, port: String?) {
    var nameEnd = text.firstIndex(of: ":") ?? text.endIndex
    if text.first == "[" {
      guard let bracket = text.firstIndex(of: "]") else {
        throw .host(.notIPv6(String(text)))
      }
      nameEnd = text.index(after: bracket)
    }
    let name = String(text[..<nameEnd])
    guard let colon = text[nameEnd...].first else { return (name, nil) }
    let port = text[nameEnd...].dropFirst()
    guard colon == ":" else { throw .host(.character(colon)) }
    if let bad = port.first(where: { !Address.isDigit($0) }) {
      // https://https:example.com
      if let second = Self.scheme(asHost: name) { throw .schemeTwice(scheme, second) }
      throw .portCharacter(bad)
    }
    let digits = String(port)
    // RFC 3986, 3.2.3: the number may be left out and its colon kept.
    guard digits.isEmpty || UInt16(digits).map({ $0 > 0 }) == true else {
      throw .portNumber(digits)
    }
    return (name, digits)
  }
}
