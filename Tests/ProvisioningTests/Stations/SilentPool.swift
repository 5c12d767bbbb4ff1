import Ledger
import Synchronization

@testable import LedgerSQLite
@testable import TagMemory

/// A pool that does not answer: the journal decides alone. `inspecting` is asked before an
/// inspection is recorded.
final class SilentPool: JobPool {
  private let journal = Mutex<Journal?>(nil)
  private let inspecting: @Sendable (WrittenTag) throws(JournalError) -> Void

  /// Asked when a tag is finished, with its job's number.
  let finishing = Mutex<(@Sendable (JournalSession, Int) throws -> Void)?>(nil)
  private let session = Mutex<JournalSession?>(nil)

  /// What it answers to what stations tell it.
  private let hearing: PoolHearing

  init(
    hearing: PoolHearing = .away,
    _ inspecting: @escaping @Sendable (WrittenTag) throws(JournalError) -> Void
  ) {
    (self.hearing, self.inspecting) = (hearing, inspecting)
  }

  let isAway = true
  var jobsLeft: Int { journal.withLock { (try? $0?.localTally().pending) ?? 0 } }
  func countAgain() {}
  func onJobsLeft(_ handler: @escaping @Sendable (Int) -> Void) {}
  func isWaiting(_ number: Int) -> Bool? { nil }
  func history(of uid: UID) throws(JournalError) -> TagHistory? {
    try journal.withLock { $0 }?.localHistory(of: uid)
  }
  func job(holding digest: [UInt8]) throws(JournalError) -> Int? { nil }
  func tally() -> Tally? { nil }
  func lookAgain() {}
  func retryFailed() throws(JournalError) -> Int { 0 }
  func begin(_ session: JournalSession, _ run: BenchRun) throws(JournalError) {
    journal.withLock { $0 = session.journal }
    self.session.withLock { $0 = session }
  }
  func end() {}
  func poke() {}
  func show(_ stations: [ShownStation]) {}

  func reserve(
    for tag: PresentedTag, rewriting: Bool, wanted: Int?, _ session: JournalSession,
    _ reserveHere: () throws(JournalError) -> (ReservationOutcome, unfit: [Int])
  ) throws(JournalError) -> ReservationOutcome { try reserveHere().0 }

  func takeUp(
    _ tag: PresentedTag, _ session: JournalSession,
    _ takeUpHere: () throws(JournalError) -> Reservation?
  ) throws(JournalError) -> Reservation? { try takeUpHere() }

  func confirm(_ event: Int64, ofJob number: Int) throws(JournalError) -> PoolHearing {
    guard let finishing = finishing.withLock({ $0 }), let session = session.withLock({ $0 }) else {
      return hearing
    }
    do { try finishing(session, number) } catch { throw .reservationLost(job: number) }
    return hearing
  }
  func mayInspect(_ written: WrittenTag) throws(JournalError) { try inspecting(written) }
}
