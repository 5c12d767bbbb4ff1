import JSON
import Readers
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A trace file: every command to the chip and its answer, one JSON object a line. Secrets arrive
/// masked.
package final class Trace: Sendable {
  private let path: String
  private let file: LineFile
  private let isLost = Atomic<Bool>(false)
  private let byteCount = Atomic<Int>(0)
  private let opened = Date().timeIntervalSince1970

  /// Begins the trace in `file`. Fails with `cannotCreate`.
  package init(_ file: NamedFile) throws(BenchError) {
    path = file.path
    self.file = try LineFile(file)
  }

  /// Returns whether the file at `path` is a trace: its lines are objects with these members.
  package static func isTrace(_ path: String) -> Bool {
    guard let head = Files.firstBytes(ofRegular: path, 4096) else { return false }
    let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.hasPrefix("{") && line.contains("\"command\":")
      && line.contains("\"durationMs\":")
  }

  /// The path of the trace, and how many bytes the program has written to it so far.
  package var saved: NamedFile.Saved {
    NamedFile.Saved(path: path, byteCount: byteCount.load(ordering: .relaxed))
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
    let line = JSONLine.text(TraceJSON(exchange, opened: opened)) + "\n"
    if file.write(line) {
      byteCount.add(line.utf8.count, ordering: .relaxed)
    } else {
      isLost.store(true, ordering: .relaxed)
    }
  }
}
