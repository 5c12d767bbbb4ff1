/// Where in an address a value is put, and which characters may stand there as themselves (RFC
/// 3986, 2 and 3).
///
/// A template is filled in part by part; the whole is then parsed as any other address is.
package enum AddressPlace {
  /// Before the scheme is known: the value is the URL, or begins it.
  case start
  /// After `//`: a host, perhaps with a port.
  case authority
  /// A path, or what follows `tel:` and `mailto:`.
  case path
  /// A query or a fragment.
  case query

  /// The place behind `text`, the beginning of a URL.
  package init(behind text: String) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      self = .start
      return
    }
    let rest = bytes[bytes.index(after: colon)...]
    if rest.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      self = .query
    } else if rest.starts(with: "//".utf8), !rest.dropFirst(2).contains(UInt8(ascii: "/")) {
      self = .authority
    } else {
      self = .path
    }
  }

  /// `value` with everything percent-encoded that would not be itself here.
  package func encoded(_ value: String) -> String {
    let others: String.UTF8View
    switch self {
    case .start: return value
    case .authority: others = ":".utf8
    case .path: others = "!$&'()*+,;=:@".utf8
    // In a query & = + and ; are read as more than themselves.
    case .query: others = "!$'()*,:@/?".utf8
    }
    // A host outside ASCII is not percent-encoded: it becomes punycode, as a whole.
    let staysInternational = self == .authority
    func stands(_ byte: UInt8) -> Bool {
      Self.isUnreserved(byte) || others.contains(byte) || (byte >= 0x80 && staysInternational)
    }
    if value.utf8.allSatisfy(stands) { return value }
    var result: [UInt8] = []
    for byte in value.utf8 {
      if stands(byte) {
        result.append(byte)
      } else {
        result += PercentEncoding.encoded(byte).utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
