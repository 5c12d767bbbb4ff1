import Foundation
import Ledger
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

@Suite(
  "Releasing a bench's jobs", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolReleaseTests {
  private func bind(_ store: PoolStore, _ claim: PoolClaim) throws {
    let command = LedgerCommand.bind(
      bench: store.bench, epoch: claim.epoch, tag: [4, UInt8(claim.job)],
      message: MessageFacts(digest: Array(repeating: UInt8(claim.job), count: 32)))
    #expect(
      try store.perform(
        command, on: claim.job, as: EventID(), telling: told("reserved", [4, UInt8(claim.job)])
      ).isChange)
  }

  @Test("takes nothing from a bench that begins at the same moment")
  func beginning() throws {
    let address = try PostgresServer.shared.get().pool("A17")
    try PoolStore.load(9, at: address)
    let bench = try PoolStore(address, bench: "A")
    try bench.sayAlive(host: "a")
    let claims = try bench.claim(4, for: nil)
    _ = try bench.entrust(claims)
    try bind(bench, claims[0])
    try bench.sayGone()
    let before = try bench.benches()
    // The bench begins: it has said so, and the database has not answered yet.
    let beginning = try PQConnection(address)
    try beginning.run(
      "BEGIN; UPDATE nfcprog.bench SET alive_until = clock_timestamp() + interval '1 min'")
    let released = Mutex<Result<Int?, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let result = Result<Int?, any Error> {
        try PoolStore(address, bench: "operator").release(bench: "A", at: 0)
      }
      released.withLock { $0 = result }
      ended.signal()
    }
    // The operator's statement waits for the bench's.
    let server = try PostgresServer.shared.get()
    let owner = try server.owner(of: address)
    try waitFor {
      try owner.query(
        """
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'
        """
      ).count > 0
    }
    try beginning.run("COMMIT")
    ended.wait()
    #expect(try released.withLock { try $0?.get() } == .some(nil))
    let after = try bench.benches()
    #expect(after.map(\.claimed) == before.map(\.claimed))
    #expect(after.map(\.bound) == before.map(\.bound))
    #expect(try bench.events(after: 0, limit: 9).map(\.kind) == ["reserved"])
    try bench.sayGone()
    #expect(try PoolStore(address, bench: "operator").release(bench: "A", at: 0) == 4)
    #expect(try bench.tally() == ["pending": 9])
  }

  @Test("counts the jobs of benches in a long batch, and says how long that took")
  func longBatch() throws {
    let server = try PostgresServer.shared.get()
    let address = try server.pool("A17")
    let jobs = PoolSpeedTests.jobs
    try PoolStore.load(jobs, at: address)
    let owner = try server.owner(of: address)
    owner.isPatient = true
    try owner.run(
      """
      INSERT INTO nfcprog.bench (batch, name, host, alive_until)
      SELECT 1, 'bench ' || n, 'h', now() FROM generate_series(0, 19) AS n;
      ALTER TABLE nfcprog.job DISABLE TRIGGER job_order;
      UPDATE nfcprog.job SET state = 'written', bench = 'bench ' || number % 20, epoch = 1,
        uid = int8send(number), message_digest = sha256(int8send(number)) WHERE number <= \(jobs - 1000);
      UPDATE nfcprog.job SET state = 'claimed', bench = 'bench 3', epoch = 1
        WHERE number BETWEEN \(jobs - 999) AND \(jobs - 995);
      ALTER TABLE nfcprog.job ENABLE TRIGGER job_order; ANALYZE nfcprog.job
      """)
    let store = try PoolStore(address, bench: "operator")
    var benches: [PoolBenchState] = []
    let counting = try ContinuousClock().measure { benches = try store.benches() }
    #expect(benches.count == 20 && benches.allSatisfy { $0.written == (jobs - 1000) / 20 })
    #expect(benches.first { $0.name == "bench 3" }?.claimed == 5)
    var count: Int?
    let releasing = try ContinuousClock().measure {
      count = try store.release(bench: "bench 3", at: 0)
    }
    #expect(count == 5)
    print("pool: \(jobs) jobs counted by bench in \(counting), 5 released in \(releasing)")
  }
}
