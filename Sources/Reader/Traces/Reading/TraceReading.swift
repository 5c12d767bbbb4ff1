import Bytes
import PN532
import TagMemory

/// A session as a person reads it: what each exchange was for, what came of it, what is odd.
package struct TraceReading: Hashable, Sendable {
  /// An exchange.
  package struct Row: Hashable, Sendable {
    /// Its place in the trace, counted from 1: a step.
    package let number: Int
    package let exchange: RecordedExchange
    /// How long nothing happened before it; nil: not told.
    package let pause: Duration?
    /// The UID of the tag that was selected, or that this look has found; nil: none.
    package let tag: String?
    /// What was asked, in words.
    package let meaning: String
    /// What came of it, in words.
    package let result: String
    /// Is true if it failed.
    package let isError: Bool
    /// What is odd: clauses.
    package let oddities: [String]
  }

  package let rows: [Row]
  package let remarks: [RecordedSession.Remark]

  /// Keys and passwords are masked.
  package init(_ session: RecordedSession) {
    var rows: [Row] = []
    var state = State()
    for (index, exchange) in session.withoutSecrets.enumerated() {
      rows.append(state.row(exchange, index + 1))
    }
    (self.rows, remarks) = (rows, session.remarks)
  }

  /// Whoever goes through a session from its start.
  private struct State {
    private var tag = SelectedTag()
    private var end: Duration?

    mutating func row(_ exchange: RecordedExchange, _ number: Int) -> Row {
      let command = exchange.command.map { $0 ?? 0 }
      tag.take(exchange)
      let words = CommandWords(exchange, tag)
      let pause = exchange.start.flatMap { start in end.map { start - $0 } }
      end = exchange.start.map { $0 + (exchange.duration ?? .zero) } ?? end
      return Row(
        number: number, exchange: exchange,
        pause: pause.flatMap { $0 > .zero ? $0 : nil }, tag: tag.uid.map { Hex.string($0) },
        meaning: command.isEmpty ? "an answer without its command" : words.meaning,
        result: words.result, isError: words.isError, oddities: words.oddities)
    }
  }
}

/// Which tag a session has selected.
struct SelectedTag {
  /// Nil: none.
  private(set) var uid: [UInt8]?
  private(set) var sak: UInt8?
  /// It takes APDUs.
  private(set) var isInProtocol = false

  var isClassic: Bool { (sak ?? 0) & 0x28 == 0x08 }

  /// Takes note of what an exchange changes.
  mutating func take(_ exchange: RecordedExchange) {
    switch exchange.code {
    case CommandCode.inListPassiveTarget.rawValue: look(exchange)
    case CommandCode.inRelease.rawValue, CommandCode.inDeselect.rawValue: self = SelectedTag()
    case CommandCode.rfConfiguration.rawValue
    where exchange.command.count > 2 && exchange.command[1] == 0x01
      && (exchange.command[2] ?? 1) & 0x01 == 0:
      self = SelectedTag()
    default: break
    }
  }

  private mutating func look(_ exchange: RecordedExchange) {
    guard let answer = exchange.answer?.compactMap(\.self) else { return }
    self = SelectedTag()
    let kind = exchange.command.count > 2 ? exchange.command[2] ?? 0 : 0
    switch kind {
    case 0x00:
      let found =
        (try? TypeATarget.list(parsing: answer))
        ?? (try? TypeATarget.list(parsing: answer, automaticRATS: false))
      guard let tag = found?.first else { return }
      (uid, sak, isInProtocol) = (tag.uid, tag.sak, tag.sak & 0x20 != 0)
    case 0x01, 0x02: uid = (try? FeliCaTarget.list(parsing: answer))?.first?.idm
    case 0x03:
      uid = (try? TypeBTarget.list(parsing: answer))?.first?.pupi
      isInProtocol = uid != nil
    case 0x04: uid = (try? TopazTarget.list(parsing: answer))?.first?.id
    default: break
    }
  }
}
