import JSON
import Traces

/// A line of a replayable trace: as `TraceJSON` has it, counted from the first exchange.
package struct ReplayableJSON: OutputDocument {
  package let time: Double?
  package let durationMs: Double?
  package let command: String
  package let answer: String?
  package let error: String?

  /// Secrets are masked already.
  package init(_ exchange: RecordedExchange) {
    time = exchange.start.map { ($0 / .microseconds(1)).rounded() / 1_000_000 }
    durationMs = exchange.duration.map { ($0 / .microseconds(1)).rounded() / 1000 }
    command = MaskedBytes.text(exchange.command)
    answer = exchange.answer.map(MaskedBytes.text)
    error =
      switch exchange.outcome {
      case .answer, .untold: nil
      case .refused: "the board does not support this command"
      case .silence: "the board does not answer"
      case .damaged: "the board sent a damaged answer"
      case .lost: "the board is gone"
      case .interrupted: "interrupted"
      case .failed(let text): text
      }
  }
}
