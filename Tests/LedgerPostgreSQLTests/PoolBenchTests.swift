import Foundation
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A bench of a pool", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolBenchTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  @Test("binds a job in the database before its tag is written, and says when it is finished")
  func order() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 5)
    let store = try PoolStore(address, bench: "looker")
    let reservation = try #require(try run.reserve(uid(1)))
    #expect(try store.standing(ofJob: reservation.job.number)?.binding?.tag == uid(1))
    try run.finish(reservation)
    #expect(try store.tally()["written"] == 1)
    try run.session.end()
    #expect(try store.tally() == ["written": 1, "pending": 4])
  }

  @Test("says what its stations show, and only what they show last once the database is back")
  func stations() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 5)
    let viewer = try PoolViewer(address)
    let batch = try viewer.batch("A17")
    func show(_ word: String, at time: Int64) throws {
      try run.session.show([ShownStation(name: "1", word: word, since: time)])
    }
    func shown() throws -> [String] {
      try viewer.stations(of: batch, limit: 9).map(\.shown.word)
    }
    try show("lost", at: 1)
    try waitFor { try shown() == ["lost"] }
    #expect(try shown() == ["lost"])
    try show("place", at: 2)
    try show("printer", at: 3)
    try run.session.end()
    #expect(try shown() == ["printer"])
  }

  @Test("leaves nothing on its disk or in the pool of a list that fails as it is loaded")
  func failedLoad() throws {
    let bench = SampleBench(text)
    let pools = bench.folder + "/nfcprog/pools"
    #expect(throws: JournalError.sourceFailed("The file is gone.")) {
      _ = try bench.open { (_, _) throws(JournalError) in
        #expect((try? FileManager.default.contentsOfDirectory(atPath: pools).count) == 1)
        throw .sourceFailed("The file is gone.")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: pools).isEmpty)
    #expect(try PoolStore.batch(at: address) == nil)
    let run = try bench.begin(jobs: 5)
    _ = try #require(try run.reserve(uid(1)))
    try run.session.end()
  }

  @Test("removes no journal but its own, where its list fails and others have begun beside it")
  func failedBesideOthers() throws {
    let bench = SampleBench(text)
    let pools = bench.folder + "/nfcprog/pools"
    let series = try PoolSeries(bench.address, state: bench.folder, extending: false, ahead: 4) {
      _ in
    }
    var other: SlotLock?
    #expect(throws: JournalError.sourceFailed("The answer was lost.")) {
      _ = try series.open { (journal, _) throws(JournalError) in
        // Another program of this machine finds the batch.
        let folder = URL(filePath: journal.path).deletingLastPathComponent().path
        other = SlotLock(firstIn: folder)
        let path = other?.journal ?? ""
        #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
        throw .sourceFailed("The answer was lost.")
      }
    }
    let folder = try #require(FileManager.default.contentsOfDirectory(atPath: pools).first)
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(pools)/\(folder)")
    #expect(files.sorted() == ["bench-2.journal", "bench-2.lock"])
    #expect(other != nil)
  }

  @Test("takes its folder away with its place where that was the only one")
  func removedPlace() throws {
    let folder = NSTemporaryDirectory() + "places-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try #require(SlotLock(firstIn: folder))
    #expect(SlotLock(left: 1, in: folder) == nil)
    first.removePlace()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("has a name that no other has, on machines of one name, too")
  func name() {
    let names = (1...100).map { _ in PoolSeries.newName }
    #expect(Set(names).count == 100)
    let host = ProcessIdentity.current.host
    #expect(names.allSatisfy { $0.hasPrefix(host + "-") && $0.count == host.count + 17 })
  }

  @Test(
    "says that no job is left where the others have them all, and that none fits where one waits")
  func noJob() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let other = try first.begin(jobs: 5, ahead: 5)
    let run = try second.begin(jobs: 5)
    var outcome: ReservationOutcome?
    // Four are claimed by the other bench, one is on its tag.
    let reservation = try #require(try other.reserve(uid(1)))
    #expect(try run.reserve(uid(2), outcome: &outcome) == nil)
    guard case .left(TagTrouble(.noJob, PoolBench.claimedElsewhere)) = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    // All are on tags, one of them unfinished: the bench knows of none of it by itself.
    for number in UInt8(3)...6 { try other.finish(#require(try other.reserve(uid(number)))) }
    #expect(try run.reserve(uid(7), outcome: &outcome) == nil)
    guard case .nothingLeft = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(run.bench.jobsLeft == 0)
    // The last one waits for another type of tag, as soon as it waits at all.
    _ = try server.owner(of: address).query(
      "UPDATE nfcprog.job SET wanted_tag = 'ntag216' WHERE number = \(reservation.job.number)")
    try other.session.giveBack(
      reservation, because: TagTrouble(.lost, "It was taken away."), isScrap: true,
      timing: Timing(started: .now, duration: .zero))
    try waitFor { try first.isTold(other) }
    try other.session.end()
    #expect(try run.reserve(uid(8), outcome: &outcome) == nil)
    guard case .nothingFits = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    try run.session.end()
  }

  @Test("goes on with the tag that another bench held, and that one drops it")
  func handedOver() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    let run = try first.begin(jobs: 5)
    let reservation = try #require(try run.reserve(uid(1)))
    try run.hold(reservation)
    let store = try PoolStore(address, bench: "looker")
    try waitFor {
      if case .held? = try store.standing(ofJob: reservation.job.number)?.state {
        true
      } else {
        false
      }
    }
    let other = try second.begin(jobs: 5)
    let taken = try #require(try other.reserve(uid(1)))
    #expect(taken.job.number == reservation.job.number)
    #expect(taken.message == reservation.message)
    // The first one's word on it is void, and no conflict.
    #expect(throws: (any Error).self) { try run.finish(reservation) }
    try other.finish(taken)
    #expect(try run.journal.reservations().isEmpty)
    guard case .written(let known)? = try run.journal.history(of: UID(uid(1))) else {
      Issue.record("the first bench does not know of it")
      return
    }
    #expect(known.job.number == taken.job.number)
    try run.session.end()
    try other.session.end()
    #expect(try store.tally() == ["written": 1, "pending": 4])
  }

  @Test(
    "without the database: new tags get what is claimed, tags with a job wait, nothing is claimed")
  func away() throws {
    let network = try Network(to: server.port)
    let bench = SampleBench(pool.text(through: network))
    let run = try bench.begin(jobs: 9, ahead: 3)
    let held = try #require(try run.reserve(uid(1)))
    try run.hold(held)
    try waitFor { try run.journal.freeClaims().filter { $0.stage == "entrusted" }.count == 3 }
    try waitFor { try run.journal.untoldCount() == 0 }
    network.cut()
    for number in 2...4 {
      try run.finish(try #require(try run.reserve(uid(UInt8(number)))))
    }
    var outcome: ReservationOutcome?
    #expect(try run.reserve(uid(5), outcome: &outcome) == nil)
    guard case .left(TagTrouble(.database, PoolBench.nothingClaimed))? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(try run.reserve(uid(1), outcome: &outcome) == nil)
    guard case .left(TagTrouble(.database, PoolBench.needsDatabase))? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(try run.journal.jobsLeft() > 0)
    network.heal()
    try waitFor { try run.bench.isAway == false && run.journal.untoldCount() == 0 }
    try run.finish(try #require(try run.reserve(uid(1))))
    try run.finish(try #require(try run.reserve(uid(5))))
    try run.session.end()
    let news = bench.news.withLock { $0 }
    #expect(news.count == 2)
    guard case .away(_, jobs: 3)? = news.first, news.last == .back else {
      Issue.record("\(news)")
      return
    }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally() == ["written": 5, "pending": 4])
  }

  @Test("takes the right list after a wrong one, and no rows for a closed batch")
  func wrongList() throws {
    let (first, bench) = (SampleBench(text), SampleBench(text))
    try first.begin(jobs: 5).session.end()
    for _ in 1...2 {
      #expect(throws: JournalError.self) { try bench.open(codes: [1, 2, 103, 4, 5]) }
    }
    do {
      let right = try bench.open(codes: [1, 2, 3, 4, 5])
      try right.journal.begin(operator: "Ann", command: "test", version: "1").end()
    }
    try server.owner(of: address).run("UPDATE nfcprog.batch SET closed_at = 1")
    #expect(throws: JournalError.pool(.otherJobs, "\(PoolError.closed("A17"))")) {
      try bench.open(codes: [1, 2, 3, 4, 5, 6], extending: true)
    }
    #expect(try PoolStore.batch(at: address)?.jobs == 5)
  }

  @Test("counts all jobs that are left, however many, with the database and without it")
  func manyLeft() throws {
    let network = try Network(to: server.port)
    let run = try SampleBench(pool.text(through: network)).begin(jobs: 2500)
    #expect(run.bench.jobsLeft == 2500)
    try run.write(1...2)
    run.bench.countAgain()
    #expect(run.bench.jobsLeft == 2498)
    network.cut()
    _ = try run.journal.history(of: UID(uid(9)))
    try waitFor { run.bench.isAway }
    try run.write(3...3)
    #expect(run.bench.jobsLeft == 2497)
    network.heal()
    try waitFor { try !run.bench.isAway && run.journal.untoldCount() == 0 }
    run.bench.countAgain()
    #expect(run.bench.jobsLeft == 2497)
    try run.session.end()
  }

  @Test("has its inspections told, once as they were last")
  func inspections() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 2)
    let reservation = try #require(try run.reserve(uid(1)))
    let written = try run.session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: Timing(started: .now, duration: .zero), inspecting: .first)
    try waitFor { try bench.isTold(run) }
    try run.session.inspected(
      written, on: run.tag(uid(1)), nil, timing: Timing(started: .now, duration: .zero))
    try run.session.end()
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.inspection(ofJob: reservation.job.number)?.isGood == true)
    // Today's, and of the same copy.
    let report = try copy.report()
    #expect(report.inconsistencies == [] && report.created.timeIntervalSince1970 > 1_700_000_000)
    #expect(try copy.verify(facts: true) == [])
  }
}
