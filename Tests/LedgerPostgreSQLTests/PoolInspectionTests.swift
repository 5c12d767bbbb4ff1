import Foundation
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "The inspection of a tag that others have gone on with", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolInspectionTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  private let uid: [UInt8] = [0x04, 0, 0, 0, 0, 0, 1]
  private let now = Timing(started: .now, duration: .zero)

  private func fault(_ message: [UInt8]?) -> InspectionFault {
    InspectionFault(TagTrouble("inspection", "It held other data."), message: message)
  }

  /// The tag, finished and due for its inspection at `run`.
  private func written(_ run: SampleBench.Run) throws -> WrittenTag {
    let reservation = try #require(try run.reserve(uid))
    return try run.session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: now, inspecting: .first)
  }

  /// The tag gets its job once more at `run`.
  private func again(_ run: SampleBench.Run) throws -> Reservation {
    let outcome = try run.session.reserve(for: run.tag(uid), rewriting: true) {
      (job, _) throws(JobRefusal) in SampleList.message(job.number)
    }
    guard case .reserved(let reservation) = outcome else { throw Unexpected(outcome: outcome) }
    return reservation
  }

  private struct Unexpected: Error { let outcome: ReservationOutcome }

  @Test("gives the job of a bad tag to the next, whichever bench has written the tag last")
  func rewritten() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (run, other) = (try first.begin(jobs: 2), try second.begin(jobs: 2))
    let written = try written(run)
    try other.finish(try again(other))
    #expect(try run.session.inspected(written, on: run.tag(uid), fault([1]), timing: now))
    try waitFor { try first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: written.job.number)?.state.binding == nil)
    #expect(try store.isScrap(uid))
    for run in [run, other] { try run.session.end() }
    #expect(try run.journal.verify() == [])
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.verify() == [] && copy.report().scrap.tags.map(\.uid) == [UID(uid)])
  }

  @Test(
    "does not count where another bench works on the tag, or its job was released",
    arguments: [false, true], [false, true])
  func inOtherHands(isReleased: Bool, isGood: Bool) throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (run, other) = (try first.begin(jobs: 2), try second.begin(jobs: 2))
    let written = try written(run)
    let number = written.job.number
    _ = try again(other)
    if isReleased {
      _ = try other.session.release(.jobs([number]))
      try waitFor { try second.isTold(other) }
    }
    #expect(throws: JournalError.reservationLost(job: number)) {
      try run.session.inspected(
        written, on: run.tag(uid), isGood ? nil : fault([1]), timing: now)
    }
    #expect(try run.journal.inspectionsDue().isEmpty)
    try waitFor { try first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: number)?.state.binding?.tag == (isReleased ? nil : uid))
    for run in [run, other] { try run.session.end() }
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.inspection(ofJob: number) == nil && copy.verify() == [])
  }

  @Test(
    "the pool refuses an inspection made without it, where another bench has written the tag since")
  func away() throws {
    let network = try Network(to: server.port)
    let (first, second) = (
      SampleBench(pool.text(through: network)), SampleBench(text)
    )
    let (run, other) = (try first.begin(jobs: 2), try second.begin(jobs: 2))
    let written = try written(run)
    try waitFor { try first.isTold(run) }
    network.cut()
    _ = try run.journal.history(of: UID([0x04, 0, 0, 0, 0, 0, 9]))
    #expect(!(try run.session.inspected(written, on: run.tag(uid), fault([1]), timing: now)))
    try other.finish(try again(other))
    network.heal()
    try waitFor { try !run.bench.isAway && first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: written.job.number)?.state.binding?.tag == uid)
    // No station asks for what was refused.
    #expect(run.bench.state.withLock { $0.refusals.isEmpty && $0.unasked.isEmpty })
    for run in [run, other] { try run.session.end() }
    #expect(try run.journal.verify() == [])
  }
}
