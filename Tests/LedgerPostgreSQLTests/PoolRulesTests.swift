import Ledger
import SeededNumbers
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

/// What the tables refuse, whoever asks for it as a bench.
@Suite(
  "The rules in a pool's tables", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolRulesTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  /// Job 1 is finished, job 2 is on a tag, job 3 is claimed and job 4 waits; the bench's run has
  /// ended, and the tag of job 1 was inspected.
  private func work() throws -> PoolStore {
    try PoolStore.load(4, at: address)
    let store = try PoolStore(address, bench: "A")
    try store.sayAlive(host: "h")
    let run = BenchRun(
      id: EventID().bytes, operatorName: "Ann", command: "test", version: "1", host: "h", begun: 1)
    try store.tell(run, ended: 2)
    for claim in try store.claim(3, for: nil) where claim.job < 3 {
      let message = SampleList.message(claim.job)
      let bind = LedgerCommand.bind(
        bench: "A", epoch: claim.epoch, tag: uid(claim.job),
        message: MessageFacts(
          digest: message, length: 21, uri: "https://example.com/\(claim.job)",
          day: "2026-11-26"))
      _ = try store.perform(
        bind, on: claim.job, as: EventID(),
        telling: told("reserved", uid(claim.job)))
      guard claim.job == 1 else { continue }
      let finish = LedgerCommand.finish(
        bench: "A", epoch: claim.epoch, tag: uid(1), digest: message, noLocks)
      _ = try store.perform(finish, on: 1, as: EventID(), telling: told("written", uid(1)))
    }
    var inspection = PoolInspection(id: EventID().bytes, job: 1, tag: uid(1), reason: "first")
    (inspection.result, inspection.session, inspection.inspected) = ("bad", run.id, 3)
    try store.tell(inspection)
    return store
  }

  @Test("no word of a bench changes what happened, or stops a batch for the others")
  func refused() throws {
    let store = try work()
    #expect(try store.tally() == ["written": 1, "bound": 1, "claimed": 1, "pending": 1])
    let bench = try PQConnection(address)
    func rows() throws -> [PQRow] {
      try ["job", "batch", "session", "inspection"].flatMap { table in
        try bench.query("SELECT t::text FROM nfcprog.\(table) AS t ORDER BY 1")
      }
    }
    let before = try rows()
    for statement in [
      "job SET epoch = \(Int64.max)", "job SET epoch = epoch + 1000001",
      "job SET recalled = epoch + 1", "job SET lease_until = 'infinity' WHERE number = 3",
      "job SET uid = '\\xffff' WHERE number = 1", "job SET uid = '\\xffff' WHERE number = 2",
      "job SET message_digest = sha256('x') WHERE number = 1",
      "job SET message_digest = sha256('x'), epoch = epoch + 1 WHERE number = 2",
      "job SET uri = 'https://evil.example' WHERE number = 1",
      "job SET is_locked = true, epoch = epoch + 1 WHERE number = 1",
      "batch SET jobs = 1", "batch SET jobs = 5", "batch SET list_digest = '\\x00'",
      "session SET ended_at = 1", "session SET ended_at = NULL",
      "inspection SET result = 'good'", "inspection SET result = NULL",
      "inspection SET text = 'x'", "bench SET alive_until = 'infinity'",
    ] {
      #expect(throws: PoolError.self, "\(statement)") {
        try bench.run("UPDATE nfcprog.\(statement)")
      }
    }
    #expect(try rows() == before)
    #expect(throws: PoolError.self) {
      try bench.run("INSERT INTO nfcprog.bench VALUES (1, 'B', 'h', 'infinity')")
    }
    #expect(throws: PoolError.self) {
      try bench.run(
        """
        INSERT INTO nfcprog.batch (name, identity, kind, source, settings, list_digest, jobs)
        VALUES ('B', decode(repeat('00', 16), 'hex'), 'codes', '', '[]', '\\x00', 9)
        """)
    }
  }

  /// Whoever has the password of a bench writes what he likes, as far as the tables let him.
  @Test("a bench's user gives no event a number, no job a past, and no batch rows of its own")
  func forged() throws {
    _ = try work()
    try server.owner(of: address).run(
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'second') THEN CREATE ROLE second LOGIN; END IF;
      END $$
      """)
    try PoolStore.prepare(pool.socket(), benches: ["bench", "second"])
    let bench = try PQConnection(address)
    let other = try PQConnection(server.socket(database, as: "second", "A17"))
    func rows() throws -> [PQRow] {
      try ["job", "event", "batch"].flatMap { table in
        try bench.query("SELECT t::text FROM nfcprog.\(table) AS t ORDER BY 1")
      }
    }
    let before = try rows()
    let event =
      "INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, started_at, duration"
    let values = "(1, uuid_send(gen_random_uuid()), 'A', 'reserved', 1, '\\x04000000000001', 0, 0"
    let forgeries = [
      "\(event), id) OVERRIDING SYSTEM VALUE VALUES \(values), 9223372036854775807)",
      "\(event), told) VALUES \(values), 'infinity')",
      "UPDATE nfcprog.job SET state = 'bound', epoch = epoch + 1 WHERE number = 1",
      """
      UPDATE nfcprog.job SET state = 'bound', epoch = epoch + 1 WHERE number = 1;
      UPDATE nfcprog.job SET state = 'pending', epoch = epoch + 1, bench = NULL, uid = NULL,
        message_digest = NULL WHERE number = 1
      """,
      """
      UPDATE nfcprog.job SET state = 'bound', epoch = epoch + 1, is_locked = NULL WHERE number = 1;
      UPDATE nfcprog.job SET state = 'written', uri = 'https://evil.example', is_locked = true
        WHERE number = 1
      """,
      """
      \(event)) VALUES \(values));
      UPDATE nfcprog.job SET state = 'bound', epoch = epoch + 1, uri = 'https://evil.example'
        WHERE number = 1
      """,
      "UPDATE nfcprog.job SET uri = 'https://evil.example' WHERE number = 2",
      "UPDATE nfcprog.job SET state = 'written', is_locked = true WHERE number = 2",
      "UPDATE nfcprog.job SET state = 'failed', epoch = epoch + 1, bench = NULL WHERE number = 3",
      "INSERT INTO nfcprog.job (batch, number, name, row_digest) VALUES (1, 5, 'squat', '\\x00')",
      "INSERT INTO nfcprog.job (batch, number, name, row_digest) VALUES (1, 7, 'squat', '\\x00')",
      """
      UPDATE nfcprog.batch SET jobs = jobs;
      INSERT INTO nfcprog.job (batch, number, name, row_digest) VALUES (1, 5, 'squat', '\\x00')
      """,
      "INSERT INTO nfcprog.job (batch, number, name, row_digest, state) VALUES (1, 5, 'x', '', 'failed')",
      "INSERT INTO nfcprog.batch (id, name, identity, kind, source, settings, list_digest, jobs) OVERRIDING SYSTEM VALUE VALUES (99, 'x', decode(repeat('00', 16), 'hex'), 'codes', '', '[]', '', 0)",
    ]
    for statement in forgeries {
      #expect(throws: PoolError.self, "\(statement)") {
        try bench.run("BEGIN; \(statement); COMMIT")
      }
      try? bench.run("ROLLBACK")
      #expect(try rows() == before, "\(statement)")
    }
    // The bench A is the user's that worked as it first.
    for statement in [
      "\(event)) VALUES \(values))",
      "UPDATE nfcprog.bench SET alive_until = clock_timestamp() WHERE name = 'A'",
      "INSERT INTO nfcprog.bench (batch, name, host, alive_until) VALUES (1, 'A', 'x', now()) ON CONFLICT (batch, name) DO UPDATE SET host = 'x'",
      "UPDATE nfcprog.session SET ended_at = 9",
      "UPDATE nfcprog.job SET state = 'claimed', bench = 'A', epoch = epoch + 1 WHERE number = 4",
      "UPDATE nfcprog.job SET lease_until = NULL, epoch = epoch + 1 WHERE number = 3",
    ] {
      #expect(throws: PoolError.self, "\(statement)") {
        try other.run("BEGIN; \(statement); COMMIT")
      }
      try? other.run("ROLLBACK")
      #expect(try rows() == before, "\(statement)")
    }
    // It has work of its own.
    let own = try PoolStore(server.socket(database, as: "second", "A17"), bench: "C")
    try own.sayAlive(host: "h")
    #expect(try own.claim(1, for: nil).map(\.job) == [4])
  }

  @Test("what a bench does by the rules goes on: a tag is taken over, and an inspection dropped")
  func allowed() throws {
    let store = try work()
    try store.sayGone()
    let other = try PoolStore(address, bench: "B")
    for job in 1...2 {
      let command = LedgerCommand.takeOver(bench: "B", tag: uid(job))
      let told = told("resumed", uid(job))
      #expect(try other.perform(command, on: job, as: EventID(), telling: told).isChange)
    }
    let recall = LedgerCommand.recall(
      bench: "A", tag: uid(9), message: MessageFacts(digest: SampleList.message(4)), epoch: 90_000)
    let isRecalled = try store.perform(recall, on: 4, as: EventID(), telling: told("", uid(9)))
    #expect(isRecalled.isChange)
    #expect(try store.standing(ofJob: 4)?.recalled == 90_000)
    let inspection = try #require(try PoolReading(address).inspections().first)
    var again = inspection
    again.result = "good"
    try store.tell(again)
    #expect(try PoolReading(address).inspections() == [inspection])
    try store.drop(inspection: inspection.id)
    #expect(try PoolReading(address).inspections() == [])
  }

  @Test("a name of any length is taken, though an index takes no more than a part of one")
  func longName() throws {
    // Hardly to be compressed: an index would have to take all of it.
    var numbers = SeededGenerator(seed: 7)
    let name = (0..<6000).map { _ in String(Int.random(in: 0..<36, using: &numbers), radix: 36) }
    try PoolStore.load(1, at: address.naming("B"), code: name.joined())
    #expect(try PoolStore.batch(at: address.naming("B"))?.jobs == 1)
  }
}
