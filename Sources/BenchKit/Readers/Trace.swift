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
    let line = TraceJSON(exchange, opened: opened)
    if !file.write(JSONLine.text(line) + "\n") { isLost.store(true, ordering: .relaxed) }
  }
}
