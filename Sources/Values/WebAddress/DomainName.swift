/// Names of hosts: of the domain name system (RFC 1123, 2.1; RFC 5891), or numeric addresses.
package enum DomainName {
  /// `name` in ASCII and lower case, every part between dots found possible. An underscore is
  /// taken: sites that have it exist. The dots of other scripts count as dots (RFC 3490, 3.1).
  package static func ascii(_ name: String) throws(AddressError) -> String {
    if name.hasPrefix("[") {
      guard name.hasSuffix("]"), IPv6.isAddress(name.dropFirst().dropLast()) else {
        throw .host(.notIPv6(name))
      }
      return name.lowercased()
    }
    var labels: [String] = []
    for label in name.lowercased().unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: dots.contains)
    {
      labels.append(try ascii(label: String(label)))
    }
    // A dot at the end is the root of the domain name system: the name is whole without it.
    let named = labels.last == "" ? labels.dropLast() : labels[...]
    guard !named.isEmpty, !named.contains("") else { throw .host(.emptyLabel) }
    let host = labels.joined(separator: ".")
    guard named.joined(separator: ".").utf8.count <= 253 else { throw .host(.tooLong) }
    if isNumeric(host), !isIPv4(named) { throw .host(.notIPv4(name)) }
    return host
  }

  /// Returns whether the last part is a number: no top-level domain is (RFC 3696, 2).
  static func isNumeric(_ host: String) -> Bool {
    host.split(separator: ".").last.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
      ?? false
  }

  private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  private static func ascii(label: String) throws(AddressError) -> String {
    // 63 bytes is the longest label in the domain name system, RFC 1035, 2.3.4.
    guard label.unicodeScalars.count <= 63 else { throw .host(.labelTooLong(label)) }
    let label = InternationalLabel.composed(label)
    let isASCII = label.utf8.allSatisfy { $0 < 0x80 }
    let bad = label.unicodeScalars.first { scalar in
      scalar.isASCII ? !isLetterDigitHyphen(scalar) : !InternationalLabel.mayHold(scalar)
    }
    if let bad { throw .host(.character(bad)) }
    if !isASCII, let first = label.unicodeScalars.first, InternationalLabel.isMark(first) {
      throw .host(.character(first))
    }
    guard !label.hasPrefix("-"), !label.hasSuffix("-") else { throw .host(.hyphen(label)) }
    guard let ascii = Punycode.asciiLabel(label), ascii.utf8.count <= 63 else {
      throw .host(.labelTooLong(label))
    }
    return ascii
  }

  private static func isLetterDigitHyphen(_ scalar: Unicode.Scalar) -> Bool {
    Address.isLetter(scalar) || Address.isDigit(scalar) || scalar == "-" || scalar == "_"
  }

  private static func isIPv4(_ parts: ArraySlice<String>) -> Bool {
    parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
          && (part.utf8.count == 1 || !part.hasPrefix("0"))
      }
  }
}

/// IPv6 addresses as text (RFC 4291, 2.2).
enum IPv6 {
  /// Eight groups of up to four hexadecimal digits; `::` stands for one run of zero groups, and the
  /// last two groups may be an IPv4 address.
  static func isAddress(_ text: Substring) -> Bool {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, !text.contains(":::") else { return false }
    var count = 0
    for (index, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: ":", omittingEmptySubsequences: false)
      for (place, group) in groups.enumerated() {
        let isLast = index == halves.count - 1 && place == groups.count - 1
        if isLast, group.contains(".") {
          guard isIPv4(group) else { return false }
          count += 2
        } else {
          guard (1...4).contains(group.utf8.count),
            group.unicodeScalars.allSatisfy({ PercentEncoding.digit($0) != nil })
          else { return false }
          count += 1
        }
      }
    }
    return halves.count == 2 ? count < 8 : count == 8
  }

  private static func isIPv4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        UInt8(part) != nil && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
