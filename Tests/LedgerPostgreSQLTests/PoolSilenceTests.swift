import Foundation
import Ledger
import Synchronization
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "A pool and those who say nothing more", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolSilenceTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  @Test("a change whose end went nowhere keeps nobody from its job for long")
  func swallowed() throws {
    try PoolStore.load(2, at: address)
    let network = try Network(to: server.port)
    // What is encrypted has no words.
    var through = try PoolAddress(parsing: pool.text(through: network) + "&sslmode=disable")
    through.patience = .milliseconds(1500)
    let store = try PoolStore(through, bench: "A")
    let claim = try #require(try store.claim(1, for: nil).first)
    let message = MessageFacts(digest: SampleList.message(1), length: 20)
    let bind = LedgerCommand.bind(
      bench: "A", epoch: claim.epoch, tag: uid(1), message: message)
    let event = Event(.reserved(job: claim.job, tag: uid(1), message), started: 0)
    let report = PoolReport(EventID(), [bind], event)
    network.swallow("COMMIT")
    #expect(throws: PoolError.away("it says nothing")) { try store.perform([report]) }
    let start = ContinuousClock.now
    try waitFor {
      do throws(PoolError) {
        return try store.perform([report]).first?.decision.isChange == true
      } catch {
        guard case .away = error else { throw error }
        return false
      }
    }
    #expect(start.duration(to: .now) < .seconds(60))
    let connections = try server.owner(of: address).query(
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'bench' AND state <> 'idle'
      """)
    #expect(connections.first?.number(0) == 0)
  }

  @Test("a bench waits for another one that loads the batch, and says so once")
  func loading() throws {
    let other = try PQConnection(address)
    try other.run(
      """
      BEGIN; INSERT INTO nfcprog.batch (name, identity, kind, source, settings, list_digest, jobs)
      VALUES ('A17', decode(repeat('00', 16), 'hex'), 'codes', '', '[]', '\\x00', 0)
      """)
    var short = address
    short.patience = .milliseconds(800)
    var waits = 0
    try PoolStore.load(2, at: short) {
      waits += 1
      if waits == 3 { try? other.run("ROLLBACK") }
    }
    #expect(waits == 3)
    #expect(try PoolStore.batch(at: address)?.jobs == 2)
  }

  /// `rows`: how many it has handed over before; many rows are sent in pieces.
  @Test(
    "a bench that stands still while it loads the batch holds another up no longer than a statement may take",
    arguments: [1, 3000])
  func standingStill(rows: Int) throws {
    var short = address
    short.patience = .milliseconds(800)
    let (begun, loaded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    together(2) { [short] index in
      if index == 1 {
        begun.wait()
        #expect(throws: Never.self) { try PoolStore.load(2, at: short) }
        loaded.signal()
        return
      }
      let list = PoolList(
        kind: "codes", source: "codes.txt", settings: "[]", digest: [7], jobs: rows + 1)
      #expect(throws: LoadFailure.self) {
        try PoolStore.load(
          list, identity: EventID().bytes, at: short, LoadFailure.init
        ) { (take) throws(LoadFailure) in
          let name = String(repeating: "x", count: 200)
          for number in 1...rows + 1 {
            if number > rows {
              begun.signal()
              #expect(loaded.wait(timeout: .now() + 60) == .success)
            }
            try take(PoolJob(number: number, name: name, wantedTag: nil, digest: [1])) { nil }
          }
        }
      }
    }
    #expect(try PoolStore.batch(at: address)?.jobs == 2)
  }

  @Test("rows that another connection keeps locked keep no bench from beginning")
  func lockedRows() throws {
    let first = SampleBench(text)
    do {
      let run = try first.begin(jobs: 8)
      try run.write(1...1)
      // Its claims are there when it comes back.
      run.bench.abandon()
    }
    let other = try PQConnection(address)
    try other.run("BEGIN; SELECT 1 FROM nfcprog.job FOR UPDATE")
    let start = ContinuousClock.now
    for bench in [first, SampleBench(text)] {
      let run = try bench.begin(jobs: 8)
      #expect(try run.session.retryFailed() == 0)
      try run.session.end()
    }
    #expect(start.duration(to: .now) < .seconds(9))
    try other.run("ROLLBACK")
    let again = try first.begin(jobs: 8)
    try again.write(2...8)
    try again.session.end()
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 8])
  }

  @Test("rows that another bench locks for a moment stay this bench's")
  func momentaryLocks() throws {
    try PoolStore.load(4, at: address)
    let store = try PoolStore(address, bench: "A")
    let other = try PQConnection(address)
    /// What `body` gives while the rows are locked, and for a while after.
    func beside<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws -> Value? {
      try other.run("BEGIN; SELECT 1 FROM nfcprog.job FOR UPDATE")
      let given = Mutex<Value?>(nil)
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        begun.signal()
        let value = body()
        given.withLock { $0 = value }
        ended.signal()
      }
      begun.wait()
      Thread.sleep(forTimeInterval: 0.05)
      try other.run("ROLLBACK")
      ended.wait()
      return given.withLock { $0 }
    }
    #expect(try beside { try? store.claim(job: 2)?.job } == 2)
    let claims = try store.ownClaims() + store.claim(3, for: nil)
    #expect(try beside { try? store.entrust(claims) } == [1, 2, 3, 4])
    #expect(try beside { try? store.letGo(claims) } == [1, 2, 3, 4])
  }

  @Test("a bench says once that it waits for the one that extends the batch")
  func extending() throws {
    let first = try SampleBench(text).begin(jobs: 3)
    try first.session.end()
    let other = try PQConnection(address)
    try other.run("BEGIN; UPDATE nfcprog.batch SET jobs = jobs")
    let bench = SampleBench(text)
    together(2) { index in
      if index == 0 {
        let run = try? bench.begin(jobs: 5, extending: true)
        #expect(run != nil)
        try? run?.session.end()
      } else {
        #expect(throws: Never.self) {
          try waitFor { bench.news.withLock { $0.contains(.waiting) } }
        }
        #expect(throws: Never.self) { try other.run("ROLLBACK") }
      }
    }
    #expect(bench.news.withLock { $0 } == [.waiting])
    #expect(try PoolStore.batch(at: address)?.jobs == 5)
  }
}
