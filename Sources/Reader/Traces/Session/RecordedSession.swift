/// What a trace shows: the exchanges with a chip, in their order.
///
/// A capture between reader and tag has no exchanges with a chip; each of its frames to the tag is
/// one here, too, by the chip's command that would have sent it (`level` says so).
package struct RecordedSession: Hashable, Sendable {
  /// Where the frames were seen.
  package enum Level: Hashable, Sendable {
    /// Between the host and the chip.
    case chip
    /// Between the reader and the tag.
    case air
  }

  /// Something odd in the file, and where.
  package struct Remark: Hashable, Sendable {
    /// The line in the file, counted from 1.
    package let line: Int
    /// A clause without a full stop.
    package let text: String

    package init(line: Int, _ text: String) { (self.line, self.text) = (line, text) }
  }

  /// What a file with several calls this one; nil where it has one.
  package var name: String?
  package var level: Level
  /// Is true if who wrote it has masked keys and passwords already.
  package var isMasked = false
  package var exchanges: [RecordedExchange]
  package var remarks: [Remark]

  package init(
    name: String? = nil, level: Level = .chip, exchanges: [RecordedExchange] = [],
    remarks: [Remark] = []
  ) {
    (self.name, self.level) = (name, level)
    (self.exchanges, self.remarks) = (exchanges, remarks)
  }

  /// The exchanges without keys and passwords.
  package var withoutSecrets: [RecordedExchange] {
    let isClassic = exchanges.contains { exchange in
      let frame = TagFrame.shown(in: exchange.command) ?? []
      return frame.count == 12 && [0x60, 0x61].contains(frame[0])
    }
    return exchanges.map { exchange in
      // The program that masked its own knows its secrets better than any table.
      isMasked
        ? FrameSecrets.masked(exchange, isClassic: isClassic)
        : FrameSecrets.maskedThoroughly(exchange, isClassic: isClassic)
    }
  }
}

/// One command to the chip and what came of it.
package struct RecordedExchange: Hashable, Sendable {
  /// How an exchange ended.
  package enum Outcome: Hashable, Sendable {
    /// What follows D5 and the answer code; nil stands for a byte that was masked.
    case answer([UInt8?])
    /// The error frame: the chip does not know the command.
    case refused
    /// The host has waited and given up.
    case silence
    /// The answer was damaged on the line.
    case damaged
    /// The line was gone.
    case lost
    /// Somebody ended the wait.
    case interrupted
    /// Something else failed, in the words of the trace.
    case failed(String)
    /// The file has no answer and does not say why.
    case untold
  }

  /// The line in the file, counted from 1.
  package var line: Int
  /// When the command was sent, counted from the first; nil: the file does not tell.
  package var start: Duration?
  /// How long the answer took; nil: the file does not tell.
  package var duration: Duration?
  /// The command, its code first, without the TFI D4; nil stands for a byte that was masked. It is
  /// empty where the file has the answer alone.
  package var command: [UInt8?]
  /// The command's code: of an answer alone, the one that it belongs to.
  package var code: UInt8
  package var outcome: Outcome
  /// What a report calls the part that it belongs to; nil where there are none.
  package var part: String?

  package init(
    line: Int, start: Duration? = nil, duration: Duration? = nil, command: [UInt8?],
    code: UInt8? = nil, outcome: Outcome, part: String? = nil
  ) {
    (self.line, self.start, self.duration) = (line, start, duration)
    (self.command, self.outcome, self.part) = (command, outcome, part)
    self.code = code ?? command.first.flatMap(\.self) ?? 0
  }

  /// The command without masked bytes; nil where there are some, and where it is not known.
  package var plainCommand: [UInt8]? {
    let bytes = command.compactMap(\.self)
    return bytes.count == command.count && !bytes.isEmpty ? bytes : nil
  }

  /// The answer's bytes, masked ones as nil; nil where none came.
  package var answer: [UInt8?]? {
    if case .answer(let bytes) = outcome { bytes } else { nil }
  }
}
