import Foundation
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A pool with many jobs",
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolSpeedTests {
  /// `NFCPROG_EXHAUSTIVE` takes a million.
  static let jobs =
    ProcessInfo.processInfo.environment["NFCPROG_EXHAUSTIVE"] == nil ? 20_000 : 1_000_000

  @Test("gives jobs when it is full as when most is worked off, and says how long that took")
  func speed() throws {
    let address = try PostgresServer.shared.get().pool("A17")
    let clock = ContinuousClock()
    let loading = try clock.measure { try PoolStore.load(Self.jobs, at: address) }
    let store = try PoolStore(address, bench: "A")
    func claims(_ count: Int) throws -> [Duration] {
      try (0..<count).map { _ in
        var got = 0
        let time = try clock.measure { got = try store.claim(8, for: "ntag213").count }
        #expect(got == 8)
        return time
      }.sorted()
    }
    let first = try claims(100)
    // Most of the batch is worked off, as it is after days.
    let owner = try PostgresServer.shared.get().owner(of: address)
    owner.isPatient = true
    try owner.run(
      """
      UPDATE nfcprog.job SET state = 'claimed', bench = 'B', epoch = epoch + 1
      WHERE state = 'pending' AND number < \(Self.jobs - 2000)
      """)
    let last = try claims(100)
    print(
      "pool: \(Self.jobs) jobs loaded in \(loading); a claim of 8 takes \(first[50]) at first, \(last[50]) at last"
    )
  }

  /// Tags of which the database has forgotten all, and of which it has never heard;
  /// `NFCPROG_POOL_RETELLING=45000,20000` sets them.
  static let retold: [Int] = {
    let text = ProcessInfo.processInfo.environment["NFCPROG_POOL_RETELLING"] ?? "150,100"
    return text.split(separator: ",").compactMap { Int($0) }
  }()

  @Test("hears again what it has forgotten, and what it has never heard")
  func retelling() throws {
    let (told, untold, clock) = (Self.retold[0], Self.retold[1], ContinuousClock())
    let pool = try SamplePool()
    let network = try Network(to: pool.server.port)
    let bench = SampleBench(pool.text(through: network))
    try bench.begin(jobs: told + untold).session.end()
    let backup = try pool.server.backUp(pool.database)
    let run = try bench.begin(jobs: told + untold, ahead: told + untold)
    /// Puts jobs on tags without the database, which hears of them then.
    func work(_ numbers: Range<Int>, behind restore: () throws -> Void = {}) throws -> Duration {
      network.cut()
      _ = try run.journal.history(of: UID(uid(9)))
      try waitFor { run.bench.isAway }
      for number in numbers {
        let uid = [0x04] + (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        try run.finish(#require(try run.reserve(uid)))
      }
      try restore()
      network.heal()
      return try clock.measure {
        var left = Int.max
        while left > 0 {
          usleep(20_000)
          left = try run.bench.isAway ? .max : run.journal.untoldCount()
        }
      }
    }
    let first = try work(0..<told)
    let again = try work(told..<(told + untold)) {
      try pool.server.restore(pool.database, from: backup)
    }
    print(
      "pool: \(2 * told) events told in \(first), \(2 * (told + untold)) told again in \(again)")
    try run.session.end()
    #expect(try PoolStore(pool.address, bench: "looker").tally() == ["written": told + untold])
  }

  /// Statistics are not made while a batch is loaded, and a bench may not make them.
  @Test("reads few rows for a claim also where the database knows only an earlier, short batch")
  func oldStatistics() throws {
    let server = try PostgresServer.shared.get()
    let address = try server.pool("A17")
    try PoolStore.load(3, at: address)
    try server.owner(of: address).run("ANALYZE")
    let long = address.naming("B18")
    try PoolStore.load(20_000, at: long, code: "LONG")
    let store = try PoolStore(long, bench: "A")
    let number = store.batch
    let claims = try store.claim(8, for: "ntag213")
    _ = try store.entrust(claims)
    _ = try store.claim(job: 19_000)
    _ = try store.expire()
    let bind = LedgerCommand.bind(
      bench: "A", epoch: 1, tag: uid(1),
      message: MessageFacts(digest: SampleList.message(1)))
    _ = try store.perform(bind, on: 1, as: EventID(), telling: told("reserved", uid(1)))
    let unchanged =
      ["19000", "'bound'", "0", "NULL", "'A'"] + Array(repeating: "NULL", count: 9)
      + ["-1", "'bound'"]
    func expectFewPages(_ word: String, _ values: [String]) throws {
      let plan = try store.plan(of: word, [String(number)] + values)
      let pages = plan.firstMatch(of: /Buffers: shared (?:hit=(\d+))?(?: ?read=(\d+))?/)
      let count = [pages?.1, pages?.2].compactMap { $0 ?? nil }.compactMap { Int($0) }.reduce(0, +)
      #expect((1..<250).contains(count), "\(word): \(plan)")
    }
    let entrusting = ("given.number", ["'A'", "'{2,3}'", "'{1,1}'"])
    for (word, values) in [
      ("any_type", ["'A'", "8", "'ntag213'", "0", "20000", "1000"]),
      ("'pending' AND number = $2", ["19001", "'A'", "1000"]), ("WITH over", []),
      entrusting,
      ("FROM nfcprog.job WHERE batch = $1 AND number = $2", ["19000", "NULL", "NULL"]),
      ("WITH changed", unchanged + Array(repeating: "NULL", count: 20)),
    ] { try expectFewPages(word, values) }
    // However many the bench has.
    for _ in 0..<10 { _ = try store.claim(PoolStore.claimedTogether, for: "ntag213") }
    try expectFewPages(entrusting.0, entrusting.1)
  }

  @Test("is asked through indexes only")
  func plans() throws {
    let server = try PostgresServer.shared.get()
    let address = try server.pool("A17")
    try PoolStore.load(20_000, at: address)
    let owner = try server.owner(of: address)
    // The state in which it is most of the time: much is done, much is left.
    try owner.run(
      """
      UPDATE nfcprog.job SET state = 'claimed', bench = 'B', epoch = 1 WHERE number < 9000;
      UPDATE nfcprog.job SET state = 'bound', uid = decode(lpad(to_hex(number), 14, '0'), 'hex'),
        message_digest = sha256(number::text::bytea) WHERE number < 9000
      """)
    // As a bench asks, before the database has any statistics, and with them.
    let bench = try PoolStore.connect(address)
    for isAnalyzed in [false, true] {
      if isAnalyzed { try owner.run("ANALYZE nfcprog.job") }
      try check(bench)
    }
  }

  private func check(_ bench: PQConnection) throws {
    let questions = [
      "job_pending": PoolStore.picking(limit: "8", batch: "1", type: "'ntag213'", behind: "7"),
      "job_of_": "SELECT number FROM nfcprog.job WHERE batch = 1 AND uid = '\\x04'",
      "_message on job":
        "SELECT number FROM nfcprog.job WHERE batch = 1 AND message_digest = '\\x04'",
      "job_pkey": "SELECT state FROM nfcprog.job WHERE batch = 1 AND number = 7",
      "event_of_batch":
        "SELECT id FROM nfcprog.event WHERE batch = 1 AND id > 7 ORDER BY id LIMIT 9",
    ]
    for (index, question) in questions {
      let plan = try bench.query("EXPLAIN \(question)").compactMap { $0[0] }
        .joined(separator: "\n")
      #expect(plan.contains(index), "\(plan)")
      #expect(!plan.contains("Seq Scan on"), "\(plan)")
    }
  }
}

extension PoolStore {
  /// How the server carries out a statement with a word in it, which was asked before.
  fileprivate func plan(of word: String, _ values: [String]) throws -> String {
    try with { (connection) throws(PoolError) in
      let known = try connection.query(
        "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%' || $1 || '%' LIMIT 1",
        [.text(word)])
      try connection.run("BEGIN")
      let plan = try connection.query(
        "EXPLAIN (ANALYZE, BUFFERS) EXECUTE \(known.first?[0] ?? "none") (\(values.joined(separator: ", ")))"
      )
      try connection.run("ROLLBACK")
      return plan.compactMap { $0[0] }.joined(separator: "\n")
    }
  }
}
