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
struct PoolBenchTests {
  let server: PostgresServer
  let address: PoolAddress
  let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    address = try server.pool("A17")
    database = address.connection.split(separator: "/").last.map(String.init) ?? ""
  }

  private func uid(_ number: UInt8) -> [UInt8] { [0x04, 0, 0, 0, 0, 0, number] }

  @Test("binds a job in the database before its tag is written, and says when it is finished")
  func order() throws {
    let bench = SampleBench(server.addressText(database, "A17"))
    let run = try bench.begin(jobs: 5)
    let store = try PoolStore(address, bench: "looker")
    let reservation = try #require(try run.reserve(uid(1)))
    #expect(try store.standing(ofJob: reservation.job.number)?.state.binding?.tag == uid(1))
    try run.finish(reservation)
    #expect(try store.tally()["written"] == 1)
    try run.session.end()
    #expect(try store.tally() == ["written": 1, "pending": 4])
  }

  @Test("leaves nothing on its disk or in the pool of a list that fails as it is loaded")
  func failedLoad() throws {
    let bench = SampleBench(server.addressText(database, "A17"))
    let pools = bench.folder + "/nfcprog/pools"
    let series = try PoolSeries(bench.address, state: bench.folder, extending: false, ahead: 4) {
      _ in
    }
    #expect(throws: JournalError.sourceFailed("The file is gone.")) {
      _ = try series.open(SampleList.source) { (journal, _, take) throws(JournalError) in
        #expect((try? FileManager.default.contentsOfDirectory(atPath: pools).count) == 1)
        try take(SampleList.job(1))
        throw .sourceFailed("The file is gone.")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: pools).isEmpty)
    #expect(try PoolStore.batch(at: address) == nil)
    let run = try bench.begin(jobs: 5)
    _ = try #require(try run.reserve(uid(1)))
    try run.session.end()
  }

  @Test(
    "says that no job is left where the others have them all, and that none fits where one waits")
  func noJob() throws {
    let addressText = server.addressText(database, "A17")
    let (first, second) = (SampleBench(addressText), SampleBench(addressText))
    let other = try first.begin(jobs: 5, ahead: 5)
    let run = try second.begin(jobs: 5)
    var outcome: ReservationOutcome?
    // Four are claimed by the other bench, one is on its tag.
    let reservation = try #require(try other.reserve(uid(1)))
    #expect(try run.reserve(uid(2), outcome: &outcome) == nil)
    guard case .unsuited(PoolBench.claimedElsewhere) = outcome else {
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
    // The last one waits for another type of tag.
    try other.session.giveBack(
      reservation, because: TagTrouble("lost", "It was taken away."), isScrap: true,
      timing: Timing(started: .now, duration: .zero))
    try waitFor { try first.isTold(other) }
    try other.session.end()
    _ = try server.owner(of: address).query(
      "UPDATE nfcprog.job SET wanted_tag = 'ntag216' WHERE state = 'pending'")
    #expect(try run.reserve(uid(8), outcome: &outcome) == nil)
    guard case .nothingFits = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    try run.session.end()
  }

  @Test("goes on with the tag that another bench held, and that one drops it")
  func handedOver() throws {
    let (first, second) = (
      SampleBench(server.addressText(database, "A17")),
      SampleBench(server.addressText(database, "A17"))
    )
    let run = try first.begin(jobs: 5)
    let reservation = try #require(try run.reserve(uid(1)))
    try run.session.hold(
      reservation, because: TagTrouble("lost", "It went away."),
      timing: Timing(started: .now, duration: .zero))
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
    let bench = SampleBench(server.addressText(database, "A17", network.port))
    let run = try bench.begin(jobs: 9, ahead: 3)
    let held = try #require(try run.reserve(uid(1)))
    try run.session.hold(
      held, because: TagTrouble("lost", "It went away."),
      timing: Timing(started: .now, duration: .zero))
    try waitFor { try run.journal.freeClaims().filter { $0.stage == "entrusted" }.count == 3 }
    try waitFor { try run.journal.untoldCount() == 0 }
    network.cut()
    for number in 2...4 {
      try run.finish(try #require(try run.reserve(uid(UInt8(number)))))
    }
    var outcome: ReservationOutcome?
    #expect(try run.reserve(uid(5), outcome: &outcome) == nil)
    guard case .unsuited(PoolBench.nothingClaimed)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(try run.reserve(uid(1), outcome: &outcome) == nil)
    guard case .unsuited(PoolBench.needsDatabase)? = outcome else {
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
    let text = server.addressText(database, "A17")
    let (first, bench) = (SampleBench(text), SampleBench(text))
    try first.begin(jobs: 5).session.end()
    func open(extending: Bool = false, _ codes: [Int]) throws -> PoolBench {
      try PoolSeries(text, state: bench.folder, extending: extending, ahead: 4) { _ in }.open(
        SampleList.source
      ) { (journal, extending, take) throws(JournalError) in
        _ = try journal.adopt(SampleList.source, extending: extending) {
          (adopt) throws(JournalError) in
          for (index, code) in codes.enumerated() {
            try adopt(SampleList.job(index + 1, code: code))
            try take(SampleList.job(index + 1, code: code))
          }
        }
      }
    }
    for _ in 1...2 {
      #expect(throws: JournalError.self) { try open([1, 2, 103, 4, 5]) }
    }
    do {
      let right = try open([1, 2, 3, 4, 5])
      try right.journal.begin(operator: "Ann", command: "test", version: "1").end()
    }
    try server.owner(of: address).run("UPDATE nfcprog.batch SET closed_at = 1")
    #expect(throws: JournalError.pool(.otherJobs, "\(PoolError.closed("A17"))")) {
      try open(extending: true, [1, 2, 3, 4, 5, 6])
    }
    #expect(try PoolStore.batch(at: address)?.jobs == 5)
  }

  @Test("has its inspections told, once as they were last")
  func inspections() throws {
    let bench = SampleBench(server.addressText(database, "A17"))
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
    let copy = try Journal(at: server.addressText(database, "A17"), access: .readOnly)
    #expect(try copy.inspection(ofJob: reservation.job.number)?.isGood == true)
    // Today's, and of the same copy.
    let report = try copy.report()
    #expect(report.inconsistencies == [] && report.created.timeIntervalSince1970 > 1_700_000_000)
    #expect(try copy.verify() == [])
  }
}
