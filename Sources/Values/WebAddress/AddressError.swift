/// Why a text is no address that can go onto a tag.
package enum AddressError: Error, Hashable, Sendable {
  case empty
  /// No `scheme:` at the start.
  case noScheme
  /// Nothing, or nothing of use, behind the scheme.
  case nothingFollows(scheme: String)
  case controlCharacter(Unicode.Scalar)
  /// U+FFFD, which stands where bytes were no UTF-8.
  case notUTF8
  /// White space at the start or the end.
  case spaceAround
  /// A `%` that two hexadecimal digits do not follow, with what stands there.
  case escape(String)
  /// No `//` behind the scheme of an address that needs a host.
  case noSlashes(scheme: String)
  case noHost(scheme: String)
  /// The scheme, and another behind it where the host or the content belongs.
  case schemeTwice(String, String)
  case host(HostFault)
  /// A character in the port that is no digit.
  case portCharacter(Unicode.Scalar)
  /// A colon behind the host, and no port.
  case portMissing
  /// An `@` behind the scheme's slashes, and no user in front of it.
  case userMissing
  /// A port that is not 1 to 65535.
  case portNumber(String)
  /// What follows `tel:` is no telephone number.
  case telephoneNumber(String)
  /// What follows `mailto:` is no address of a mailbox.
  case mailbox(String)

  /// Why a text is no host.
  package enum HostFault: Hashable, Sendable {
    /// A character that no host name holds.
    case character(Unicode.Scalar)
    /// Two dots in a row, or one in front.
    case emptyLabel
    /// A part between dots that begins or ends with a hyphen.
    case hyphen(String)
    /// A part between dots that has more than 63 bytes in ASCII.
    case labelTooLong(String)
    /// More than 253 bytes.
    case tooLong
    /// It ends in a number, and is no IPv4 address.
    case notIPv4(String)
    /// What stands in brackets is no IPv6 address, or the bracket is not closed.
    case notIPv6(String)
  }
}

extension AddressError: CustomStringConvertible {
  /// One clause, without a capital and a full stop.
  package var description: String {
    switch self {
    case .empty: "the URL is empty"
    case .noScheme: "it does not begin with a scheme such as https://"
    case .nothingFollows(let scheme): "nothing follows \(scheme):"
    case .controlCharacter(let scalar):
      "the URL holds the control character U+\(String(scalar.value, radix: 16, uppercase: true))"
    case .notUTF8: "the URL holds bytes that are not UTF-8, or U+FFFD in their place"
    case .spaceAround: "there is a space before or after the URL"
    case .escape(let text):
      "\u{201C}\(text)\u{201D}: two hexadecimal digits must follow a %; a percent sign itself is %25"
    case .noSlashes(let scheme): "\(scheme): must be followed by // and a host"
    case .noHost: "the URL names no host"
    case .schemeTwice(let first, let second):
      """
      behind \(first): stands another scheme, \(second), where \(Authority.needsDomain(first) ? "the host belongs" : "the content belongs"); \
      write one of them
      """
    case .portMissing: "a colon stands behind the host and no port; leave the colon out"
    case .userMissing: "an @ stands before the host and no user in front of it; leave the @ out"
    case .host(let fault): "\(fault)"
    case .portCharacter(let scalar):
      "a port is a number and cannot contain \u{201C}\(Character(scalar))\u{201D}"
    case .portNumber(let text): "a port is a number from 1 to 65535, not \(text)"
    case .telephoneNumber(let text):
      """
      \u{201C}\(text)\u{201D} is not a telephone number: digits, with + in front and - . ( ) between, \
      such as tel:+4930123456
      """
    case .mailbox(let text):
      "\u{201C}\(text)\u{201D} is not a mail address such as mailto:user@example.com"
    }
  }
}

extension AddressError.HostFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .character(let scalar):
      """
      a host name cannot hold \u{201C}\(Character(scalar))\u{201D}; it has letters, digits, hyphens \
      and dots
      """
    case .emptyLabel: "a part of the host name between its dots is empty"
    case .hyphen(let label):
      "\u{201C}\(label)\u{201D} is not a part of a host name: a hyphen must stand inside it"
    case .labelTooLong(let label):
      "\u{201C}\(label)\u{201D} is too long for a part of a host name: the maximum is 63 bytes"
    case .tooLong: "the host name has more than 253 bytes"
    case .notIPv4(let host):
      "\u{201C}\(host)\u{201D} ends in a number but is not an IPv4 address such as 192.0.2.1"
    case .notIPv6(let host):
      "\u{201C}\(host)\u{201D} is not an IPv6 address in brackets such as [2001:db8::1]"
    }
  }
}
