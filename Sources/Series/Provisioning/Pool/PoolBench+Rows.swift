import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// Rows that others add to the batch while this bench works: a hub, or a bench with a longer list.
extension PoolBench {
  /// Takes up the rows that were added since; `tell` hears of how many, as they can be claimed.
  /// Returns whether the batch is closed; false, too, where the database does not answer. Throws
  /// where it goes away meanwhile: nothing is lost then.
  package func takeUpRows(_ tell: (Int) -> Void) throws(JournalError) -> Bool {
    // A database that was away may have other rows by now.
    var found: (jobs: Int, isClosed: Bool)?
    guard !isAway, ask({ () throws(PoolError) in found = try store.size() }), let size = found
    else { return false }
    try store.forEachPortion(behind: store.lastJob, upTo: size.jobs, JournalError.init) {
      (jobs) throws(JournalError) in
      try journal.add(jobs)
      store.lastJob += jobs.count
      tell(jobs.count)
    }
    return size.isClosed
  }

  /// Makes sure that a database which was away still has the rows of this bench: those that were
  /// added after a backup are missing when it was restored, and others may be in their place.
  func checkRows() throws(PoolError) {
    let (count, batch) = (store.lastJob, store.address.batch)
    let known = try store.known()
    guard known.jobs >= count else { throw .rowsMissing(batch, count - known.jobs) }
    guard state.withLock({ $0.knownList != known.digest }) else { return }
    guard
      let digest = try local(journal.openListDigest(first: count))
    else { return }
    func same(_ error: PoolError) -> PoolError { error }
    try store.forEachPortion(behind: count, upTo: known.jobs, same) { (jobs) throws(PoolError) in
      for job in jobs { digest.add(job.digest) }
    }
    guard digest.finalize() == known.digest else { throw .otherRows(batch) }
    state.withLock { $0.knownList = known.digest }
  }
}

extension PoolSeries {
  /// Has the journal take up the rows that the batch has beyond the journal's. Where those of the
  /// journal are not the batch's first rows, nothing changes.
  func takeUpRows(of known: PoolBatch, _ journal: Journal) throws(JournalError) {
    let count = try journal.localTally().jobs
    guard count < known.jobs, let digest = try journal.openListDigest(first: count) else { return }
    let store: PoolStore
    do throws(PoolError) { store = try PoolStore(address, bench: "") } catch {
      throw JournalError(error)
    }
    func forEach(_ take: ([PoolJob]) throws(JournalError) -> Void) throws(JournalError) {
      try store.forEachPortion(behind: count, upTo: known.jobs, JournalError.init, take)
    }
    try forEach { jobs in for job in jobs { digest.add(job.digest) } }
    guard digest.finalize() == known.digest else { return }
    try forEach { (jobs) throws(JournalError) in try journal.add(jobs) }
  }
}

extension Journal {
  /// Adds jobs of a pool behind the others, all of them or none.
  fileprivate func add(_ jobs: [PoolJob]) throws(JournalError) {
    try add(jobs.map { (job) throws(JournalError) in try PlannedJob(job) })
  }
}

extension PlannedJob {
  /// A job as a pool has it.
  init(_ job: PoolJob) throws(JournalError) {
    let (records, columns): ([(String, String)], [(String, String)])
    do {
      records = try StoredJob.pairs(job.texts.records)
      columns = try StoredJob.pairs(job.texts.columns)
    } catch {
      throw .sourceFailed("Row \(job.number) of the batch in the database cannot be read.")
    }
    let wanted = WantedTag(stored: job.wantedTag)
    self.init(
      number: job.number, line: job.place.line, offset: job.place.byte, name: job.name,
      message: MessageTemplate(
        records: records.map { MessageTemplate.Record(option: $0.0, text: $0.1) }),
      tagType: wanted.type, uid: wanted.uid, locks: job.locks, hasPassword: job.hasPassword,
      columns: columns.map { PlannedJob.Column(name: $0.0, value: $0.1) }, digest: job.digest)
  }
}
