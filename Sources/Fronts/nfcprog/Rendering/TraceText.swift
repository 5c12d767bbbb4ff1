import Bytes
import Traces

/// A trace for people.
enum TraceText {
  /// One exchange: its number, when, what, how long, what came of it, and the bytes.
  static func line(_ row: TraceReading.Row) -> String {
    let exchange = row.exchange
    let mark = row.oddities.isEmpty ? " " : "!"
    let time = exchange.start.map { milliseconds($0) } ?? ""
    let duration = exchange.duration.map { " in \(milliseconds($0))" } ?? ""
    let sent = exchange.command.isEmpty ? "" : MaskedBytes.text(exchange.command)
    let answer = exchange.answer.map { " → \(MaskedBytes.text($0))" } ?? ""
    // What the result says already needs no mark of its own.
    let odd = row.oddities.filter { $0 != "failed" }
    let remarks = odd.isEmpty ? "" : " (\(odd.joined(separator: "; ")))"
    return
      "\(mark) \(padded("\(row.number)", 4))  \(padded(time, 10))  \(row.meaning): \(row.result)\(duration)\(remarks)\n"
      + "                    \(sent)\(answer)"
  }

  /// Where two runs part.
  static func lines(
    _ comparison: TraceComparison, _ first: TraceReading.Row?, _ second: TraceReading.Row?
  ) -> [String] {
    let same = counted(comparison.sameCount, "exchange")
    guard let difference = comparison.difference else {
      return ["Both runs are the same: \(same) and their answers."]
    }
    let what =
      switch difference {
      case .command: "another command follows"
      case .answer: "the same command has another answer"
      case .end: "one of them has ended"
      }
    return [
      "The runs part after \(same): \(what).",
      "first:  \(first.map(short) ?? "it has ended")",
      "second: \(second.map(short) ?? "it has ended")",
    ]
  }

  private static func short(_ row: TraceReading.Row) -> String {
    let sent = MaskedBytes.text(row.exchange.command)
    let answer = row.exchange.answer.map { " → \(MaskedBytes.text($0))" } ?? ""
    return
      "step \(row.number), line \(row.exchange.line): \(row.meaning): \(row.result)  \(sent)\(answer)"
  }

  /// `12.3 ms`.
  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = (duration / .microseconds(100)).rounded()
    return "\(tenths / 10) ms"
  }

  private static func padded(_ text: String, _ count: Int) -> String {
    String(repeating: " ", count: max(0, count - text.count)) + text
  }
}
