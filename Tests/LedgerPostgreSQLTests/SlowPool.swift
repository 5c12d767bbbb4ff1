import Foundation
import Ledger

@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// A bench of which a station asks only when everything was told, as a quick one may do by itself;
/// or when `before` was done. With `meanwhile` the bench says nothing by itself from the question
/// about an inspected tag until that was done, too.
final class SlowPool: JobPool {
  private let bench: PoolBench
  private let before: @Sendable (PoolBench) throws(JournalError) -> Void

  private let meanwhile: (@Sendable () -> Void)?
  private let isDone = DispatchSemaphore(value: 0)

  init(
    _ bench: PoolBench, meanwhile: (@Sendable () -> Void)? = nil,
    before: @escaping @Sendable (PoolBench) throws(JournalError) -> Void = { $0.countAgain() }
  ) {
    (self.bench, self.meanwhile, self.before) = (bench, meanwhile, before)
  }

  var isAway: Bool { bench.isAway }
  var jobsLeft: Int { bench.jobsLeft }
  func countAgain() { bench.countAgain() }
  func onJobsLeft(_ handler: @escaping @Sendable (Int) -> Void) { bench.onJobsLeft(handler) }
  func isWaiting(_ number: Int) -> Bool? { bench.isWaiting(number) }
  func history(of uid: UID) throws(JournalError) -> TagHistory? { try bench.history(of: uid) }
  func job(holding digest: [UInt8]) throws(JournalError) -> Int? { try bench.job(holding: digest) }
  func tally() -> Tally? { bench.tally() }
  func lookAgain() { bench.lookAgain() }
  func retryFailed() throws(JournalError) -> Int { try bench.retryFailed() }
  func begin(_ session: JournalSession, _ run: BenchRun) throws(JournalError) {
    try bench.begin(session, run)
  }
  func end() { bench.end() }
  func poke() { bench.poke() }
  func show(_ stations: [ShownStation]) { bench.show(stations) }

  func reserve(
    for tag: PresentedTag, rewriting: Bool, wanted: Int?, _ session: JournalSession,
    _ reserveHere: () throws(JournalError) -> (ReservationOutcome, unfit: [Int])
  ) throws(JournalError) -> ReservationOutcome {
    try bench.reserve(for: tag, rewriting: rewriting, wanted: wanted, session, reserveHere)
  }

  func takeUp(
    _ tag: PresentedTag, _ session: JournalSession,
    _ takeUpHere: () throws(JournalError) -> Reservation?
  ) throws(JournalError) -> Reservation? { try bench.takeUp(tag, session, takeUpHere) }

  func confirm(_ event: Int64, ofJob number: Int) throws(JournalError) -> PoolHearing {
    if let meanwhile {
      meanwhile()
      isDone.signal()
    }
    try before(bench)
    return try bench.confirm(event, ofJob: number)
  }

  func mayInspect(_ written: WrittenTag) throws(JournalError) {
    try bench.mayInspect(written)
    guard meanwhile != nil else { return }
    let isSilent = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [bench, isDone] in
      bench.voice.withLock { _ in
        isSilent.signal()
        isDone.wait()
      }
    }
    isSilent.wait()
  }
}
