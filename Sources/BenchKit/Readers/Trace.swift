import Readers
import Synchronization
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A trace file: every command to the chip and its answer, one JSON object a line. Secrets arrive
/// masked.
package final class Trace {
  private let path: String
  private let file: LineFile
  private let isLost = Atomic<Bool>(false)
  private let opened = Date().timeIntervalSince1970

  /// Creates the file, or replaces an earlier trace. Fails with `cannotCreate`, also for a file
  /// that holds anything else: it may be the wrong name.
  package init(path: String) throws(BenchError) {
    guard Files.firstBytes(ofRegular: path, 4096).map(Self.isTrace) ?? true else {
      throw BenchError(
        .cannotCreate,
        "\(path) is not an earlier trace, so it is not replaced. Name another file, or delete this one."
      )
    }
    self.path = path
    file = try LineFile(creating: path)
  }

  /// Whether a file that begins with `head` is a trace, or empty: its lines are objects with these
  /// members.
  private static func isTrace(_ head: [UInt8]) -> Bool {
    let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return head.isEmpty
      || line.hasPrefix("{") && line.contains("\"command\":")
        && line.contains("\"durationMs\":")
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
    let line = TraceJSON(exchange, opened: opened)
    if !file.write(JSONLine.text(line) + "\n") { isLost.store(true, ordering: .relaxed) }
  }
}
