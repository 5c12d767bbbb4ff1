import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// The jobs that are claimed for this bench.
extension PoolBench {
  /// Claims jobs until this bench has `count` that no tag has. Those of a claim whose answer was
  /// lost are asked for once more.
  func claim(for tagType: String?, upTo count: Int) throws(PoolError) {
    var missing = try count - local(journal.freeClaims().count)
    while missing > 0, !state.withLock({ $0.isOver }) {
      let wanted = min(missing, PoolStore.claimedTogether)
      let claims = try store.claim(wanted, for: tagType)
      try local(journal.keep(claims, currentSession))
      missing = claims.count < wanted ? 0 : missing - wanted
    }
    try settleClaims()
  }

  /// Has the pool entrust what it has claimed for this bench, now that it is on this bench's disk.
  private func settleClaims() throws(PoolError) {
    let open = try local(journal.freeClaims())
      .filter { $0.stage == "claimed" }.map { PoolClaim(job: $0.job, epoch: $0.epoch) }
    guard !open.isEmpty else { return }
    let entrusted = try store.entrust(open)
    try local(journal.settle(open, entrusted: entrusted))
  }

  /// Asks for a job for a tag that lies there, or for the one of this number; false where the
  /// database does not answer.
  func claimNow(for tagType: String?, wanted: Int?) -> Bool {
    state.withLock { $0.tagType = tagType }
    if isAway { return false }
    return attempt { () throws(PoolError) in
      try tellAll()
      guard let wanted else {
        let held = try local(journal.freeClaims().count)
        return try claim(for: tagType, upTo: max(ahead, held + 1))
      }
      if let claim = try store.claim(job: wanted) {
        try local(journal.keep([claim], currentSession))
      }
      try settleClaims()
    }
  }

  /// Claims as many jobs again as this bench has; false where there are no more, and where the
  /// database does not answer.
  func claimMore(for tagType: String?) -> Bool {
    var isMore = false
    guard !isAway else { return false }
    return attempt { () throws(PoolError) in
      let held = try local(journal.freeClaims().count)
      try claim(for: tagType, upTo: held + max(ahead, held))
      isMore = try local(journal.freeClaims().count) > held
    } && isMore
  }

  /// Lets those of the jobs go that no tag was bound to.
  func letGo(_ jobs: Set<Int>) {
    guard !jobs.isEmpty, !isAway else { return }
    _ = attempt { () throws(PoolError) in
      let free = try local(journal.freeClaims())
        .filter { jobs.contains($0.job) }
      let gone = try store.letGo(free.map { PoolClaim(job: $0.job, epoch: $0.epoch) })
      try local(journal.forget(gone))
    }
  }

  func note(tagType: String?) { state.withLock { $0.tagType = tagType } }

  /// Which jobs are this bench's, at the beginning of a run: what the pool says.
  func findClaims() throws(PoolError) {
    let own = try store.ownClaims()
    let known = Set(own.map { $0.job })
    let held = try local(journal.freeClaims())
    try local(journal.forget(held.map(\.job).filter { !known.contains($0) }))
    try local(journal.keep(own.filter { $0.job <= store.lastJob }, currentSession))
    try settleClaims()
  }
}
