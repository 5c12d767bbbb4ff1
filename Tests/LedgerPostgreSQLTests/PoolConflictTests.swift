import Foundation
import HubKit
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import SeriesReports
@testable import TagMemory

@Suite(
  "What a bench says of a tag when others have gone on", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolConflictTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  /// Has `run` notice that its network is cut.
  private func notice(_ run: SampleBench.Run) throws {
    _ = try run.journal.history(of: UID(uid(99)))
    try waitFor { run.bench.isAway }
  }

  private func isConflict(_ news: PoolNews) -> Bool {
    if case .conflict = news { true } else { false }
  }

  @Test("sets aside what the pool contradicts, and says which tag; nothing is merged")
  func conflict() throws {
    let network = try Network(to: server.port)
    let (lost, other) = (SampleBench(pool.text(through: network)), SampleBench(text))
    let run = try lost.begin(jobs: 1)
    network.cut()
    // Nobody answers: the first one who asks finds that out.
    _ = try run.journal.history(of: UID(uid(9)))
    let reservation = try #require(try run.reserve(uid(1)))
    try run.finish(reservation)
    // An operator gives the bench up although it works.
    let owner = try server.owner(of: address)
    try owner.run("UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
    let store = try PoolStore(address, bench: "operator")
    #expect(try store.release(bench: run.bench.name, at: 0) == 1)
    let second = try other.begin(jobs: 1)
    let given = try #require(try second.reserve(uid(2)))
    try second.finish(given)
    network.heal()
    try waitFor {
      lost.news.withLock { news in
        news.contains { if case .conflict(1, UID(uid(1)), _) = $0 { true } else { false } }
      }
    }
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(2))
    // It is said before it is noted.
    try waitFor {
      if case .scrap? = try run.journal.history(of: UID(uid(1))) { true } else { false }
    }
    guard case .scrap(let tag)? = try run.journal.history(of: UID(uid(1))) else {
      Issue.record("the tag may be used")
      return
    }
    #expect(tag.trouble.cause == "conflict")
    #expect(try run.reserve(uid(1)) == nil)
    // Both know that it is not to be used, and its job is no longer waited for.
    #expect(try run.journal.reservations().isEmpty)
    #expect(try second.reserve(uid(1)) == nil)
    try run.session.end()
    try second.session.end()
    let copy = try Journal(at: text, access: .readOnly)
    // The tag counts once.
    let report = try copy.report()
    #expect(report.scrap.tags.map(\.uid) == [UID(uid(1))])
    #expect(report.failures.map(\.name) == ["conflict"] && report.failures.first?.count == 1)
    #expect(!report.reasons.contains { $0.name == "conflict" })
    #expect(try copy.verify(facts: true) == [] && run.journal.verify(facts: true) == [])
    #expect(try store.tally() == ["written": 1])
    // A hub says the same.
    let hub = try pool.hub()
    let events = try hub.events(of: "A17", after: 0, limit: 99)
    let told = try #require(events.last { $0.event.cause == "conflict" })
    #expect(told.event.tag == uid(1) && told.isScrap)
    let board = BoardHistory(recent: [told]).board(of: try hub.batch("A17"), runs: [], now: 0)
    #expect(board.stations.map(\.word) == [.fail] && board.stations.map(\.bin) == [.bin])
  }

  @Test("says of no tag that it is finished which the pool has contradicted a moment before")
  func finishedTooLate() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let run = try first.begin(jobs: 1)
    let slow = SlowPool(run.bench)
    run.journal.join(slow)
    let reservation = try #require(try run.reserve(uid(1)))
    let store = try PoolStore(address, bench: "operator")
    let other = try second.begin(jobs: 1)
    var theirs: Reservation?
    // The first bench may claim the job again before the other does.
    try waitFor {
      try server.owner(of: address).run(
        "UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
      _ = try? store.release(bench: run.bench.name, at: 0)
      theirs = try other.reserve(uid(2))
      return theirs != nil
    }
    try other.finish(try #require(theirs))
    #expect(throws: JournalError.reservationLost(job: 1)) { try run.finish(reservation) }
    #expect(try run.journal.isInConflict(uid(1)))
    for run in [run, other] { try run.session.end() }
    #expect(try store.tally() == ["written": 1])
  }

  @Test("leaves a tag alone that two benches claim, also where tags are to be written again")
  func rewriting() throws {
    let network = try Network(to: server.port)
    let (first, second) = (
      SampleBench(pool.text(through: network)), SampleBench(text)
    )
    let run = try first.begin(jobs: 2, ahead: 1)
    try waitFor { try run.journal.freeClaims().allSatisfy { $0.stage == "entrusted" } }
    network.cut()
    try notice(run)
    try run.finish(try #require(try run.reserve(uid(1))))
    let other = try second.begin(jobs: 2, ahead: 1)
    let theirs = try #require(try other.reserve(uid(1)))
    #expect(theirs.job.number == 2)
    try other.finish(theirs)
    network.heal()
    try waitFor { try !run.bench.isAway && first.isTold(run) }
    #expect(try run.journal.isInConflict(uid(1)))
    let outcome = try run.session.reserve(for: run.tag(uid(1)), rewriting: true) {
      (job, _) throws(JobRefusal) in SampleList.message(job.number)
    }
    guard case .left = outcome else {
      Issue.record("\(outcome)")
      return
    }
    for run in [run, other] { try run.session.end() }
  }

  @Test("knows a tag that another bench has taken up for no scrap of its own")
  func ownScrap() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let run = try first.begin(jobs: 3, ahead: 1)
    let bad = try #require(try run.reserve(uid(1)))
    try run.session.giveBack(
      bad, because: TagTrouble(.mismatch, "It kept something else."), isScrap: true,
      timing: Timing(started: .now, duration: .zero))
    try waitFor { try first.isTold(run) }
    // The owner of the database says that the tag is good after all.
    try server.owner(of: address).run(
      """
      ALTER TABLE nfcprog.event DISABLE TRIGGER USER;
      UPDATE nfcprog.event SET sets_aside = false;
      ALTER TABLE nfcprog.event ENABLE TRIGGER USER
      """)
    let other = try second.begin(jobs: 3, ahead: 1)
    let held = try #require(try other.reserve(uid(1)))
    try other.hold(held)
    try waitFor { try second.isTold(other) }
    let taken = try run.session.takeUp(run.tag(uid(1)), holding: held.message)
    #expect(taken?.job.number == held.job.number)
    func hasTag(_ digest: [UInt8]) throws -> Bool {
      try run.journal.hasTag(uid(1), withJob: held.job.number, digest, isWritten: false)
    }
    #expect(try hasTag(held.digest))
    #expect(try !hasTag(bad.digest.reversed()))
    #expect(try run.journal.verify(facts: true) == [])
    try run.finish(try #require(taken))
    for run in [run, other] { try run.session.end() }
  }

  @Test("keeps a job that it got anew after an operator had released it from a tag")
  func claimedAnew() throws {
    let bench = SampleBench(text)
    let name: String
    do {
      let run = try bench.begin(jobs: 1)
      name = run.bench.name
      let held = try #require(try run.reserve(uid(1)))
      try run.hold(held)
      try run.session.end()
    }
    let store = try PoolStore(address, bench: "operator")
    #expect(try store.release(bench: name, at: 0) == 1)
    // The answer to this claim was lost.
    #expect(try PoolStore(address, bench: name).claim(1, for: nil).count == 1)
    let run = try bench.begin(jobs: 1)
    #expect(run.bench.name == name)
    try run.finish(try #require(try run.reserve(uid(2))))
    try run.session.end()
    #expect(try store.tally() == ["written": 1])
  }

  @Test("says no late word on a tag that another bench has finished", arguments: [false, true])
  func lateWord(isReleased: Bool) throws {
    let network = try Network(to: server.port)
    let (first, second) = (SampleBench(pool.text(through: network)), SampleBench(text))
    let run = try first.begin(jobs: 5)
    let reservation = try #require(try run.reserve(uid(1)))
    try run.hold(reservation)
    try waitFor { try first.isTold(run) }
    network.cut()
    try notice(run)
    if isReleased {
      #expect(try run.session.release(.jobs([reservation.job.number])).count == 1)
    } else {
      // The tag was there again, and the database was not: nothing was written.
      let again = try run.session.takeUp(run.tag(uid(1)), holding: reservation.message)
      #expect(again == nil)
      #expect(try run.reserve(uid(1)) == nil)
    }
    let other = try second.begin(jobs: 5)
    try other.finish(try #require(try other.reserve(uid(1))))
    network.heal()
    try waitFor { try !run.bench.isAway && first.isTold(run) }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally()["written"] == 1)
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(1))
    #expect(first.news.withLock { $0.contains(where: isConflict) } == false)
    #expect(try run.journal.reservations().isEmpty)
    for run in [run, other] { try run.session.end() }
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("takes a tag back that another bench had meanwhile, and finishes it")
  func backAndForth() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (run, other) = (try first.begin(jobs: 5), try second.begin(jobs: 5))
    for (bench, turn) in [(first, run), (second, other), (first, run), (second, other)] {
      let reservation = try #require(try turn.reserve(uid(1)))
      #expect(reservation.job.number == 1)
      try turn.hold(reservation)
      try waitFor { try bench.isTold(turn) }
    }
    try run.finish(try #require(try run.reserve(uid(1))))
    for run in [run, other] { try run.session.end() }
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 1, "pending": 4])
    for run in [run, other] { #expect(try run.journal.reservations().isEmpty) }
  }

  @Test("gives a job free that it had for a tag which others have used since")
  func givenBack() throws {
    let network = try Network(to: server.port)
    let (first, second) = (SampleBench(pool.text(through: network)), SampleBench(text))
    let run = try first.begin(jobs: 6, ahead: 2)
    try waitFor { try run.journal.freeClaims().allSatisfy { $0.stage == "entrusted" } }
    network.cut()
    try notice(run)
    let failed = try #require(try run.reserve(uid(1)))
    try run.giveBack(failed)
    let other = try second.begin(jobs: 6)
    let used = try #require(try other.reserve(uid(1)))
    try other.finish(used)
    network.heal()
    try waitFor { try !run.bench.isAway && first.isTold(run) }
    #expect(first.news.withLock { $0.contains(where: isConflict) } == false)
    try expectSameClaims(run)
    try run.session.end()
    try other.write(2...6)
    try other.session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally() == ["written": 6])
    #expect(try store.standing(ofJob: used.job.number)?.binding?.tag == uid(1))
  }

  /// The pool keeps no job for the bench that its journal does not have.
  private func expectSameClaims(_ run: SampleBench.Run) throws {
    let store = try PoolStore(address, bench: run.bench.name)
    try waitFor { try store.ownClaims().map(\.job) == run.journal.freeClaims().map(\.job) }
  }

  @Test("keeps a job for the next tag where another bench took the tag a moment before")
  func takenMeanwhile() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (run, other) = (try first.begin(jobs: 6, ahead: 1), try second.begin(jobs: 6, ahead: 1))
    var number: Int?
    let outcome = try run.session.reserve(for: run.tag(uid(1))) { (job, _) throws(JobRefusal) in
      if number == nil {
        number = job.number
        do { try other.write(1...1) } catch { Issue.record(error) }
      }
      return SampleList.message(job.number)
    }
    if case .reserved = outcome { Issue.record("\(outcome)") }
    #expect(try run.reserve(uid(2))?.job.number == number)
    try expectSameClaims(run)
    for run in [run, other] { try run.session.end() }
  }

  @Test("puts another job on a tag where its claim was taken away meanwhile")
  func fenced() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 9, ahead: 2)
    try waitFor { try run.journal.freeClaims().allSatisfy { $0.stage == "entrusted" } }
    try server.owner(of: address).run(
      """
      UPDATE nfcprog.job SET state = 'pending', bench = NULL, lease_until = NULL, epoch = epoch + 1
      WHERE state = 'claimed'
      """)
    let reservation = try #require(try run.reserve(uid(1)))
    let store = try PoolStore(address, bench: "looker")
    #expect(
      try store.standing(ofJob: reservation.job.number)?.binding?.tag == uid(1))
    try run.finish(reservation)
    #expect(bench.news.withLock { $0 } == [])
    try run.session.end()
    #expect(try store.tally() == ["written": 1, "pending": 8])
    #expect(try store.scrapCount() == 0)
  }

  @Test("gives a job back at the end that the pool claimed anew for a tag whose claim was void")
  func claimedUnseen() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 9, ahead: 2)
    try waitFor { try run.journal.freeClaims().allSatisfy { $0.stage == "entrusted" } }
    let job = try #require(try run.journal.freeClaims().first?.job)
    try server.owner(of: address).run(
      """
      UPDATE nfcprog.job SET state = 'pending', bench = NULL, lease_until = NULL, epoch = epoch + 1
      WHERE number = \(job)
      """)
    #expect(try PoolStore(address, bench: run.bench.name).claim(job: job) != nil)
    let reservation = try #require(try run.reserve(uid(1)))
    #expect(reservation.job.number != job)
    try run.finish(reservation)
    try run.session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally() == ["written": 1, "pending": 8])
  }

  @Test("takes up a job that failed here and was said to be tried again elsewhere")
  func retried() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let run = try first.begin(jobs: 3, ahead: 3)
    try waitFor { try run.journal.freeClaims().count == 3 }
    try run.session.fail(SampleList.job(1), because: TagTrouble(.defectiveJob, "No URL."))
    try waitFor { try first.isTold(run) }
    let other = try second.begin(jobs: 3)
    #expect(try other.session.retryFailed() == 1)
    try other.session.end()
    var jobs: Set<Int> = []
    for number in UInt8(1)...3 {
      let reservation = try #require(try run.reserve(uid(number)))
      try run.finish(reservation)
      jobs.insert(reservation.job.number)
    }
    #expect(jobs == [1, 2, 3])
    try run.session.end()
    #expect(try run.journal.verify(facts: true) == [])
  }

  @Test("leaves a tag alone whose job it has no row of, and works on")
  func unknownRow() throws {
    let (short, long) = (SampleBench(text), SampleBench(text))
    let run = try short.begin(jobs: 2, ahead: 2)
    let other = try long.begin(jobs: 3, extending: true)
    let reservation = try #require(try other.reserve(uid(1)))
    #expect(reservation.job.number == 3)
    try other.finish(reservation)
    #expect(try run.journal.history(of: UID(uid(1))) == nil)
    var outcome: ReservationOutcome?
    #expect(try run.reserve(uid(1), outcome: &outcome) == nil)
    guard case .left(let trouble)? = outcome, trouble.text.hasSuffix(PoolBench.rowsUnknown)
    else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    try run.write(2...3)
    for run in [run, other] { try run.session.end() }
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 3])
  }

  @Test("does not count as at work once it has ended")
  func ended() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 3)
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.benches().map(\.isAlive) == [true])
    try run.session.end()
    #expect(try store.benches().map(\.isAlive) == [false])
  }
}
