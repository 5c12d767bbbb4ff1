import JSON
import Readers

/// A line of a trace: one command to the chip and its answer. Secrets arrive masked.
package struct TraceJSON: OutputDocument {
  /// Seconds since 1970 when the command was sent.
  package let time: Double
  /// How long the board took.
  package let durationMs: Double
  /// Without the TFI D4; `**` stands for a secret byte.
  package let command: String
  /// What followed D5 and the answer code.
  package let answer: String?
  package let error: String?

  /// `opened`: when the trace was opened, in seconds since 1970; exchanges count from there.
  package init(_ exchange: Exchange, opened: Double) {
    switch exchange.outcome {
    case .answer(let bytes): (answer, error) = (Exchange.text(bytes), nil)
    case .failure(let failure): (answer, error) = (nil, failure.description)
    }
    time = Self.rounded(opened + exchange.start / .seconds(1))
    durationMs = Self.rounded(exchange.duration / .milliseconds(1))
    command = Exchange.text(exchange.command)
  }

  /// Six digits behind the point: microseconds are as fine as it is measured.
  private static func rounded(_ value: Double) -> Double {
    (value * 1_000_000).rounded() / 1_000_000
  }
}
