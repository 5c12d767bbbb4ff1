import Bytes

/// What a statement is given, in PostgreSQL's text form.
enum PQValue: Hashable, Sendable {
  case null
  case text(String)
  case number(Int64)
  case bytes([UInt8])
  case flag(Bool)

  init(_ text: String?) { self = text.map(PQValue.text) ?? .null }
  init(_ number: Int) { self = .number(Int64(number)) }
  init(_ flag: Bool?) { self = flag.map(PQValue.flag) ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map(PQValue.bytes) ?? .null }

  /// Nil is NULL.
  var text: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .number(let number): String(number)
    case .bytes(let bytes): "\\x" + Hex.string(bytes)
    case .flag(let flag): flag ? "t" : "f"
    }
  }
}

/// A row of an answer; nil is NULL.
struct PQRow: Hashable, Sendable {
  let values: [String?]

  subscript(column: Int) -> String? { values[column] }
  func number(_ column: Int) -> Int64? { values[column].flatMap { Int64($0) } }
  func flag(_ column: Int) -> Bool? { values[column].map { $0 == "t" } }

  func bytes(_ column: Int) -> [UInt8]? {
    values[column].flatMap { text in try? Hex.bytes(String(text.dropFirst(2))) }
  }
}
