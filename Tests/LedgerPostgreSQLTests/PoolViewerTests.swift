import Bytes
import Foundation
import Testing

@testable import HubKit
@testable import Ledger
@testable import LedgerPostgreSQL

@Suite(
  "All batches of a pool, as a hub looks at them", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolViewerTests: PoolSuite {
  let pool: SamplePool
  let store: PoolStore
  let viewer: PoolViewer

  init() throws {
    pool = try SamplePool()
    try PoolStore.load(50, at: pool.address)
    store = try PoolStore(pool.address, bench: "A")
    viewer = try PoolViewer(pool.address)
  }

  private func digest(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number), count: 32) }

  /// Puts a job on a tag; `ending`: `written`, `held` or `returned`.
  private func work(_ ending: String) throws -> Int {
    let claim = try #require(try store.claim(1, for: nil).first)
    let (tag, message) = (uid(claim.job), digest(claim.job))
    _ = try store.perform(
      .bind(
        bench: "A", epoch: claim.epoch, tag: tag, message: MessageFacts(digest: message)),
      on: claim.job, as: EventID(), telling: told("reserved", tag))
    let command: LedgerCommand =
      switch ending {
      case "held": .hold(bench: "A", epoch: claim.epoch, tag: tag)
      case "returned": .giveBack(bench: "A", epoch: claim.epoch, tag: tag, isScrap: true)
      default: .finish(bench: "A", epoch: claim.epoch, tag: tag, digest: message, noLocks)
      }
    _ = try store.perform(command, on: claim.job, as: EventID(), telling: told(ending, tag))
    return claim.job
  }

  @Test("counts as the jobs stand, by events after the first time")
  func tally() throws {
    let hub = PoolHubStore(viewer)
    var seen: [HubBatch] = []
    for ending in ["", "written", "written", "held", "returned", "written"] {
      if !ending.isEmpty { _ = try work(ending) }
      seen.append(try hub.batch("A17"))
    }
    #expect(seen.map(\.written) == [0, 1, 2, 2, 2, 3])
    #expect(seen.map(\.reserved) == [0, 0, 0, 1, 1, 1])
    #expect(seen.map(\.scrap) == [0, 0, 0, 0, 1, 1])
    #expect(seen.allSatisfy { $0.pending + $0.reserved + $0.written == 50 && $0.jobs == 50 })
    // A finished tag is taken up again, and so is not finished.
    let tag = uid(1)
    _ = try store.perform(
      .takeOver(bench: "B", tag: tag), on: 1, as: EventID(), telling: told("resumed", tag))
    #expect(try hub.batch("A17").written == 2)
    // The same as somebody who counts anew.
    #expect(try PoolHubStore(PoolViewer(address)).batch("A17") == hub.batch("A17"))
    #expect(try hub.batch("A17").types.values.reduce(0, +) == 2)
    let counts = try store.tally()
    #expect(try hub.batch("A17").written == counts["written"])
  }

  @Test("what stations show is the last that their bench has said, with the name of the job")
  func stations() throws {
    let run = BenchRun(
      id: EventID().bytes, operatorName: "Ann", command: "test", version: "1", host: "h", begun: 1)
    try store.tell(run)
    let tag = uid(7)
    try store.show(
      [
        ShownStation(name: "1", word: "place", since: 5),
        ShownStation(
          name: "2", word: "fail", bin: "aside", text: "“why”\n{}", job: 3, uid: tag, since: 6),
      ], session: run.id)
    let lost = ShownStation(name: "1", word: "lost", text: "gone", since: 9)
    try store.show([lost], session: run.id)
    let shown = try viewer.stations(of: viewer.batch("A17"), limit: 10)
    #expect(shown.map(\.shown.word) == ["lost", "fail"] && shown[0].shown == lost)
    #expect(shown[1].shown.uid == tag && shown[1].shown.text == "“why”\n{}")
    #expect(shown[1].jobName != nil && shown[0].jobName == nil)
    #expect(shown.allSatisfy { $0.bench == "A" && $0.run == Hex.string(run.id) })
    #expect(try viewer.stations(of: viewer.batch("A17"), limit: 1).count == 1)
  }

  @Test("rows with any numbers and times make a board")
  func anyNumbers() throws {
    let run = BenchRun(
      id: EventID().bytes, operatorName: "Ann", command: "test", version: "1", host: "h",
      begun: .min)
    try store.tell(run)
    var hostile = ShownStation(name: "1", word: "place", since: 0)
    hostile.since = .max
    try store.show([hostile], session: run.id)
    let owner = try server.owner(of: address)
    for jobs in [Int64.min, .max] {
      try owner.run(
        """
        ALTER TABLE nfcprog.batch DISABLE TRIGGER USER; UPDATE nfcprog.batch SET jobs = \(jobs);
        INSERT INTO nfcprog.event (batch, uuid, bench, kind, station, started_at, duration, told)
          SELECT id, uuid_send(gen_random_uuid()), 'A', 'written', '1', \(jobs), \(jobs), 'infinity'
          FROM nfcprog.batch
        """)
      var reader = BoardReader(PoolHubStore(viewer), "A17")
      let board = try #require(try reader.read().board)
      #expect(board.stations.count == 1 && (0...Int(Int32.max)).contains(board.batch.pending))
      #expect(try PoolHubStore(viewer).batches().map(\.pending) == [board.batch.pending])
    }
  }

  @Test("a list of batches counts as each by itself does, also where they are worked on")
  func overview() throws {
    try PoolStore.load(7, at: pool.address.naming("B"))
    let hub = PoolHubStore(viewer)
    func check() throws {
      for _ in 1...2 {
        for var batch in try hub.batches() {
          #expect(batch.benches == 0 && batch.lastEvent != nil)
          (batch.benches, batch.lastEvent) = (nil, nil)
          #expect(try batch == PoolHubStore(PoolViewer(address)).batch(batch.id))
        }
      }
    }
    try check()
    for ending in ["written", "held", "returned", "written"] {
      _ = try work(ending)
      try check()
    }
    #expect(try hub.batches().map(\.id) == ["A17", "B"])
    #expect(try hub.batches(limit: 1).map(\.id) == ["B"])
    try store.sayAlive(host: "h")
    #expect(try hub.batches().map(\.benches) == [1, 0])
  }

  @Test("events are shown in order, and none before another that has a smaller number")
  func gaps() throws {
    _ = try work("written")
    let batch = try viewer.batch("A17")
    let before = try viewer.lastEvent(of: batch)
    #expect(before > 0)
    // Somebody has drawn a number, and takes his time.
    let slow = try server.owner(of: address)
    try slow.run("BEGIN")
    func insert(_ connection: PQConnection) throws {
      try connection.run(
        """
        INSERT INTO nfcprog.event (batch, uuid, bench, kind, started_at, duration)
        VALUES (\(batch.number), uuid_send(gen_random_uuid()), 'A', 'passed', 0, 0)
        """)
    }
    try insert(slow)
    _ = try work("written")
    #expect(try viewer.events(of: batch, after: before, limit: 100).isEmpty)
    #expect(try viewer.lastEvent(of: batch) == before)
    try slow.run("COMMIT")
    // What has happened since may take one more look.
    _ = try viewer.lastEvent(of: batch)
    let news = try viewer.events(of: batch, after: before, limit: 100).map(\.event)
    #expect(news.map(\.kind) == ["passed", "reserved", "written"])
    #expect(news.map(\.number) == news.map(\.number).sorted())
  }

  @Test("a hub that starts while somebody holds the events knows what was there before")
  func startsLate() throws {
    _ = try work("written")
    let batch = try viewer.batch("A17")
    let before = try viewer.lastEvent(of: batch)
    let slow = try server.owner(of: address)
    try slow.run("BEGIN")
    try slow.run(
      """
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, started_at, duration)
      VALUES (\(batch.number), uuid_send(gen_random_uuid()), 'A', 'passed', 0, 0)
      """)
    _ = try work("written")
    let late = try PoolViewer(address)
    #expect(try late.lastEvent(of: batch) == before)
    #expect(try late.events(of: batch, after: before, limit: 100).isEmpty)
    #expect(try late.newestNumber() > before + 1)
    try slow.run("COMMIT")
    _ = try late.lastEvent(of: batch)
    #expect(
      try late.events(of: batch, after: before, limit: 100).map(\.event.kind) == [
        "passed", "reserved", "written",
      ])
  }

  @Test("jobs are found by state, name, number and tag, page by page")
  func jobs() throws {
    let hub = PoolHubStore(viewer)
    let done = try work("written")
    let held = try work("held")
    func numbers(_ filter: JobFilter, after: Int = 0, limit: Int = 100) throws -> [Int] {
      try hub.jobs(of: "A17", filter, after: after, limit: limit).map(\.number)
    }
    #expect(try numbers(JobFilter()) == Array(1...50))
    #expect(try numbers(JobFilter(), after: 48) == [49, 50])
    #expect(try numbers(JobFilter(state: .written)) == [done])
    #expect(try numbers(JobFilter(state: .reserved)) == [held])
    #expect(try numbers(JobFilter(state: .pending), limit: 2) == [3, 4])
    // A job that a bench has claimed waits, as no tag has it.
    let before = try hub.batch("A17")
    let claimed = try #require(try store.claim(1, for: nil).first)
    #expect(try numbers(JobFilter(state: .pending), limit: 2) == [claimed.job, claimed.job + 1])
    #expect(try numbers(JobFilter(state: .reserved)) == [held])
    for seen in [try hub.batch("A17")] + (try hub.batches().filter { $0.id == "A17" }) {
      #expect(seen.pending == before.pending && seen.reserved == before.reserved)
      #expect(seen.claimed == before.claimed + 1)
    }
    #expect(try numbers(JobFilter(name: "CODE-4"), limit: 3) == [4, 40, 41])
    #expect(try numbers(JobFilter(name: "CODE-4"), after: 41, limit: 3) == [42, 43, 44])
    #expect(try numbers(JobFilter(name: "%")) == [])
    #expect(try numbers(JobFilter(number: 7)) == [7])
    let job = try #require(
      try hub.jobs(of: "A17", JobFilter(tag: uid(done)), after: 0, limit: 1).first)
    #expect(job.number == done && job.event?.kind == "written")
    #expect(
      try hub.history(ofTag: .init(uid(done)), limit: 9).map(\.event.kind) == [
        "reserved", "written",
      ])
    #expect(
      try hub.history(ofJob: held, in: "A17", limit: 9).map(\.jobName) == ["CODE-2", "CODE-2"])
    #expect(throws: HubError.noBatch("B")) { try hub.batch("B") }
  }

  @Test("what is asked of a batch is found by indexes")
  func plans() throws {
    try PoolStore.load(20_000, at: server.pool("B"))
    let connection = try PoolStore.connect(address)
    let questions = [
      "job_waiting":
        "SELECT * FROM nfcprog.job WHERE batch = 1 AND number > 7 AND \(PoolSchema.isWaiting) ORDER BY number LIMIT 9",
      "job_written":
        "SELECT count(*) FROM nfcprog.job WHERE batch = 1 AND state = 'written'",
      "job_of_name":
        "SELECT 1 FROM nfcprog.job WHERE batch = 1 AND name ~>=~ 'A' AND name ~<~ 'B' LIMIT 9",
      "event_of_tag": "SELECT * FROM nfcprog.event WHERE uid = '\\x04' ORDER BY id LIMIT 9",
      "event_of_job":
        "SELECT kind FROM nfcprog.event WHERE batch = 1 AND job = 7 AND id <= 9 AND kind <> 'passed' ORDER BY id DESC LIMIT 1",
      "event_of_figures":
        "SELECT kind, cause, tag, count(*), min(id) FROM nfcprog.event WHERE batch = 1 AND id <= 9 AND kind IN ('written', 'returned', 'held', 'passed') GROUP BY kind, cause, tag",
      "job_in_hand":
        "SELECT count(*) FROM nfcprog.job WHERE batch = 1 AND state IN \(ListedJob.State.reserved.words)",
    ]
    for (index, question) in questions {
      let plan = try connection.query("EXPLAIN \(question)").compactMap { $0[0] }
        .joined(separator: "\n")
      #expect(plan.contains(index), "\(plan)")
      #expect(!plan.contains("Seq Scan on"), "\(plan)")
    }
  }

  @Test("answers again after the database was away")
  func away() throws {
    let own = try SamplePool(on: PostgresServer(7))
    try PoolStore.load(3, at: own.address)
    let viewer = try PoolViewer(own.address)
    #expect(try viewer.batches().map(\.name) == ["A17"])
    try own.server.crash()
    #expect(try viewer.batches().map(\.name) == ["A17"])
  }
}
