import Foundation
import Ledger
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
    InspectionFault(TagTrouble(.inspection, "It held other data."), message: message)
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
    #expect(
      try run.session.inspected(written, on: run.tag(uid), fault([1]), timing: now) == .heard)
    try waitFor { try first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: written.job.number)?.binding == nil)
    #expect(try store.isScrap(uid))
    for run in [run, other] { try run.session.end() }
    #expect(try run.journal.verify(facts: true) == [])
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.verify(facts: true) == [] && copy.report().scrap.tags.map(\.uid) == [UID(uid)])
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
    #expect(try store.standing(ofJob: number)?.binding?.tag == (isReleased ? nil : uid))
    for run in [run, other] { try run.session.end() }
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.inspection(ofJob: number) == nil && copy.verify(facts: true) == [])
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
    #expect(
      try run.session.inspected(written, on: run.tag(uid), fault([1]), timing: now) == .away)
    try other.finish(try again(other))
    network.heal()
    try waitFor { try !run.bench.isAway && first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: written.job.number)?.binding?.tag == uid)
    // No station asks for what was refused.
    #expect(run.bench.state.withLock { $0.refusals.isEmpty && $0.unasked.isEmpty })
    try expectNothingCounted(written.job.number, run.journal)
    for run in [run, other] { try run.session.end() }
    #expect(try run.journal.verify(facts: true) == [])
  }

  @Test("says that this machine's own disk failed, and not that the database is away")
  func ownDisk() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 2)
    let written = try written(run)
    let path = run.journal.path
    let slow = SlowPool(run.bench, before: { _ in _ = unsafe unlink(path) })
    run.journal.join(slow)
    let hearing = try withExtendedLifetime(slow) {
      try run.session.inspected(written, on: run.tag(uid), fault([1]), timing: now)
    }
    #expect(hearing == .failed("\(JournalError.gone(path))"))
    #expect(!run.bench.isAway)
    run.bench.abandon()
  }

  /// When a bench dies that has found a tag bad, of which the pool says that it is another one's.
  enum Death: CaseIterable, Sendable {
    case never
    /// Before the pool has heard of the tag.
    case beforeTelling
    /// Before the station has the pool's answer.
    case beforeAnswer
  }

  @Test(
    "counts nowhere where the pool refuses it at the very end, whenever the bench dies then",
    arguments: Death.allCases, [[1], nil])
  func refusedLate(death: Death, message: [UInt8]?) throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (other, number): (SampleBench.Run, Int)
    do {
      let run = try first.begin(jobs: 2)
      let written = try written(run)
      (other, number) = (try second.begin(jobs: 2), written.job.number)
      // The pool had the tag as the bench has it a moment before.
      let goOn = { @Sendable [self] () -> Void in
        do { try other.finish(again(other)) } catch { Issue.record(error) }
      }
      let slow = SlowPool(run.bench, meanwhile: goOn) { (bench) throws(JournalError) in
        switch death {
        case .never: return
        case .beforeTelling: break
        case .beforeAnswer: bench.countAgain()
        }
        throw .missing(bench.journal.path)
      }
      run.journal.join(slow)
      let error = #expect(throws: JournalError.self) {
        try withExtendedLifetime(slow) {
          try run.session.inspected(written, on: run.tag(uid), fault(message), timing: now)
        }
      }
      if death == .never {
        #expect(error == .reservationLost(job: number))
        run.journal.join(run.bench)
        try run.session.end()
      } else {
        run.bench.abandon()
      }
    }
    let run = try first.begin(jobs: 2)
    try waitFor { try first.isTold(run) }
    try expectNothingCounted(number, run.journal)
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: number)?.binding?.tag == uid)
    #expect(try !store.isScrap(uid))
    for run in [run, other] { try run.session.end() }
  }

  @Test(
    "is reported again after an older backup of the database was restored",
    arguments: [false, true], [false, true])
  func restored(isOwnRun: Bool, isGood: Bool) throws {
    let bench = SampleBench(text)
    func inspect(_ run: SampleBench.Run, _ written: WrittenTag) throws {
      _ = try run.session.inspected(
        written, on: run.tag(uid), isGood ? nil : fault([1]), timing: now)
    }
    try bench.begin(jobs: 2).session.end()
    var backup = isOwnRun ? "" : try server.backUp(database)
    let number: Int
    do {
      let run = try bench.begin(jobs: 2)
      let written = try written(run)
      number = written.job.number
      if !isOwnRun { try inspect(run, written) }
      try run.session.end()
    }
    if isOwnRun {
      backup = try server.backUp(database)
      let run = try bench.begin(jobs: 2)
      try inspect(run, #require(try run.journal.inspectionsDue().first))
      try run.session.end()
    }
    let before = try Journal(at: text, access: .readOnly)
    #expect(try before.inspection(ofJob: number)?.isGood == isGood)
    try server.restore(database, from: backup)
    try bench.begin(jobs: 2).session.end()
    let after = try Journal(at: text, access: .readOnly)
    #expect(try after.inspection(ofJob: number) == before.inspection(ofJob: number))
    #expect(try after.report().inspections == before.report().inspections)
    #expect(try after.verify(facts: true) == [])
  }

  private func expectNothingCounted(_ number: Int, _ journal: Journal) throws {
    let copy = try Journal(at: text, access: .readOnly)
    for journal in [journal, copy] {
      #expect(try journal.inspection(ofJob: number) == nil)
      let report = try journal.report()
      #expect(report.inspections.bad == 0 && report.inspections.faults.isEmpty)
      #expect(report.scrap.count == 0)
      #expect(try journal.verify(facts: true) == [])
    }
  }
}
