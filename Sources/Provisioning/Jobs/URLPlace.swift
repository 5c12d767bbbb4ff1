/// Where in a URL something stands, and which characters may stand there as themselves (RFC 3986, 2 and 3).
enum URLPlace {
  /// Before the scheme is known: the value is the URL, or begins it.
  case start
  /// After `//`: a host, perhaps with a port.
  case authority
  /// A path, or what follows `tel:` and `mailto:`.
  case path
  /// A query or a fragment.
  case query

  /// The place behind `text`, the beginning of a URL.
  init(behind text: String) {
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
  func encoded(_ value: String) -> String {
    let others: String.UTF8View
    switch self {
    case .start: return value
    case .authority: others = ":".utf8
    case .path: others = "!$&'()*+,;=:@".utf8
    // In a query & = + and ; are read as more than themselves.
    case .query: others = "!$'()*,:@/?".utf8
    }
    func stands(_ byte: UInt8) -> Bool { Self.isUnreserved(byte) || others.contains(byte) }
    if value.utf8.allSatisfy(stands) { return value }
    var result: [UInt8] = []
    for byte in value.utf8 {
      if stands(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 0xF)]
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

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
