import Foundation
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A restored database, and a job that several benches had since the backup", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolRecallTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  private func isConflict(_ news: PoolNews, _ tag: [UInt8]) -> Bool {
    if case .conflict(_, UID(tag), _) = news { true } else { false }
  }

  /// Puts the job on the tag with this number; an operator then releases the bench's jobs, of which
  /// it does not hear.
  private func hold(_ bench: SampleBench, _ number: UInt8) throws {
    let run = try bench.begin(jobs: 1)
    let reservation = try #require(try run.reserve(uid(number)))
    try run.hold(reservation)
    try run.session.end()
    let store = try PoolStore(address, bench: "operator")
    #expect(try store.release(bench: run.bench.name, at: 0) == 1)
  }

  @Test(
    "has it on the last of its tags, in whichever order they begin again",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func lastTag(order: [Int]) throws {
    let benches = (0..<3).map { _ in SampleBench(text) }
    try benches[0].begin(jobs: 1).session.end()
    let backup = try server.backUp(database)
    try hold(benches[0], 1)
    try hold(benches[1], 2)
    do {
      let run = try benches[2].begin(jobs: 1)
      try run.finish(#require(try run.reserve(uid(3))))
      try run.session.end()
    }
    try server.restore(database, from: backup)
    for index in order { try benches[index].begin(jobs: 1).session.end() }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally() == ["written": 1])
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(3))
    #expect(try !store.isScrap(uid(3)))
    for bench in benches {
      #expect(bench.news.withLock { $0.contains { isConflict($0, uid(3)) } } == false)
    }
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("says nothing late on a job that the backup knows to be another bench's")
  func known() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    try hold(first, 1)
    let backup: String
    do {
      let run = try second.begin(jobs: 1)
      try run.session.end()
      // It is in the second bench's hands when the backup is made, and finished then.
      let claiming = try second.begin(jobs: 1)
      try waitFor { try claiming.journal.freeClaims().first?.stage == "entrusted" }
      backup = try server.backUp(database)
      var reservation: Reservation?
      try waitFor {
        // Asked once more, it would wait for the database.
        if reservation == nil { reservation = try claiming.reserve(uid(2)) }
        return reservation != nil
      }
      try claiming.finish(try #require(reservation))
      try claiming.session.end()
    }
    // The first one works on, without a job, so that the backup lacks a run of it.
    let run = try first.begin(jobs: 1)
    _ = try run.session.passOver(
      run.tag(uid(9)), because: TagTrouble(.unsuited, "It is full."),
      timing: Timing(started: .now, duration: .zero))
    try run.session.end()
    try server.restore(database, from: backup)
    try first.begin(jobs: 1).session.end()
    try second.begin(jobs: 1).session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(2))
    #expect(try store.tally() == ["written": 1])
    for bench in [first, second] {
      #expect(bench.news.withLock { $0.contains { isConflict($0, uid(2)) } } == false)
    }
  }

  @Test("names the tag that a job was put on once more before its bench could tell")
  func givenOutAgain() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    try first.begin(jobs: 1).session.end()
    let backup = try server.backUp(database)
    do {
      let run = try first.begin(jobs: 1)
      // The job changes hands, so that the bench has it in a later epoch than the next one will.
      try run.session.end()
      let again = try first.begin(jobs: 1)
      try again.finish(#require(try again.reserve(uid(1))))
      try again.session.end()
    }
    try server.restore(database, from: backup)
    do {
      let run = try second.begin(jobs: 1)
      try run.finish(#require(try run.reserve(uid(2))))
      try run.session.end()
    }
    let run = try first.begin(jobs: 1)
    #expect(first.news.withLock { $0.contains { isConflict($0, uid(2)) } })
    #expect(run.bench.conflicts == 1)
    try run.session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(1))
    #expect(try store.isScrap(uid(2)))
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("names the unfinished tag that had a job when the backup was made")
  func heldThen() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    do {
      let run = try first.begin(jobs: 1)
      try run.hold(#require(try run.reserve(uid(1))))
      try run.session.end()
    }
    let backup = try server.backUp(database)
    do {
      let store = try PoolStore(address, bench: "operator")
      let bench = try #require(try store.standing(ofJob: 1)?.bench)
      #expect(try store.release(bench: bench, at: 0) == 1)
    }
    do {
      let run = try second.begin(jobs: 1)
      try run.finish(#require(try run.reserve(uid(2))))
      try run.session.end()
    }
    try server.restore(database, from: backup)
    for bench in [first, second] { try bench.begin(jobs: 1).session.end() }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.isScrap(uid(1)))
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(2))
    let news = second.news.withLock { $0 }
    guard case .conflict(1, UID(uid(1)), let reason)? = news.first, news.count == 1 else {
      Issue.record("\(news)")
      return
    }
    #expect(reason.hasPrefix("The tag was left unfinished and may hold the job or a part of it."))
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("names the tag that a bench was writing when the backup was made, once that bench is back")
  func boundThen() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    do {
      let run = try first.begin(jobs: 1)
      _ = try #require(try run.reserve(uid(1)))
      try waitFor { try first.isTold(run) }
      run.bench.abandon()
    }
    try server.owner(of: address).run(
      "UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
    let backup = try server.backUp(database)
    do {
      let store = try PoolStore(address, bench: "operator")
      let bench = try #require(try store.standing(ofJob: 1)?.bench)
      #expect(try store.release(bench: bench, at: 0) == 1)
    }
    do {
      let run = try second.begin(jobs: 1)
      try run.finish(#require(try run.reserve(uid(2))))
      try run.session.end()
    }
    try server.restore(database, from: backup)
    try second.begin(jobs: 1).session.end()
    let store = try PoolStore(address, bench: "looker")
    // It may have been given back unwritten, and be in use: the bench that had it knows.
    #expect(try !store.isScrap(uid(1)))
    for _ in 1...2 { try first.begin(jobs: 1).session.end() }
    #expect(try store.isScrap(uid(1)))
    #expect(
      first.news.withLock { $0 } == [
        .conflict(job: 1, tag: UID(uid(1)), "The job is on another tag.")
      ])
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(2))
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  // MARK: Rows

  /// A run with six rows, of which a restored backup has four; the network is healed.
  private func lackingRows(_ network: Network) throws -> (SampleBench, SampleBench.Run) {
    let bench = SampleBench(pool.text(through: network))
    let other = SampleBench(text)
    try other.begin(jobs: 4).session.end()
    let backup = try server.backUp(database)
    try other.begin(jobs: 6, extending: true).session.end()
    let run = try bench.begin(jobs: 6)
    for number in 1...6 { try run.finish(#require(try run.reserve(uid(number)))) }
    network.cut()
    _ = try run.journal.history(of: UID(uid(9)))
    try waitFor { run.bench.isAway }
    try server.restore(database, from: backup)
    network.heal()
    try waitFor { bench.news.withLock { $0.count } == 2 }
    return (bench, run)
  }

  private func unusable(_ bench: SampleBench) -> String? {
    if case .unusable(let reason, _)? = bench.news.withLock({ $0.last }) { reason } else { nil }
  }

  @Test("says which rows are missing after a restore, and goes on when they are back")
  func missingRows() throws {
    let (bench, run) = try lackingRows(Network(to: server.port))
    #expect(unusable(bench) == "\(PoolError.rowsMissing("A17", 2))")
    let other = SampleBench(text)
    try other.begin(jobs: 6, extending: true).session.end()
    try waitFor { !run.bench.isAway }
    try run.session.end()
    let news = bench.news.withLock { $0 }
    #expect(news.count == 3 && news.last == .back, "\(news)")
    let tally = try PoolStore(address, bench: "looker").tally()
    #expect(tally == ["written": 6])
  }

  @Test("stays away from a database with other rows in the place of its own")
  func otherRows() throws {
    let (bench, run) = try lackingRows(Network(to: server.port))
    let other = SampleBench(text)
    let extending = try other.open(codes: [1, 2, 3, 4, 105, 106], extending: true)
    withExtendedLifetime(extending) {}
    try waitFor { unusable(bench) == "\(PoolError.otherRows("A17"))" }
    // The bench has told the database nothing about its codes, which are not there.
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.standing(ofJob: 5)?.state == .pending)
    #expect(try store.events(after: 0, limit: 99).allSatisfy { $0.kind != "written" })
    #expect(run.bench.isAway)
    try run.session.end()
  }
}
