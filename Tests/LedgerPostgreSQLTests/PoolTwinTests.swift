import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// A copy of a journal that was made while its bench worked knows all runs that the pool knows, and
/// has the same claims: what tells the two apart is what each says of its events.
@Suite(
  "Two benches that go on with one journal", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
final class PoolTwinTests: PoolSuite {
  static let jobs = 12

  let pool: SamplePool
  /// Each with a network of its own.
  let networks: [Network]
  let benches: [SampleBench]
  /// What each tag holds.
  let memories = Mutex<[[UInt8]: Int]>([:])

  init() throws {
    let pool = try SamplePool()
    self.pool = pool
    networks = try (0..<2).map { _ in try Network(to: pool.server.port) }
    benches = networks.map { SampleBench(pool.text(through: $0)) }
  }

  /// As a disk is copied while its machine works.
  private func copy() throws {
    try? FileManager.default.removeItem(atPath: benches[1].folder)
    try FileManager.default.copyItem(atPath: benches[0].folder, toPath: benches[1].folder)
  }

  /// A station puts a job on the tag with this number, as far as it is let.
  private func write(_ number: Int, _ run: SampleBench.Run) throws {
    guard let reservation = try run.reserve(uid(number)) else { return }
    memories.withLock { $0[uid(number)] = reservation.job.number }
    try run.finish(reservation)
  }

  /// Returns whether the bench was stopped before it had written its tags: for good, and with a
  /// sentence.
  private func isStopped(_ run: SampleBench.Run, at numbers: [Int]) -> Bool {
    for number in numbers {
      do {
        try write(number, run)
      } catch JournalError.pool(.failed, let text) {
        #expect(text == PoolError.copied.description)
        #expect(throws: JournalError.self) { try run.journal.history(of: UID(uid(99))) }
        return true
      } catch {
        if case JournalError.reservationLost = error { continue }
        Issue.record(error)
        return false
      }
    }
    return false
  }

  /// No job is on two tags that may be used, by the tags' own memories; a job that a tag holds is
  /// no other's in the pool.
  private func check() throws {
    let store = try PoolStore(address, bench: "looker")
    for (job, tags) in Dictionary(grouping: memories.withLock { $0 }, by: \.value) {
      let good = try tags.filter { try !store.isScrap($0.key) }
      #expect(good.count < 2, "job \(job) is on \(good.map(\.key))")
    }
    for job in 1...Self.jobs {
      guard let tag = try store.standing(ofJob: job)?.binding?.tag else { continue }
      let memory = memories.withLock { $0[tag] }
      #expect(memory == nil || memory == job)
    }
  }

  /// An operator gives the jobs of both to another bench, which finishes the batch.
  private func finish(_ runs: [SampleBench.Run?]) throws {
    for run in runs { try run?.session.end() }
    // A stopped one says nothing more.
    try server.owner(of: address).run(
      "UPDATE nfcprog.bench SET alive_until = now() - interval '1 h'")
    let store = try PoolStore(address, bench: "operator")
    for known in try store.benches() { _ = try store.release(bench: known.name, at: 1) }
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: Self.jobs)
    for number in 60..<(60 + Self.jobs) { try write(number, run) }
    try run.session.end()
    try check()
    let tally = try store.tally()
    #expect((tally["pending"] ?? 0) + (tally["claimed"] ?? 0) == 0, "\(tally)")
  }

  @Test("one is stopped before it writes a tag with a job of the other's", arguments: 0..<2)
  func both(first: Int) throws {
    let original = try benches[0].begin(jobs: Self.jobs)
    try write(1, original)
    try waitFor { try benches[0].isTold(original) }
    try copy()
    let runs = [original, try benches[1].begin(jobs: Self.jobs)]
    var stopped: [Bool] = [false, false]
    for number in 1...4 {
      for index in [first, 1 - first] where !stopped[index] {
        stopped[index] = isStopped(runs[index], at: [10 * (index + 1) + number])
      }
    }
    #expect(stopped.filter(\.self).count == 1, "\(stopped)")
    try check()
    try finish(runs)
  }

  @Test("what one of them wrote without the database does not count", arguments: 0..<2)
  func away(one: Int) throws {
    var original: SampleBench.Run! = try benches[0].begin(jobs: Self.jobs)
    try write(1, original)
    try waitFor { try benches[0].isTold(original) && original.journal.freeClaims().count == 4 }
    try copy()
    func cut(_ run: SampleBench.Run, _ index: Int) throws {
      networks[index].cut()
      _ = try run.journal.history(of: UID(uid(9)))
      try waitFor { run.bench.isAway }
    }
    if one == 0 { try cut(original, 0) }
    let copied = try benches[1].begin(jobs: Self.jobs)
    if one == 1 { try cut(copied, 1) }
    let runs: [SampleBench.Run] = [original, copied]
    var stopped = runs.indices.map { isStopped(runs[$0], at: [10 * ($0 + 1) + 1]) }
    stopped[1 - one] = stopped[1 - one] || isStopped(runs[1 - one], at: [10 * (2 - one) + 2])
    // The claims that a copy finds are none: it has its own, also where it never comes back.
    if one == 1 { try check() }
    networks[one].heal()
    try waitFor {
      runs[one].bench.poke()
      return !runs[one].bench.isAway || runs[one].bench.isCopied
    }
    try waitFor { !runs[one].bench.state.withLock { $0.leavesTags } }
    for index in runs.indices where !stopped[index] {
      stopped[index] = isStopped(runs[index], at: [10 * (index + 1) + 3, 10 * (index + 1) + 4])
    }
    #expect(stopped.contains(true))
    try check()
    try finish(runs)
    original = nil
  }

  @Test(
    "a journal that has lost its last events is kept apart, and no event is untold",
    arguments: 1...5)
  func cut(lost: Int) throws {
    let files = ["", "-wal", "-shm"]
    var saved = ""
    do {
      let run = try benches[0].begin(jobs: Self.jobs)
      for number in 1...5 {
        if number == 6 - lost {
          saved = NSTemporaryDirectory() + "cut-\(UInt64.random(in: 0 ... .max))"
          try waitFor { try benches[0].isTold(run) }
          for file in files {
            try? FileManager.default.copyItem(
              atPath: run.journal.path + file, toPath: saved + file)
          }
        }
        try write(number, run)
      }
      try waitFor { try benches[0].isTold(run) }
      run.bench.abandon()
    }
    let folder = "\(benches[0].folder)/nfcprog/pools"
    let pools = try FileManager.default.contentsOfDirectory(atPath: folder)
    let journal = "\(folder)/\(try #require(pools.first))/bench-1.journal"
    for file in files {
      try? FileManager.default.removeItem(atPath: journal + file)
      try? FileManager.default.moveItem(atPath: saved + file, toPath: journal + file)
    }
    let events = try PoolStore(address, bench: "looker").events(after: 0, limit: 99)
    let run = try benches[0].begin(jobs: Self.jobs)
    let news = benches[0].news.withLock { $0 }
    #expect(news.contains { if case .copied = $0 { true } else { false } }, "\(news)")
    for number in 11...18 { try write(number, run) }
    try waitFor { try benches[0].isTold(run) }
    #expect(try run.journal.untoldCount() == 0)
    let later = try PoolStore(address, bench: "looker").events(after: 0, limit: 99)
    #expect(Array(later.prefix(events.count)) == events)
    #expect(later.filter { $0.kind == "written" }.count == memories.withLock { $0.count })
    try check()
    try finish([run])
  }

  @Test("a number of a bench's own is one event's, which is told by the constraint's name")
  func ownNumber() throws {
    try PoolStore.load(2, at: address)
    let store = try PoolStore(address, bench: "A")
    var event = Event(.passed(job: nil, tag: uid(1), setsAside: false), started: 1)
    event.number = 7
    let name = EventID()
    try store.tell(name, event)
    try store.tell(name, event)
    #expect(try store.knows(name))
    #expect(throws: PoolError.copied) { try store.tell(EventID(), event) }
    #expect(try store.last()?.name == name)
  }

  @Test("what was done before leaves a row, by which the bench knows how far it was heard")
  func doneBefore() throws {
    try PoolStore.load(1, at: address)
    let store = try PoolStore(address, bench: "A")
    let claim = try #require(try store.claim(job: 1))
    let bind = LedgerCommand.bind(
      bench: "A", epoch: claim.epoch, tag: uid(1),
      message: MessageFacts(digest: SampleList.message(1)))
    for number in [3, 5] {
      var event = told("reserved", uid(1))
      event.number = Int64(number)
      let answer = try store.perform(PoolReport(EventID(), [bind], event))
      #expect((answer.decision == .done) == (number == 5))
      #expect(try store.last()?.number == Int64(number))
    }
    try checkFold()
  }

  @Test("nothing is told on a new connection before it was asked how far the pool is")
  func newConnection() throws {
    try PoolStore.load(1, at: address)
    let store = try PoolStore(address, bench: "A")
    let count = store.connections
    try server.owner(of: address).run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    let event = Event(.passed(job: nil, tag: uid(1), setsAside: false), started: 1)
    #expect(throws: PoolError.self) { try store.tell(EventID(), event, heardOn: count) }
    #expect(throws: PoolError.renewed) { try store.tell(EventID(), event, heardOn: count) }
    #expect(try store.events(after: 0, limit: 9) == [])
    try store.tell(EventID(), event, heardOn: store.connections)
  }

  @Test("what is told twice, though another bench has gone on with the tag, is no conflict")
  func toldTwice() throws {
    let other = SampleBench(text)
    let run = try benches[0].begin(jobs: 1)
    let held = try #require(try run.reserve(uid(1)))
    try run.hold(held)
    try waitFor { try benches[0].isTold(run) }
    let next = try other.begin(jobs: 1)
    let taken = try #require(try next.reserve(uid(1)))
    #expect(taken.job.number == held.job.number)
    // Its job is on another tag then.
    try next.giveBack(taken)
    try next.write(2...2)
    let events = try PoolStore(address, bench: "looker").events(after: 0, limit: 99)
    try run.bench.voice.withLock { _ in
      run.bench.state.withLock { ($0.toldUpTo, $0.notedUpTo) = (0, 0) }
      try run.journal.write { db in try db.execute(sql: "UPDATE pool SET told = 0") }
      try run.bench.tellAll()
    }
    #expect(run.bench.conflicts == 0)
    #expect(try PoolStore(address, bench: "looker").events(after: 0, limit: 99) == events)
    #expect(benches[0].news.withLock { $0 } == [])
    for run in [run, next] { try run.session.end() }
  }
}
