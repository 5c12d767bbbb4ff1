import PN532
import Traces

/// Whatever a file holds, it is a trace or it is refused with a line; a board that answers from it
/// answers what it shows, in its order, as it shows it, and says where it does not know.
enum TraceTarget: FuzzTarget {
  /// Longer sessions say nothing new.
  private static let most = 200

  static func check(_ bytes: [UInt8]) throws {
    guard let file = try? TraceFile(parsing: bytes) else { return }
    for session in file.sessions.prefix(4) {
      let rows = TraceReading(session).rows
      try require(rows.count == session.exchanges.count, "a row is missing")
      try require(
        TraceComparison(session, session).difference == nil, "a trace parts from itself")
      try repeated(session)
      try changed(session, bytes)
      for exchange in session.exchanges.prefix(most) {
        let masked = FrameSecrets.maskedThoroughly(exchange, isClassic: true)
        try require(masked.command.count == exchange.command.count, "masking changes a length")
      }
    }
  }

  /// Every command again, masked bytes as 5A.
  private static func repeated(_ session: RecordedSession) throws {
    // The answer to a look that stands alone is taken for one to a look that nobody sent.
    guard !session.exchanges.contains(where: { $0.command.isEmpty && $0.code == 0x4A }) else {
      return
    }
    var board = ReplayBoard(session)
    for exchange in session.exchanges.prefix(most) where !exchange.command.isEmpty {
      let command = exchange.command.map { $0 ?? 0x5A }
      let reply = board.answer(command)
      let isOfLine = command[0] == CommandCode.setSerialBaudRate.rawValue
      switch (exchange.outcome, reply) {
      case (_, .board) where isOfLine: break
      case (.answer(let shown), .answer(let given, _)):
        try require(
          shown.count == given.count && zip(shown, given).allSatisfy { $0 == nil || $0 == $1 },
          "another answer to \(command)")
      case (.refused, .refused), (.silence, .silence), (.damaged, .damaged), (.lost, .lost): break
      case (.untold, .board): break
      // Nothing stands in for every secret.
      case (.answer(let shown), .notRecorded) where shown.contains(nil): return
      case (.untold, .notRecorded), (.interrupted, .notRecorded), (.failed, .notRecorded):
        // Nothing is known behind it.
        try require(board.answer(command) == reply, "it goes on behind what it does not know")
        return
      default: throw Broken("\(exchange.outcome) is answered with \(reply)")
      }
    }
  }

  /// A write with another byte in the place of one of the session, after everything before it:
  /// nobody saw it, so nobody answers it. Then the session in another order: no crash.
  private static func changed(_ session: RecordedSession, _ bytes: [UInt8]) throws {
    let known = session.exchanges.prefix(most).filter { !$0.command.isEmpty }
    guard !known.isEmpty else { return }
    let writes = known.indices.filter { isPageWrite(known[$0].command) }
    for place in writes.prefix(4) {
      var board = ReplayBoard(session)
      for exchange in known[..<place] { _ = board.answer(exchange.command.map { $0 ?? 0x5A }) }
      var command = known[place].command.map { $0 ?? 0x5A }
      command[command.count - 1] ^= (bytes.last ?? 0) | 1
      guard case .answer = board.answer(command) else { continue }
      try require(
        session.exchanges.contains { exchange in
          isPageWrite(exchange.command)
            && zip(exchange.command.suffix(6), command.suffix(6)).allSatisfy {
              $0 == nil || $0 == $1
            }
        }, "a write that nobody saw is answered: \(command)")
    }
    var board = ReplayBoard(session)
    for (index, byte) in bytes.suffix(40).enumerated() {
      _ = board.answer(known[(Int(byte) + 7 * index) % known.count].command.map { $0 ?? 0x5A })
    }
  }

  /// WRITE of a page, through whichever of the chip's commands.
  private static func isPageWrite(_ command: [UInt8?]) -> Bool {
    command.starts(with: [0x40, 0x01, 0xA2]) && command.count == 8
      || command.starts(with: [0x42, 0xA2]) && command.count == 7
  }
}
