import Foundation
import JobLists
import SeededNumbers
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A database that was restored from a backup", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolRestoredTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  @Test("tells a database again, which was restored from a backup, what it has forgotten")
  func restored() throws {
    let bench = SampleBench(text)
    try bench.begin(jobs: 4).session.end()
    let backup = try server.backUp(database)
    do {
      // Its place at the pool is free once it has gone.
      let run = try bench.begin(jobs: 4)
      try run.write(1...2)
      try run.session.end()
    }
    try server.restore(database, from: backup)
    let again = try bench.begin(jobs: 4)
    let store = try PoolStore(address, bench: "looker")
    for number in 1...2 {
      #expect(try store.standing(ofJob: number)?.binding?.tag == uid(UInt8(number)))
    }
    #expect(try #require(try again.reserve(uid(3))).job.number == 3)
    try again.session.end()
    let copy = try Journal(at: text, access: .readOnly)
    #expect(try copy.verify(facts: true) == [])
    #expect(try copy.tally().written == 2)
  }

  @Test(
    "tells a database that was restored from a backup made within a tag that the tag is finished")
  func restoredWithin() throws {
    let bench = SampleBench(text)
    do {
      let run = try bench.begin(jobs: 4)
      try run.finish(try #require(try run.reserve(uid(1))))
      try run.session.end()
    }
    try server.owner(of: address).run(
      """
      ALTER TABLE nfcprog.event DISABLE TRIGGER event_stays;
      ALTER TABLE nfcprog.job DISABLE TRIGGER job_order;
      DELETE FROM nfcprog.event WHERE kind = 'written';
      UPDATE nfcprog.job SET state = 'bound', is_locked = NULL, is_protected = NULL
        WHERE state = 'written';
      ALTER TABLE nfcprog.event ENABLE TRIGGER event_stays;
      ALTER TABLE nfcprog.job ENABLE TRIGGER job_order
      """)
    let again = try bench.begin(jobs: 4)
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally()["written"] == 1)
    #expect(try #require(try again.reserve(uid(2))).job.number == 2)
    try again.session.end()
  }

  @Test("hears of what happened while it was away, of jobs that it has not given out, too")
  func restoredWhileAway() throws {
    let network = try Network(to: server.port)
    let (bench, other) = (SampleBench(pool.text(through: network)), SampleBench(text))
    try other.begin(jobs: 9).session.end()
    let backup = try server.backUp(database)
    let run = try bench.begin(jobs: 9, ahead: 3)
    // One tag is finished and told, of two only that they are begun.
    try run.write(1...1)
    let begun = try (2...3).map { try #require(try run.reserve(uid($0))) }
    run.bench.poke()
    try waitFor { try run.journal.untoldCount() == 0 && run.journal.freeClaims().count == 3 }
    try waitFor { try run.journal.freeClaims().allSatisfy { $0.stage == "entrusted" } }
    network.cut()
    try run.finish(begun[0])
    try run.hold(begun[1])
    try run.write(4...5)
    try server.restore(database, from: backup)
    network.heal()
    try waitFor { try !run.bench.isAway && run.journal.untoldCount() == 0 }
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally()["written"] == 4)
    #expect(try store.tally()["held"] == 1)
    #expect(bench.news.withLock { $0 }.last == .back)
    let second = try other.begin(jobs: 9)
    let taken = try #require(try second.reserve(uid(3)))
    #expect(taken.job.number == begun[1].job.number)
    try second.finish(taken)
    try run.session.end()
    try second.write(6...9)
    try second.session.end()
    #expect(try store.tally() == ["written": 9])
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("hears of jobs that others had claimed, failed or begun when the backup was made")
  func olderHands() throws {
    let (bench, other) = (SampleBench(text), SampleBench(text))
    let claiming = try other.begin(jobs: 9, ahead: 9)
    try waitFor { try claiming.journal.freeClaims().count == 9 }
    try claiming.session.fail(SampleList.job(1), because: TagTrouble(.defectiveJob, "No URL."))
    let begun = try #require(try claiming.reserve(uid(9)))
    #expect(begun.job.number == 2)
    try waitFor { try other.isTold(claiming) }
    let backup = try server.backUp(database)
    try waitFor { try other.isTold(claiming) && !claiming.bench.isAway }
    // Its connection was cut for the backup.
    var retried = 0
    try waitFor {
      retried += (try? claiming.session.retryFailed()) ?? 0
      return retried == 1
    }
    try claiming.giveBack(begun)
    try waitFor { try other.isTold(claiming) }
    try claiming.session.end()
    do {
      let run = try bench.begin(jobs: 9)
      try run.write(1...4)
      // The tag that a job was taken from has another one since.
      try run.write(9...9)
      try run.session.end()
    }
    try server.restore(database, from: backup)
    // An order that has been finished is closed again before its benches have told, and the backup
    // is an old one.
    try server.owner(of: address).run(
      """
      UPDATE nfcprog.batch SET closed_at = 1;
      UPDATE nfcprog.bench SET alive_until = alive_until - interval '1 h'
      """)
    try bench.begin(jobs: 9).session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(bench.news.withLock { $0 } == [])
    for number in 1...4 {
      #expect(try store.standing(ofJob: number)?.binding?.tag == uid(UInt8(number)))
    }
    #expect(try store.standing(ofJob: 5)?.binding?.tag == uid(9))
    #expect(try store.tally()["written"] == 5)
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
    // It knows all of it now.
    let events = try store.events(after: 0, limit: 1000).count
    try bench.begin(jobs: 9).session.end()
    #expect(try store.events(after: 0, limit: 1000).count == events)
  }

  @Test("hears that a tag is finished which was held when the backup was made")
  func heldThen() throws {
    let bench = SampleBench(text)
    let run = try bench.begin(jobs: 4)
    let held = try #require(try run.reserve(uid(1)))
    try run.hold(held)
    try waitFor { try bench.isTold(run) }
    let backup = try server.backUp(database)
    try waitFor { try bench.isTold(run) && !run.bench.isAway }
    var again: Reservation?
    try waitFor {
      again = try run.reserve(uid(1))
      return again != nil
    }
    try run.finish(try #require(again))
    try run.write(2...2)
    try server.restore(database, from: backup)
    // The run goes on.
    try waitFor {
      run.bench.poke()
      return bench.news.withLock { $0.count } >= 4
    }
    try run.write(3...4)
    try waitFor { try bench.isTold(run) && !run.bench.isAway }
    try run.session.end()
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 4])
    #expect(try Journal(at: text, access: .readOnly).verify(facts: true) == [])
    try checkFold()
  }

  @Test("has a machine's journals moved to the end where that was cut short")
  func moved() throws {
    let empty = try server.backUp(database)
    let bench = SampleBench(text)
    do {
      let (left, right) = (try bench.begin(jobs: 5), try bench.begin(jobs: 5))
      try left.write(1...2)
      try right.write(3...3)
      for run in [left, right] { try run.session.end() }
    }
    try server.restore(database, from: empty)
    let pools = bench.folder + "/nfcprog/pools"
    let old = try #require(FileManager.default.contentsOfDirectory(atPath: pools).first)
    do {
      let inUse = try #require(SlotLock(left: 2, in: "\(pools)/\(old)"))
      #expect(throws: JournalError.self) { try bench.begin(jobs: 5, lost: .continued) }
      withExtendedLifetime(inUse) {}
    }
    // Nothing was moved, so that the batch still says what it lacks.
    #expect(SlotLock.journals(in: "\(pools)/\(old)") == [1, 2])
    #expect(throws: JournalError.self) { try bench.begin(jobs: 5) }
    // The process dies behind the first journal.
    let identity = try #require(try PoolStore.batch(at: address)?.identity)
    let folder = PoolSeries.folder(of: identity, bench.folder)
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(SlotLock.note([old], movedInto: folder))
    do {
      let first = try #require(SlotLock(left: 1, in: "\(pools)/\(old)"))
      _ = try Journal(at: first.journal, access: .readWrite(creating: false)).benchName()
      let place = try #require(SlotLock(firstIn: folder, unused: true))
      #expect(first.moveJournal(to: place))
    }
    try bench.begin(jobs: 5).session.end()
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 3, "pending": 2])
    #expect(!FileManager.default.fileExists(atPath: "\(pools)/\(old)"))
  }

  @Test("hears of a tag that another bench went on with, and of those of a machine's other places")
  func otherPlaces() throws {
    let (first, second) = (SampleBench(text), SampleBench(text))
    var run: SampleBench.Run! = try first.begin(jobs: 20)
    let carried = try #require(try run.reserve(uid(1)))
    try run.hold(carried)
    try waitFor { try first.isTold(run) }
    let backup = try server.backUp(database)
    try waitFor { try first.isTold(run) && !run.bench.isAway }
    do {
      // Two programs of one machine.
      let (left, right) = (try second.begin(jobs: 20), try second.begin(jobs: 20))
      try left.finish(try #require(try left.reserve(uid(1))))
      try left.write(2...3)
      try right.write(4...6)
      for run in [left, right] { try run.session.end() }
    }
    try run.session.end()
    // Its place is free once it has gone.
    run = nil
    try server.restore(database, from: backup)
    try first.begin(jobs: 20).session.end()
    try second.begin(jobs: 20).session.end()
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally() == ["written": 6, "pending": 14])
    #expect(try store.standing(ofJob: carried.job.number)?.binding?.tag == uid(1))
    #expect(second.news.withLock { $0 } == [])
  }

  @Test("without a batch that benches have worked on: its list goes on no other tags unasked")
  func lostBatch() throws {
    let empty = try server.backUp(database)
    let (bench, other) = (SampleBench(text), SampleBench(text))
    do {
      let (left, right) = (try bench.begin(jobs: 5), try bench.begin(jobs: 5))
      try left.write(1...2)
      try right.write(3...3)
      for run in [left, right] { try run.session.end() }
    }
    try server.restore(database, from: empty)
    func refused(_ words: String, _ body: () throws -> SampleBench.Run) {
      do {
        try body().session.end()
        Issue.record("it was taken")
      } catch JournalError.pool(.lostBatch, let text) {
        #expect(text.contains(words))
      } catch {
        Issue.record("\(error)")
      }
    }
    let settings = SourceDescription(
      kind: "csv", name: "jobs.csv", settings: [.init("tag", "ntag213")])
    refused("3 jobs") { try bench.begin(jobs: 5) }
    refused("3 jobs") { try bench.begin(jobs: 7, settings) }
    refused("with other settings") { try bench.begin(jobs: 5, lost: .continued, settings) }
    refused("this list has 4") { try bench.begin(jobs: 4, lost: .continued) }
    #expect(try PoolStore.batch(at: address) == nil)
    // A bench that has no tag of it may make it anew; the others continue it there.
    try other.begin(jobs: 5).session.end()
    refused("3 jobs") { try bench.begin(jobs: 5) }
    let again = try bench.begin(jobs: 5, lost: .continued)
    #expect(bench.news.withLock { $0 } == [.takenUp(tags: 3)])
    let store = try PoolStore(address, bench: "looker")
    #expect(try store.tally()["written"] == 3)
    try again.write(4...5)
    try again.session.end()
    #expect(try store.tally() == ["written": 5])
    try bench.begin(jobs: 5).session.end()
    // After a second loss all jobs go on new tags, as was asked for.
    try server.restore(database, from: empty)
    let anew = try bench.begin(jobs: 5, lost: .ignored)
    try anew.write(11...15)
    try anew.session.end()
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 5])
  }

  @Test("with another batch in the place of a bench's own: nothing is said of that one")
  func otherBatch() throws {
    let empty = try server.backUp(database)
    let network = try Network(to: server.port)
    let bench = SampleBench(pool.text(through: network))
    let run = try bench.begin(jobs: 5)
    network.cut()
    try run.write(1...2)
    try server.restore(database, from: empty)
    let other = try server.address(database, "B18")
    try PoolStore.load(5, at: other)
    network.heal()
    // It has come back twice, and each time found the other batch.
    let connections = network.connectionCount
    try waitFor {
      network.connectionCount > connections + 2
        && bench.news.withLock { news in
          if case .away? = news.last { true } else { false }
        }
    }
    let store = try PoolStore(other, bench: "looker")
    #expect(try store.tally() == ["pending": 5])
    #expect(try store.benches().isEmpty && store.events(after: 0, limit: 9).isEmpty)
    try run.session.end()
  }

  @Test("hears everything of each bench once it has begun and ended, whenever it was killed")
  func random() throws {
    let network = try Network(to: server.port)
    let addresses = [text, pool.text(through: network), text]
    let folder = NSTemporaryDirectory() + "pool-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (tags, jobs) = (TagStack(), 60)
    var numbers = SeededGenerator(seed: 20)
    func bench(_ index: Int, _ life: Int = .max) -> ChaosBench {
      ChaosBench(
        address: addresses[index], folder: "\(folder)/\(index)", tags: tags, jobs: jobs, life: life)
    }
    for index in addresses.indices { try bench(index).report() }
    var (backup, restores) = (try server.backUp(database), 0)
    while restores < 4 {
      for index in addresses.indices.shuffled(using: &numbers) {
        if Int.random(in: 0..<4, using: &numbers) == 0 {
          try server.drop(backup)
          backup = try server.backUp(database)
        }
        var chaos = bench(index, Int.random(in: 1...15, using: &numbers))
        // One of them goes on without the database.
        let isAway = index == 1
        if isAway { chaos.incident = (chaos.life / 2, network.cut) }
        #expect(throws: ChaosBench.Killed.self) { try chaos.run() }
        if isAway, Bool.random(using: &numbers) {
          try server.restore(database, from: backup)
          restores += 1
          network.heal()
          for index in addresses.indices { try bench(index).report() }
        }
        network.heal()
      }
      if tags.all.count >= jobs * 3 / 4 { break }
    }
    #expect(restores > 1)
    // Each waits for what the others have in hand.
    together(addresses.count) { index in
      var last = ChaosBench(
        address: addresses[index], folder: "\(folder)/\(index)", tags: tags, jobs: jobs,
        life: 100 * jobs)
      #expect(throws: Never.self) { try last.run() }
    }
    try tags.check(address, jobs)
  }
}
