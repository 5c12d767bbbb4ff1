/// JSON to be written: members keep the order in which they were given.
package enum JSONText {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  /// On one line, without spaces, as JSON Lines wants it.
  package var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0) + ":" + $1.line }.joined(separator: ",") + "}"
    }
  }

  /// On several lines, two spaces a level, each array of plain values on one line.
  package func pretty(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { inner + Self.quoted($0) + ": " + $1.pretty(indent: inner) }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    case .array(let elements) where elements.contains(where: \.isContainer):
      let lines = elements.map { inner + $0.pretty(indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
    case .array(let elements) where !elements.isEmpty:
      return "[ " + elements.map(\.line).joined(separator: ", ") + " ]"
    default: return line
    }
  }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// `text` in quotes; what RFC 8259, 7, forbids inside them is escaped, a slash is not.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `[["name","value"],…]` on one line: a million rows of a list are written in seconds.
  package static func pairs(_ pairs: some Sequence<(String, String)>) -> String {
    var bytes = [UInt8(ascii: "[")]
    for (name, value) in pairs {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      append(value, to: &bytes)
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let mark = UInt8(ascii: "\"")
    bytes.append(mark)
    for byte in text.utf8 {
      switch byte {
      case mark, UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20, 0x7F:
        bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(mark)
  }
}
