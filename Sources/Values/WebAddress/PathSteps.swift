/// The parts of a URL's path that are steps and no names: browsers and telephones leave `.` and
/// `..` out and open another address (RFC 3986, 5.2.4), also percent-encoded (WHATWG URL, 4.2:
/// single-dot and double-dot URL path segments).
package enum PathSteps {
  /// Where in `url` they stand, in order. A URL without a scheme begins with its host; one without
  /// a host, such as `mailto:`, has none.
  package static func ranges(in url: String) -> [Range<String.Index>] {
    let bytes = url.utf8
    var rest = bytes[...]
    if let colon = bytes.firstIndex(where: { isOne(of: ":/?#", $0) }), bytes[colon] == 0x3A {
      rest = bytes[bytes.index(after: colon)...]
      guard rest.starts(with: "//".utf8) else { return [] }
      rest = rest.dropFirst(2)
    }
    rest = rest.prefix { !isOne(of: "?#", $0) }
    // The host.
    rest = rest.drop { !isDivider($0) }
    guard rest.contains(where: { isOne(of: ".%", $0) }) else { return [] }
    var steps: [Range<String.Index>] = []
    while !rest.isEmpty {
      rest = rest.dropFirst()
      let part = rest.prefix { !isDivider($0) }
      if isStep(part) { steps.append(part.startIndex..<part.endIndex) }
      rest = rest[part.endIndex...]
    }
    return steps
  }

  /// A path, from its first slash, as browsers and telephones open it.
  package static func resolved(_ path: String) -> String {
    var parts: [Substring] = []
    let all = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in all.enumerated() {
      guard index > 0, isStep(part.utf8) else {
        parts.append(part)
        continue
      }
      let isUp = part.lowercased().replacing("%2e", with: ".") == ".."
      if isUp, parts.count > 1 { parts.removeLast() }
      if index == all.count - 1 { parts.append("") }
    }
    return parts.joined(separator: "/")
  }

  /// Returns whether a part of a path is one.
  package static func isStep(_ part: Substring.UTF8View) -> Bool {
    var (rest, dots) = (part, 0)
    while !rest.isEmpty, dots < 3 {
      if rest.starts(with: ".".utf8) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return false
      }
      dots += 1
    }
    return dots == 1 || dots == 2
  }

  /// Browsers read a backslash as a slash (WHATWG URL, 4.4, special schemes).
  private static func isDivider(_ byte: UInt8) -> Bool { isOne(of: "/\\", byte) }

  private static func isOne(of signs: String, _ byte: UInt8) -> Bool { signs.utf8.contains(byte) }
}
