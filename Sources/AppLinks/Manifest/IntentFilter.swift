import WebAddress

/// An intent filter of an app's manifest, as far as links are concerned.
///
/// developer.android.com, `<intent-filter>` and `<data>`: all `<data>` elements of a filter count
/// together, so that each scheme goes with each host and each path.
package struct IntentFilter: Hashable, Sendable {
  /// A host, or with a `*` in front everything that ends like the rest.
  struct Host: Hashable, Sendable {
    let name: String
    let port: String?

    /// The host whose asset links decide: of a wildcard the domain behind it.
    var verifiedHost: String { name.hasPrefix("*.") ? String(name.dropFirst(2)) : name }

    func covers(_ host: String, port other: String?) -> Bool {
      let isMeant =
        name.hasPrefix("*") ? host.hasSuffix(name.dropFirst()) : host == name
      return isMeant && (port == nil || port == other)
    }
  }

  var actions: Set<String> = []
  var categories: Set<String> = []
  var schemes: Set<String> = []
  var hosts: [Host] = []
  var paths: [PathMatcher] = []
  /// It asks for a type of data; a link has none.
  var hasMIMEType = false
  /// It has `<uri-relative-filter-group>` elements, which Android 15 and later look at.
  var hasGroups = false
  var isVerified = false
  /// Where it starts in the manifest; the first line is 1.
  package internal(set) var line = 0

  /// Whether links are opened by it at all: VIEW, for browsers and other programs.
  var isForLinks: Bool {
    actions.contains("android.intent.action.VIEW")
      && categories.isSuperset(of: [
        "android.intent.category.DEFAULT", "android.intent.category.BROWSABLE",
      ]) && !hasMIMEType
  }

  /// Whether it is for `link`; a pattern that breaks the rules matches nothing.
  func matches(_ link: Address) -> Bool {
    guard isForLinks, schemes.contains(link.scheme), let host = link.host,
      hosts.contains(where: { $0.covers(host, port: link.port) })
    else { return false }
    let path = link.decodedPath
    return paths.isEmpty || paths.contains { $0.matches(path) ?? false }
  }
}

extension Address {
  /// The path as Android compares it: with its escapes decoded.
  var decodedPath: String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
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
