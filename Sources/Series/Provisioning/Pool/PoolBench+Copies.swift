import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// A bench whose journal is not the only one of its name, or has lost what was written to it: it
/// gives no job to a tag any more.
extension PoolBench {
  /// Throws where the pool has heard of the bench what its journal does not have.
  func checkUse() throws(JournalError) { if isCopied { throw JournalError(.copied) } }

  var isCopied: Bool { state.withLock { $0.isCopied } }

  /// Throws where somebody works with a copy of this bench's journal: the pool knows of a run that
  /// this journal does not have.
  func checkTwins() throws(PoolError) {
    let told = try store.sessions()
    guard try !local(journal.lacksRun(of: told)) else { throw .copied }
  }

  /// The pool has heard of other things from whoever works with the other journal. What happened
  /// here, and can be told no more, may have put jobs on tags that others have: those tags are set
  /// aside. What fails of it is done another time.
  func giveUp() {
    state.withLock { ($0.isCopied, $0.leavesTags) = (true, true) }
    guard (try? setAsideUntold()) != nil else { return }
    state.withLock { $0.leavesTags = false }
  }

  private func setAsideUntold() throws(PoolError) {
    var place = max(try local(journal.told()), state.withLock { $0.toldUpTo })
    let runs = try store.sessions()
    while true {
      let untold = try local(journal.untold(after: place, limit: Self.together))
      guard let last = untold.last else { break }
      for untold in untold where untold.event.what.kind == .reserved {
        try setAside(untold, runs)
      }
      place = last.event.number
    }
  }

  /// Of a tag whose station waits for the pool's word nothing was written.
  private func setAside(_ untold: Journal.Untold, _ runs: Set<[UInt8]>) throws(PoolError) {
    let isWaiting = state.withLock { $0.waiting.contains(untold.event.number) }
    guard !isWaiting, let job = untold.event.job, let tag = untold.event.tag else { return }
    let known = try store.standing(ofJob: job)?.binding?.tag
    guard known != tag, try contradict(.fenced, of: job, on: tag) else { return }
    var event = passed(untold, .conflict, LedgerRefusal.fenced.sentence, setsAside: true)
    event.number = 0
    event.run = event.run.flatMap { runs.contains($0) ? $0 : nil }
    try store.tell(EventID(), event)
  }
}
