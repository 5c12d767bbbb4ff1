import Bytes
import JobLists
import LedgerPostgreSQL
import LedgerSQLite

/// A list that is not the batch's, or that another batch has.
extension PoolSeries {
  /// Throws where another batch of the database has the journal's list: a batch whose name was
  /// mistyped would put each job on a second tag.
  func refuseSecondBatch(_ journal: Journal) throws(JournalError) {
    guard lostBatches != .ignored, let first = try journal.plannedJob(1) else { return }
    let batches = try pooled(PoolStore.batches(beginningWith: first.digest, at: address))
    let jobs = try journal.localTally().jobs
    for batch in batches where batch.name != address.batch {
      let isSame =
        jobs < batch.jobs
        ? try isBeginning(journal, of: batch)
        : try journal.listDigest(first: batch.jobs) == batch.digest
      guard isSame else { continue }
      throw .listHasJournal("it is the list of the batch \(batch.name) in the same database")
    }
  }

  /// Returns what tells the journal's list from the batch's.
  func difference(
    _ list: PoolList, _ known: PoolBatch, _ journal: Journal
  ) throws(JournalError) -> String {
    if list.jobs < known.jobs, try isBeginning(journal, of: known) {
      return
        "This list has the first \(list.jobs) of the \(known.jobs) jobs of the batch \(known.name): start with the longer list."
    }
    let own = try journal.source()?.description
    var found = own?.differences(from: PooledList.description(of: known)) ?? []
    if found.isEmpty, let line = try firstDifference(journal, known) { found = [line] }
    let what = found.isEmpty ? "" : " " + found.joined(separator: "; ") + "."
    return
      "The batch \(known.name) has \(counted(known.jobs, "job")), and its rows are not those of this list with these settings.\(what) Give the list and the settings of the batch."
  }

  /// The rows of the batch that this bench has worked with are not those of the list.
  func otherRows(_ difference: SourceDifference, _ journal: Journal) -> JournalError {
    if difference.isLoss {
      let rows = difference.removed == 1 ? "row" : "\(difference.removed) rows"
      return .pool(
        .otherJobs,
        "This list lacks the last \(rows) of the batch \(address.batch): start with the longer list."
      )
    }
    return .pool(
      .otherJobs,
      "\(difference)\nIf the rows of the batch \(address.batch) are others than they were, as after an older backup was restored: set the tags aside that this bench has finished since (its journal \(journal.path) lists them), move that journal away, and start again."
    )
  }

  /// Returns whether the journal's list is the beginning of the batch's.
  private func isBeginning(
    _ journal: Journal, of known: PoolBatch
  ) throws(JournalError) -> Bool {
    let count = try journal.localTally().jobs
    guard let digest = try journal.openListDigest(first: count) else { return false }
    let store = try store(of: known)
    try store.forEachPortion(behind: count, upTo: known.jobs, JournalError.init) {
      (jobs) throws(JournalError) in
      for job in jobs { digest.add(job.digest) }
    }
    return digest.finalize() == known.digest
  }

  /// The first row of both that is not the same.
  private func firstDifference(
    _ journal: Journal, _ known: PoolBatch
  ) throws(JournalError) -> String? {
    let end = min(try journal.localTally().jobs, known.jobs)
    var found: String?
    try store(of: known).forEachPortion(behind: 0, upTo: end, JournalError.init) {
      (jobs) throws(JournalError) in
      for job in jobs where found == nil {
        guard let own = try journal.plannedJob(job.number), own.digest != job.digest else {
          continue
        }
        found =
          own.name == job.name
          ? "line \(own.line): “\(own.name.escapingControls)” has other values in the batch"
          : "line \(own.line): “\(own.name.escapingControls)” here is “\(job.name.escapingControls)” in the batch"
      }
    }
    return found
  }

  private func store(of known: PoolBatch) throws(JournalError) -> PoolStore {
    try pooled(PoolStore(address.naming(known.name), bench: ""))
  }
}
