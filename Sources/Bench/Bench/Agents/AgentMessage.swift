import PN532
import Readers

/// A message between an agent and a command on the same machine: a kind, and fields of bytes.
///
///     byte 0       kind
///     then         each field: its length in two bytes, the low one first, and its bytes
package struct AgentMessage: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A command asks for a reader: the version of these messages, the device file.
    case ask = 1
    /// The agent has another reader.
    case elsewhere
    /// It is the command's turn: the speed of the line, what passes the reader.
    case open
    /// The reader cannot be had now; with a field: why, else others have it.
    case refused
    /// A command to the chip: the time that it has in microseconds, and its bytes.
    case exchange
    /// The line goes on at a lower speed.
    case slowDown
    /// The chip's answer; after `slowDown` the new speed.
    case answer
    /// The exchange has failed: see `init(_ error:)`.
    case failure
    /// As `answer`; the agent is about to end.
    case lastAnswer
  }

  package let kind: Kind
  package let fields: [[UInt8]]

  package init(_ kind: Kind, _ fields: [UInt8]...) { (self.kind, self.fields) = (kind, fields) }

  /// The version of these messages: an agent of another one is left alone.
  package static let version: [UInt8] = [1]

  /// No message is longer.
  static let longest = 1 << 16

  /// Nil where `bytes` are no message.
  package init?(parsing bytes: [UInt8]) {
    guard let kind = bytes.first.flatMap(Kind.init(rawValue:)) else { return nil }
    var (fields, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes.dropFirst())
    while !rest.isEmpty {
      guard rest.count >= 2 else { return nil }
      let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
      rest = rest.dropFirst(2)
      guard rest.count >= length else { return nil }
      fields.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    (self.kind, self.fields) = (kind, fields)
  }

  package func serialize() -> [UInt8] {
    fields.reduce(into: [kind.rawValue]) { bytes, field in
      bytes += [UInt8(field.count & 0xFF), UInt8(field.count >> 8 & 0xFF)]
      bytes += field
    }
  }

  /// The field `index` as a text.
  package func text(_ index: Int) -> String? {
    fields.indices.contains(index) ? String(validating: fields[index], as: UTF8.self) : nil
  }

  /// A field for a number.
  package static func number(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// The number in the field `index`; nil where it has none.
  package func number(_ index: Int) -> UInt64? {
    guard fields.indices.contains(index), fields[index].count == 8 else { return nil }
    return fields[index].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

// MARK: What a link says

extension AgentMessage {
  /// A failed exchange. What only an agent's own way to a reader can fail with is one of its board.
  package init(_ error: ReaderError, isEnding: Bool) {
    let code: UInt8 =
      switch error {
      case .boardSilent: 1
      case .boardGarbled: 2
      case .boardRefused: 3
      case .interrupted: 4
      default: 0
      }
    self.init(.failure, [code], [isEnding ? 1 : 0])
  }

  /// The failure, of the reader that the command calls `reader`.
  func failure(_ reader: String) -> ReaderError {
    switch fields.first?.first {
    case 1: .boardSilent(reader: reader)
    case 2: .boardGarbled(reader: reader)
    case 3: .boardRefused(reader: reader)
    case 4: .interrupted
    default: .boardLost(reader: reader)
    }
  }

  /// The speed of a line; without one, nothing.
  package static func speed(_ speed: LinkSpeed?) -> [UInt8] { speed.map { [$0.rawValue] } ?? [] }

  func speed(_ index: Int) -> LinkSpeed? {
    fields.indices.contains(index) ? fields[index].first.flatMap(LinkSpeed.init(rawValue:)) : nil
  }

  private static let limits: [ExchangeLimit] = [.pn532, .pn533, .acr122u]

  /// Returns the field for `limit`, which differs between kinds of reader.
  package static func limit(_ limit: ExchangeLimit) -> [UInt8] {
    [UInt8(limits.firstIndex(of: limit) ?? 0)]
  }

  func limit(_ index: Int) -> ExchangeLimit? {
    guard fields.indices.contains(index), let number = fields[index].first else { return nil }
    return Self.limits.indices.contains(Int(number)) ? Self.limits[Int(number)] : nil
  }
}
