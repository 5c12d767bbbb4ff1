import Foundation
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A restored database, and what only one bench knows", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolForgottenTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  private func store() throws -> PoolStore { try PoolStore(address, bench: "looker") }

  /// Puts the tag on a reader of the bench; it goes away unfinished.
  private func hold(_ bench: SampleBench) throws {
    let run = try bench.begin(jobs: 1)
    try run.hold(#require(try run.reserve(uid(1))))
    try run.session.end()
  }

  private func finish(_ bench: SampleBench) throws {
    let run = try bench.begin(jobs: 1)
    try run.finish(#require(try run.reserve(uid(1))))
    try run.session.end()
  }

  /// Claims the job several times and gives it back.
  private func claim(_ bench: SampleBench) throws {
    for _ in 1...3 { try bench.begin(jobs: 1).session.end() }
  }

  /// Waits until the run is at work after its connection was lost.
  private func goOn(_ bench: SampleBench, _ run: SampleBench.Run) throws {
    try waitFor { try bench.isTold(run) && !run.bench.isAway }
  }

  // MARK: Tags that went from bench to bench

  @Test(
    "has a tag as finished that three benches had, also where another bench has claimed its job",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func oneTag(order: [Int]) throws {
    let (benches, other) = ((0..<3).map { _ in SampleBench(text) }, SampleBench(text))
    try other.begin(jobs: 1).session.end()
    let backup = try server.backUp(database)
    try hold(benches[0])
    try hold(benches[1])
    try finish(benches[2])
    try server.restore(database, from: backup)
    try claim(other)
    for index in order { try benches[index].begin(jobs: 1).session.end() }
    #expect(try store().tally() == ["written": 1])
    #expect(try store().standing(ofJob: 1)?.state.binding?.tag == uid(1))
    for bench in benches { #expect(bench.news.withLock { $0 } == []) }
    #expect(try Journal(at: text, access: .readOnly).verify() == [])
  }

  @Test("names a finished tag that somebody has begun again before its bench could tell")
  func begunAgain() throws {
    let (first, last, other) = (SampleBench(text), SampleBench(text), SampleBench(text))
    try other.begin(jobs: 1).session.end()
    let backup = try server.backUp(database)
    try hold(first)
    try finish(last)
    try server.restore(database, from: backup)
    try claim(other)
    try first.begin(jobs: 1).session.end()
    try hold(other)
    let run = try last.begin(jobs: 1)
    #expect(last.news.withLock { $0 } == [.unfinished(job: 1, tag: UID(uid(1)))])
    // It is not to be set aside, and its job goes on no other tag.
    #expect(try store().tally() == ["held": 1])
    #expect(try run.reserve(uid(2)) == nil)
    // It can be finished at the bench that has it as finished, too.
    let again = try #require(try run.reserve(uid(1)))
    try run.finish(again)
    try run.session.end()
    #expect(run.bench.conflicts == 0)
    #expect(try store().tally() == ["written": 1])
    #expect(try run.journal.verify() == [])
  }

  @Test("names a tag that was finished while it was away and begun again at another bench")
  func finishedAway() throws {
    let network = try Network(to: server.port)
    let (bench, other) = (SampleBench(pool.text(through: network)), SampleBench(text))
    let run = try bench.begin(jobs: 1)
    let reservation = try #require(try run.reserve(uid(1)))
    try waitFor { try bench.isTold(run) }
    network.cut()
    _ = try run.journal.history(of: UID(uid(9)))
    try waitFor { run.bench.isAway }
    try run.finish(reservation)
    try server.owner(of: address).run(
      "UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
    try hold(other)
    network.heal()
    try goOn(bench, run)
    let news = bench.news.withLock { $0 }
    #expect(news.contains(.unfinished(job: 1, tag: UID(uid(1)))), "\(news)")
    try run.session.end()
    #expect(try store().tally() == ["held": 1])
  }

  // MARK: Rows that it lacks

  @Test("hears nothing for a bench that is gone, of which it lacks rows, until they are back")
  func rowsOfOthers() throws {
    let bench = SampleBench(text)
    try FileManager.default.createDirectory(
      atPath: bench.folder, withIntermediateDirectories: true)
    func begin(_ file: String, jobs: Int) throws -> SampleBench.Run {
      let path = "\(bench.folder)/\(file).csv"
      let run = try bench.begin(jobs: jobs, extending: true, wishing: PlaceWish(file: path))
      _ = try LabelFile(at: path, of: run.session)
      return run
    }
    func place(_ run: SampleBench.Run) -> String {
      URL(filePath: run.journal.path).lastPathComponent
    }
    do {
      let run = try begin("a", jobs: 4)
      #expect(place(run) == "bench-1.journal")
      try run.write(1...1)
      try run.session.end()
    }
    let backup = try server.backUp(database)
    do {
      let run = try begin("b", jobs: 6)
      #expect(place(run) == "bench-2.journal")
      try run.write(2...6)
      try run.session.end()
    }
    try server.restore(database, from: backup)
    // Its own place has the rows that the backup has.
    do {
      let run = try begin("a", jobs: 4)
      #expect(place(run) == "bench-1.journal")
      try run.session.end()
    }
    #expect(try store().tally() == ["written": 1, "pending": 3])
    try begin("a", jobs: 6).session.end()
    #expect(try store().tally() == ["written": 6])
    for number in 1...6 {
      #expect(try store().standing(ofJob: number)?.state.binding?.tag == uid(number))
    }
    #expect(bench.news.withLock { $0 } == [])
  }
}
