import Readers
import Synchronization
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A trace file: every command to the chip and its answer, one JSON object a line. Secrets arrive masked.
package final class Trace {
  /// A line of the file.
  private struct Line: Encodable {
    /// Seconds since 1970 when the command was sent.
    let time: Double
    /// How long the board took.
    let durationMs: Double
    /// Without the TFI D4; `**` stands for a secret byte.
    let command: String
    /// What followed D5 and the answer code.
    let answer: String?
    let error: String?
  }

  private let path: String
  private let file: LineFile
  private let isLost = Atomic<Bool>(false)
  private let opened = Date().timeIntervalSince1970

  /// Creates the file; fails with `cannotCreate`.
  package init(path: String) throws(BenchError) {
    self.path = path
    file = try LineFile(creating: path)
  }

  /// Fails with `cannotCreate` where not every line could be written.
  package func check() throws(BenchError) {
    guard isLost.load(ordering: .relaxed) else { return }
    throw BenchError(
      .cannotCreate,
      "The trace \(path) is incomplete: writing failed before its end (is the disk full?)."
    )
  }

  package func record(_ exchange: Exchange) {
    let answer: String?
    let error: String?
    switch exchange.outcome {
    case .answer(let bytes): (answer, error) = (Exchange.text(bytes), nil)
    case .failure(let failure): (answer, error) = (nil, failure.description)
    }
    let line = Line(
      time: Self.rounded(opened + exchange.start / .seconds(1)),
      durationMs: Self.rounded(exchange.duration / .milliseconds(1)),
      command: Exchange.text(exchange.command), answer: answer, error: error)
    if !file.write(JSONLine.text(line) + "\n") { isLost.store(true, ordering: .relaxed) }
  }

  /// Six digits behind the point: microseconds are as fine as it is measured.
  private static func rounded(_ value: Double) -> Double {
    (value * 1_000_000).rounded() / 1_000_000
  }
}
