import Foundation
import Ledger
import LedgerPostgreSQL
import Synchronization

/// The list of a batch as the pool has it, for a bench that has no list of its own. It grows as
/// rows are added there, and ends when the batch is closed.
package final class PooledList: Sendable {
  package let source: JobSource
  package let description: SourceDescription
  /// The batch's.
  let identity: [UInt8]
  private let spool: SourceFile
  private let state: Mutex<State>

  private struct State {
    var reading: PoolListReading
    /// How many rows were read.
    var count: Int
    /// Behind them; nil: at the beginning.
    var rows: TableRows?
  }

  /// How many rows are taken up at once: others who write the journal wait for no more.
  private static let portion = 2000

  /// Reads the list of the batch at an address. Throws where the batch has none.
  package init(at text: String) throws(JournalError) {
    let address = try PoolSeries.address(text)
    let reading: PoolListReading
    do throws(PoolError) { reading = try PoolListReading(address) } catch {
      throw JournalError(error)
    }
    do throws(JobSourceError) { spool = try SourceFile(keeping: SentList.name) } catch {
      throw .sourceFailed(error.message)
    }
    let hasList = try reading.read(JournalError.init) { [spool] bytes throws(JournalError) in
      try Self.append(bytes, to: spool)
    }
    guard hasList else {
      throw .pool(
        .noBatch,
        "The batch \(address.batch) has no list in the database: a bench has loaded it. Give the list and its settings here, too."
      )
    }
    let batch = reading.batch
    (description, identity) = (Self.description(of: batch), batch.identity)
    do throws(JobSourceError) { source = try JobSource(spool, description.jobSettings) } catch {
      throw .sourceFailed(error.message)
    }
    state = Mutex(State(reading: reading, count: batch.jobs, rows: nil))
  }

  static func description(of batch: PoolBatch) -> SourceDescription {
    let settings = (try? StoredJob.pairs(batch.settings)) ?? []
    return SourceDescription(
      kind: batch.kind, name: batch.source, settings: settings.map { .init($0.0, $0.1) })
  }

  private static func append(_ bytes: [UInt8], to spool: SourceFile) throws(JournalError) {
    do throws(JobSourceError) { try spool.append(bytes[...]) } catch {
      throw .sourceFailed(error.message)
    }
  }

  /// Has the bench take up the rows that were added since; `tell` hears of how many, as they can be
  /// claimed. Whether the batch is closed. Throws where the database does not answer: nothing is
  /// lost then.
  package func readOn(
    for bench: PoolBench, _ tell: (Int) -> Void
  ) throws(JournalError) -> Bool {
    try state.withLock { (state) throws(JournalError) in
      _ = try state.reading.read(JournalError.init) { bytes throws(JournalError) in
        try Self.append(bytes, to: spool)
      }
      let batch = state.reading.batch
      while state.count < batch.jobs {
        let jobs = try next(&state, upTo: batch.jobs)
        try bench.journal.add(jobs)
        bench.store.lastJob = state.count
        tell(jobs.count)
      }
      return batch.closed != nil
    }
  }

  private func next(
    _ state: inout State, upTo end: Int
  ) throws(JournalError) -> [PlannedJob] {
    var rows = state.rows ?? source.follow()
    if state.rows == nil { for _ in 0..<state.count { _ = rows.next() } }
    var jobs: [PlannedJob] = []
    while jobs.count < Self.portion, state.count + jobs.count < end {
      do throws(RowError) {
        guard let row = try rows.next()?.get() else { throw RowError(line: 0, "It is missing.") }
        jobs.append(try source.plan.job(row, number: state.count + jobs.count + 1))
      } catch {
        throw .sourceFailed("The list in the database cannot be read: \(error)")
      }
    }
    state.rows = rows
    state.count += jobs.count
    return jobs
  }
}
