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

  /// The same until it is known that it has a tag's job once more.
  private func reserve(_ number: Int, _ run: SampleBench.Run) throws -> Reservation {
    var found: Reservation?
    try waitFor {
      found = try run.reserve(uid(number))
      return found != nil
    }
    return try #require(found)
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
    #expect(try store().standing(ofJob: 1)?.binding?.tag == uid(1))
    for bench in benches { #expect(bench.news.withLock { $0 } == []) }
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
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
    #expect(try run.journal.verify(facts: true) == [])
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

  // MARK: Jobs that were given back

  @Test("hears which jobs its bench has given back since, and gives them to other tags")
  func givenBack() throws {
    let bench = SampleBench(text)
    // Its place at the pool is free once it has gone.
    var run: SampleBench.Run! = try bench.begin(jobs: 9, ahead: 2)
    let bound = try #require(try run.reserve(uid(1)))
    try run.write(2...2)
    let held = try #require(try run.reserve(uid(3)))
    try run.hold(held)
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try goOn(bench, run)
    try run.giveBack(bound)
    let reset = try #require(try run.session.givenBack(run.tag(uid(2))))
    #expect(try run.session.release(.jobs([held.job.number])).count == 1)
    try goOn(bench, run)
    // The tag that a job was taken from has another one since.
    let next = try reserve(1, run)
    try run.finish(next)
    try run.session.end()
    run = nil
    let jobs = [bound.job.number, reset.number, held.job.number]
    #expect(!jobs.contains(next.job.number))
    try server.restore(database, from: backup)
    do {
      let again = try bench.begin(jobs: 9, ahead: 2)
      #expect(again.bench.conflicts == 0)
      try again.session.end()
    }
    #expect(bench.news.withLock { news in news.allSatisfy { $0 == .back || $0.isAway } })
    #expect(try store().tally() == ["written": 1, "pending": 8])
    #expect(try store().standing(ofJob: next.job.number)?.binding?.tag == uid(1))
    #expect(try [1, 2, 3].map { try store().isScrap(uid($0)) } == [false, false, true])
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.verify(facts: true) == [])
    // It knows all of it now.
    let events = try store().events(after: 0, limit: 1000).count
    try bench.begin(jobs: 9).session.end()
    #expect(try store().events(after: 0, limit: 1000).count == events)
    let others = try bench.begin(jobs: 9)
    try others.write(11...18)
    try others.session.end()
    #expect(try store().tally() == ["written": 9])
  }

  @Test("hears which tags an operator had set aside, of the bench that had their jobs")
  func setAside() throws {
    let bench = SampleBench(text)
    do {
      let run = try bench.begin(jobs: 1)
      _ = try #require(try run.reserve(uid(1)))
      try waitFor { try bench.isTold(run) }
      try run.session.end()
    }
    let backup = try server.backUp(database)
    let name = try #require(try store().benches().first).name
    #expect(try store().release(bench: name, at: 1) == 1)
    do {
      let run = try bench.begin(jobs: 1)
      #expect(try run.journal.isScrap(uid(1)))
      try run.write(2...2)
      try run.session.end()
      #expect(try run.journal.verify(facts: true) == [])
    }
    try server.restore(database, from: backup)
    try bench.begin(jobs: 1).session.end()
    #expect(try store().tally() == ["written": 1])
    #expect(try store().standing(ofJob: 1)?.binding?.tag == uid(2))
    #expect(try [1, 2].map { try store().isScrap(uid($0)) } == [true, false])
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("keeps a job on its tag where another bench had gone on with it before it was given back")
  func notGivenBack() throws {
    let network = try Network(to: server.port)
    let (bench, other) = (SampleBench(pool.text(through: network)), SampleBench(text))
    var run: SampleBench.Run! = try bench.begin(jobs: 1)
    let name = run.bench.name
    let reservation = try #require(try run.reserve(uid(1)))
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try goOn(bench, run)
    network.cut()
    _ = try run.journal.history(of: UID(uid(9)))
    try waitFor { run.bench.isAway }
    try run.giveBack(reservation)
    try server.owner(of: address).run(
      "UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
    try finish(other)
    network.heal()
    try goOn(bench, run)
    try run.session.end()
    #expect(try run.journal.verify(facts: true) == [])
    run = nil
    try server.restore(database, from: backup)
    do {
      let again = try bench.begin(jobs: 1)
      #expect(again.bench.name == name)
      try again.session.end()
    }
    #expect(try store().standing(ofJob: 1)?.binding?.tag == uid(1))
    try other.begin(jobs: 1).session.end()
    #expect(try store().tally() == ["written": 1])
    #expect(try store().standing(ofJob: 1)?.binding?.tag == uid(1))
  }

  @Test(
    "is told which job and tag it is, where the tag got its job once more without it",
    arguments: [1, 5], [false, true])
  func sameTag(code: Int, isTold: Bool) throws {
    let network = try Network(to: server.port)
    let bench = SampleBench(pool.text(through: network))
    let run = try bench.begin(jobs: 1)
    let first = try #require(try run.reserve(uid(1)))
    try run.hold(first)
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try goOn(bench, run)
    try run.giveBack(reserve(1, run))
    try waitFor { try run.journal.freeClaims().map(\.stage) == ["entrusted"] && bench.isTold(run) }
    if !isTold {
      network.cut()
      _ = try run.journal.history(of: UID(uid(9)))
      try waitFor { run.bench.isAway }
    }
    let again = try #require(try run.reserve(uid(1), code: code))
    try run.finish(again)
    if isTold { try waitFor { try bench.isTold(run) } }
    try server.restore(database, from: backup)
    if !isTold { network.heal() }
    try heard(from: run)
    try run.session.end()
    #expect(try store().tally() == ["written": 1])
    #expect(try store().standing(ofJob: 1)?.binding?.message.digest == again.digest)
    #expect(bench.news.withLock { news in news.allSatisfy { $0 == .back || $0.isAway } })
    for event in try store().events(after: 0, limit: 99) {
      #expect(event.job == 1 && event.tag == uid(1) && event.started > 1_700_000_000_000)
    }
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("is reminded once, also where it has forgotten what no bench tells again")
  func once() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 4)
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try goOn(bench, run)
    try run.write(1...1)
    _ = try run.session.passOver(
      run.tag(uid(9)), because: TagTrouble(.unsuited, "It is full."),
      timing: Timing(started: .now, duration: .zero))
    try waitFor { try bench.isTold(run) }
    try server.restore(database, from: backup)
    try waitFor {
      run.bench.poke()
      return try store().tally()["written"] == 1 && !run.bench.isAway
    }
    let isReminded = try run.bench.voice.withLock { _ in
      run.bench.state.withLock { $0.askedOn = 0 }
      return try run.bench.askLast()
    }
    #expect(!isReminded)
    try run.session.end()
  }

  /// Waits until the database has the tag's job as finished.
  private func heard(from run: SampleBench.Run) throws {
    try waitFor {
      run.bench.poke()
      return try store().tally()["written"] == 1 && !run.bench.isAway
    }
    #expect(try store().standing(ofJob: 1)?.binding?.tag == uid(1))
  }

  @Test("is reminded after each restore of one backup by a run that goes on")
  func severalInOneRun() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 1)
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try goOn(bench, run)
    try run.write(1...1)
    try waitFor { try bench.isTold(run) }
    for _ in 1...3 {
      try server.restore(database, from: backup)
      try heard(from: run)
    }
    try run.session.end()
  }

  @Test("is reminded after each restore of one backup by runs that write nothing in between")
  func severalBetweenRuns() throws {
    let bench = SampleBench(text)
    let backup: String
    do {
      let run = try bench.begin(jobs: 1)
      try waitFor { try bench.isTold(run) }
      backup = try server.backUp(database)
      try goOn(bench, run)
      try run.write(1...1)
      try run.session.end()
    }
    for _ in 1...3 {
      try server.restore(database, from: backup)
      let run = try bench.begin(jobs: 1)
      try heard(from: run)
      try run.session.end()
    }
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
      #expect(try store().standing(ofJob: number)?.binding?.tag == uid(number))
    }
    #expect(bench.news.withLock { $0 } == [])
  }
}

extension PoolNews {
  fileprivate var isAway: Bool { if case .away = self { true } else { false } }
}
