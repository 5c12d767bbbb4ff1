import Bench
import Bytes
import JobLists
import LedgerSQLite
import Provisioning
import TagMemory
import TagProgramming

/// A run over tags that are only read: each is named once, held to what is expected, and gets a row
/// of a file.
package final class CollectingRun: Sendable {
  /// The settings say what the run is asked for.
  package struct Settings: Sendable {
    /// The file that gets a row for each good tag; nil: none.
    package var file: String?
    /// Is true if the file's rows count, and it stays as it is.
    package var isDry = false
    /// A list of tags, or a journal; nil: any tag may come.
    package var expected: String?
    /// The type that each tag is to be of; nil: any.
    package var product: Product?
    package var mustBeGenuine = false
    /// The keys by which tags of a journal prove themselves; nil: proofs are not checked.
    package var keys: (any ProofKeys)?
    /// Is true if all of the expected tags must come.
    package var demandsAll = true
    package var line = LineOptions()

    package init() {}
  }

  /// The result of a run.
  package struct Outcome: Sendable {
    package let summary: LineSummary
    package let found: CollectionResult
  }

  private let settings: Settings
  private let tell: @Sendable (ProvisioningEvent) -> Void
  private let shouldStop: @Sendable () -> Bool

  /// `tell` gets all events, those of stations from their threads; `shouldStop` is asked between
  /// commands.
  package init(
    _ settings: Settings, tell: @escaping @Sendable (ProvisioningEvent) -> Void,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    (self.settings, self.tell, self.shouldStop) = (settings, tell, shouldStop)
  }

  /// Reads tag after tag, with a station for each of `readers`.
  package func work(on choices: LineReaders) throws(BenchError) -> Outcome {
    tell(.workBegan("Reading the expected tags", unit: "tags", count: nil))
    var asked = TagCollection.Settings()
    (asked.product, asked.mustBeGenuine) = (settings.product, settings.mustBeGenuine)
    asked.keys = settings.keys
    asked.expectation = try settings.expected.map(Self.expectation)
    let expected = try BenchError.reading { () throws(JournalError) in
      try asked.expectation?.count()
    }
    let collection = TagCollection(asked, into: try openFile())
    tell(.workEnded)
    tell(.prepared)
    tell(.workBegan("Opening the readers", unit: "readers", count: choices.count))
    let readers = try choices.open { [tell] in tell(.workAdvanced($0)) }
    defer { for reader in readers { try? reader.session.close() } }
    tell(.workEnded)
    // Tags of other types are to be named.
    for reader in readers { reader.reader.look(for: nil) }
    tell(
      .opened(
        ProvisioningOverview(
          jobs: expected ?? 0, readers: readers.map(\.name), stationNames: choices.stationNames,
          goal: settings.line.count ?? expected ?? 0, done: 0, waiting: [:],
          interrupts: readers.map(\.session.interrupt))))
    var options = settings.line
    options.stationNames = choices.stationNames
    let line = StationLine(
      readers: readers, into: collection, options: options,
      tell: { [tell] in tell(.line($0)) }, shouldStop: shouldStop)
    tell(.started(line))
    let summary = line.run()
    tell(.ended)
    var found = try BenchError.reading { () throws(JournalError) in try collection.result() }
    if !settings.demandsAll { (found.expected, found.missing) = (nil, []) }
    return Outcome(summary: summary, found: found)
  }

  private func openFile() throws(BenchError) -> CollectedFile? {
    guard let path = settings.file, !settings.isDry || Files.exists(path) else { return nil }
    do throws(CollectedFileError) {
      let file = try CollectedFile(at: path, isDry: settings.isDry)
      if file.wasTorn { tell(.remark(.labelTorn(path))) }
      return file
    } catch {
      throw BenchError(error)
    }
  }

  /// What `path` expects: it is a journal, a pool's address, or a list.
  private static func expectation(_ path: String) throws(BenchError) -> TagExpectation {
    if PoolSeries.isPool(path) || isDatabase(path) {
      return .journal(
        try BenchError.reading { () throws(JournalError) in
          try Journal(at: path, access: .readOnly)
        })
    }
    do throws(JobSourceError) {
      return .list(try TagList(at: path))
    } catch {
      throw BenchError(error)
    }
  }

  /// Returns whether a database of SQLite lies at `path` (file format, 1.3).
  private static func isDatabase(_ path: String) -> Bool {
    Files.firstBytes(ofRegular: path, 16) == Array("SQLite format 3\0".utf8)
  }
}

extension BenchError {
  /// A file of tags that were read, which cannot be used.
  package init(_ error: CollectedFileError) { self.init(.cannotCreate, error.description) }

  /// Returns what `body` gives; a journal that cannot be looked at becomes a failure of this
  /// library.
  fileprivate static func reading<Value>(
    _ body: () throws(JournalError) -> Value
  ) throws(BenchError) -> Value {
    do throws(JournalError) { return try body() } catch { throw BenchError(reading: error) }
  }
}
