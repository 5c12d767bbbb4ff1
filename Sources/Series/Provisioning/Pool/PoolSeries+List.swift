import Bytes
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// The list of a bench, and the batch's.
extension PoolSeries {
  /// Makes sure that the batch has the journal's list; it gets rows that were added.
  func bringTogether(
    _ journal: Journal, _ known: PoolBatch
  ) throws(JournalError) {
    guard let list else { return try compare(journal.poolList(), known, journal) }
    // It is the batch's by itself, and may have grown since it was read.
    guard list.identity == known.identity else { throw .pool(.noBatch, Self.madeAnew) }
  }

  private func compare(
    _ list: PoolList, _ known: PoolBatch, _ journal: Journal
  ) throws(JournalError) {
    if list.digest == known.digest, list.jobs == known.jobs { return }
    guard list.jobs > known.jobs, try journal.listDigest(first: known.jobs) == known.digest else {
      throw .pool(.otherJobs, try difference(list, known, journal))
    }
    guard extends else {
      throw .pool(
        .otherJobs,
        "The list has \(counted(list.jobs - known.jobs, "row")) more than the batch \(address.batch): give --extend to take them up."
      )
    }
    try PoolStore.extend(
      list, beyond: known, at: address, waiting: sayWaiting(), JournalError.init
    ) { (take) throws(JournalError) in try hand(journal, behind: known.jobs, to: take) }
  }

  /// Says the first time that it is called that another bench is waited for.
  private func sayWaiting() -> () -> Void {
    var isSaid = false
    return {
      if !isSaid { tell(.waiting) }
      isSaid = true
    }
  }

  /// Loads the batch, once an empty journal has taken the list up and `check` has thrown nothing:
  /// both may take long, and others wait while a batch is loaded.
  func load(
    _ identity: [UInt8], _ journal: Journal, _ adopt: Adopting,
    _ check: () throws(JournalError) -> Void
  ) throws(JournalError) {
    try adopt(journal, false)
    try check()
    try PoolStore.load(
      journal.poolList(), identity: identity, at: address, waiting: sayWaiting(), JournalError.init
    ) { (take) throws(JournalError) in try hand(journal, behind: 0, to: take) }
  }

  /// Hands the jobs of the journal behind a number to the pool, in order.
  private func hand(
    _ journal: Journal, behind number: Int, to take: JobTaker<JournalError>
  ) throws(JournalError) {
    try journal.forEachJob(behind: number) { job in
      try take(PoolJob(job)) {
        lostBatches == .ignored ? nil : MessagesOnTags.digest(of: job, files)
      }
      return true
    }
  }
}

extension Journal {
  /// The list as a pool knows it.
  func poolList() throws(JournalError) -> PoolList {
    let count = try localTally().jobs
    let known = try source()
    var list = PoolList(
      kind: known?.description.kind ?? "", source: known?.description.name ?? "",
      settings: known?.description.storedSettings ?? "[]",
      digest: try listDigest(first: count) ?? [], jobs: count)
    list.adopted = known?.adopted ?? 0
    return list
  }
}
