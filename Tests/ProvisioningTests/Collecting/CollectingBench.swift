import Foundation
import JobLists
import Ledger
import PN532Simulator
import Pace
import Synchronization
import TagMemory

@testable import LedgerSQLite
@testable import Provisioning

/// Lines that only read, and the file that they fill.
final class CollectingBench {
  let folder: URL
  var file: String { folder.appending(path: "tags.csv").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "collect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  struct Ending {
    let summary: LineSummary
    let outcomes: [TagOutcome]
    let found: CollectionResult

    /// The faults by cause.
    var faults: [TagCause: [UID]] {
      Dictionary(uniqueKeysWithValues: found.faults.map { ($0.cause, $0.uids) })
    }
  }

  /// Runs a line as a process of its own would.
  func run(
    _ readers: [TestReader], _ change: (inout TagCollection.Settings) -> Void = { _ in },
    options configure: (inout LineOptions) -> Void = { _ in }
  ) throws -> Ending {
    var (settings, options) = (TagCollection.Settings(), LineOptions())
    // Longer than a hand takes for the next tag.
    (options.timeout, options.patience) = (.milliseconds(300) * Pace.factor, .zero)
    change(&settings)
    configure(&options)
    let collection = TagCollection(settings, into: try CollectedFile(at: file))
    let outcomes = Mutex<[TagOutcome]>([])
    let line = StationLine(
      readers: readers, into: collection, options: options,
      tell: { event in
        if case .finished(let outcome) = event.kind { outcomes.withLock { $0.append(outcome) } }
      })
    let summary = line.run()
    return Ending(
      summary: summary, outcomes: outcomes.withLock { $0 }, found: try collection.result())
  }

  /// The file's rows without the header, each cut at its commas.
  var rows: [[String]] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  func list(_ text: String) throws -> TagExpectation {
    let path = folder.appending(path: "list.csv").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return .list(try TagList(at: path))
  }
}
