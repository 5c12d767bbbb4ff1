import JSON
import Traces

/// An exchange of a trace that `trace --json` shows.
struct TraceReadingJSON: OutputDocument {
  var command = "trace"
  /// Its number in the trace, counted from 1.
  let step: Int
  /// Its line in the file.
  let line: Int
  /// Since the first exchange; absent where the file has no times.
  let startMs: Double?
  let durationMs: Double?
  /// The UID of the tag that is selected.
  let tag: String?
  /// The command to the chip, without the TFI D4; `**` is a masked byte.
  let sent: String?
  /// What follows D5 and the answer code.
  let answer: String?
  let meaning: String
  let result: String
  let failed: Bool
  let odd: [String]

  init(_ row: TraceReading.Row) {
    let exchange = row.exchange
    (step, line, tag) = (row.number, exchange.line, row.tag)
    (startMs, durationMs) = (Self.ms(exchange.start), Self.ms(exchange.duration))
    sent = exchange.command.isEmpty ? nil : MaskedBytes.text(exchange.command)
    answer = exchange.answer.map(MaskedBytes.text)
    (meaning, result, failed, odd) = (row.meaning, row.result, row.isError, row.oddities)
  }

  private static func ms(_ duration: Duration?) -> Double? {
    duration.map { ($0 / .microseconds(1)).rounded() / 1000 }
  }
}

/// Where two traces part: `trace --compare --json`.
struct TraceComparisonJSON: OutputDocument {
  var command = "trace"
  /// `same`, or `parted`.
  let result: String
  /// How many exchanges are the same before.
  let same: Int
  /// `command`, `answer` or `end`.
  let difference: String?
  /// The exchanges that differ, one of each trace.
  let first: TraceReadingJSON?
  let second: TraceReadingJSON?

  init(
    _ comparison: TraceComparison, first: TraceReading.Row?, second: TraceReading.Row?
  ) {
    (result, same) = (comparison.difference == nil ? "same" : "parted", comparison.sameCount)
    difference = comparison.difference?.rawValue
    self.first = first.map(TraceReadingJSON.init)
    self.second = second.map(TraceReadingJSON.init)
  }
}
