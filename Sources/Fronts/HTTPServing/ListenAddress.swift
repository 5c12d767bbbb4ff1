#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a server listens: a host and a port.
package struct ListenAddress: Sendable, Equatable {
  /// A name or an address; IPv6 without brackets.
  package var host: String
  package var port: Int

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  /// `HOST`, `HOST:PORT`, `[IPv6]:PORT` or `:PORT`; nil: it is none.
  package init?(parsing text: String, usualPort: Int) {
    var host = Substring(text)
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    if host.isEmpty { host = "127.0.0.1" }
    let number = port.map { UInt16($0) } ?? UInt16(usualPort)
    // A number alone is a port whose colon is missing.
    guard !host.allSatisfy(\.isNumber), let number,
      host.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "/" })
    else {
      return nil
    }
    self.init(host: String(host), port: Int(number))
  }

  /// Is true if only this machine can reach it.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// Returns whether a name or an address is this machine's for itself alone.
  package static func isLoopback(_ host: String) -> Bool {
    host.lowercased() == "localhost" || host == "::1"
      || (host.hasPrefix("127.") && isAddress(host))
  }

  package var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  /// Returns whether it is an IPv4 or IPv6 address, and no name.
  package static func isAddress(_ text: String) -> Bool {
    var address = in6_addr()
    let isOld = unsafe inet_pton(AF_INET, text, &address) == 1
    let isNew = unsafe inet_pton(AF_INET6, text, &address) == 1
    return isOld || isNew
  }

  /// Returns whether it is a name or an address alone, without a scheme, a port or a path; IPv6
  /// without brackets.
  package static func isHost(_ text: String) -> Bool {
    isAddress(text)
      || !text.isEmpty
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
  }

  /// As it stands in a URL.
  package var text: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
