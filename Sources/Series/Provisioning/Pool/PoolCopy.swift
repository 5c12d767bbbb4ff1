import Foundation
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// A batch of a pool as a journal's file, as it is at one moment: whatever reads journals reads
/// pools by it.
enum PoolCopy {
  /// Fills an empty journal. Throws where `isWanted` is false before all of it is there.
  static func fill(
    _ journal: Journal, from address: PoolAddress, while isWanted: () -> Bool = { true }
  ) throws(JournalError) {
    func check() throws(JournalError) {
      guard isWanted() else { throw .cannotOpen(journal.path, reason: "nobody waits for it") }
    }
    let (reading, runs, inspections):
      (PoolReading, [(bench: String, run: BenchRun)], [PoolInspection])
    do throws(PoolError) {
      reading = try PoolReading(address)
      (runs, inspections) = (try reading.sessions(), try reading.inspections())
    } catch {
      throw JournalError(error)
    }
    let batch = reading.batch
    try journal.fill(
      PooledList.description(of: batch), adopted: batch.adopted, name: batch.identity
    ) { (copy) throws(JournalError) in
      for run in runs { try copy.take(run.run, of: run.bench) }
      try reading.forEachJob(JournalError.init) { (job) throws(JournalError) in
        try check()
        try copy.take(job.row, job.standing, event: job.event, draft: job.draft)
      }
      try reading.forEachEvent(JournalError.init) { (event) throws(JournalError) in
        try check()
        try copy.take(event)
      }
      for inspection in inspections { try copy.take(inspection) }
    }
  }
}

extension Journal {
  /// Writes a batch of a pool as a journal's file at `path`, where nothing may be yet.
  package static func export(_ pool: String, to path: String) throws(JournalError) {
    let address = try PoolSeries.address(pool)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw .cannotOpen(path, reason: "there is a file of this name; give another name")
    }
    do throws(JournalError) {
      try PoolCopy.fill(Journal(at: path, access: .readWrite(creating: true)), from: address)
    } catch {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      throw error
    }
  }
}
