import Foundation
import Ledger
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

/// How the tables are made and kept, and what their roles may do.
@Suite(
  "The tables of a pool", .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolTablesTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  @Test("lets a bench's role do its work, and nothing that would hurt the order")
  func rights() throws {
    try PoolStore.load(2, at: address)
    let connection = try PQConnection(address)
    for forbidden in [
      "DELETE FROM nfcprog.event", "DELETE FROM nfcprog.job", "DROP TABLE nfcprog.job",
      "TRUNCATE nfcprog.job", "UPDATE nfcprog.event SET kind = 'x'",
      "UPDATE nfcprog.job SET row_digest = '\\x00'", "CREATE TABLE nfcprog.mine (id int)",
      "UPDATE nfcprog.batch SET name = 'x'",
    ] {
      do {
        try connection.run(forbidden)
        Issue.record("\(forbidden) was done")
      } catch {
        guard case .notAllowed = error else { throw error }
      }
    }
    for impossible in [
      "UPDATE nfcprog.job SET state = 'written' WHERE number = 1",
      "UPDATE nfcprog.job SET epoch = -1 WHERE number = 1",
      "UPDATE nfcprog.job SET bench = 'me', state = 'claimed' WHERE number = 1",
      """
      UPDATE nfcprog.job SET bench = 'me', state = 'claimed', epoch = 1;
      UPDATE nfcprog.job SET state = 'bound', uid = '\\x04', message_digest = decode(repeat('00', 32), 'hex')
      """,
    ] {
      #expect(throws: PoolError.self, "\(impossible)") { try connection.run(impossible) }
    }
  }

  @Test("tables of an earlier version are refused and left as they are", arguments: 1...9)
  func earlierVersion(_ version: Int) throws {
    try PoolStore.load(2, at: address)
    let owner = try server.owner(of: address)
    try owner.run("UPDATE nfcprog.version SET version = \(version)")
    #expect(throws: PoolError.otherVersion(version)) { try PoolStore(address, bench: "A") }
    #expect(throws: PoolError.otherVersion(version)) {
      try PoolStore.prepare(try server.socket(address.database, as: "owner", "A17"))
    }
    let error = "\(PoolError.otherVersion(version))"
    #expect(error.contains("make another database"), "\(error)")
    try owner.run("UPDATE nfcprog.version SET version = \(PoolSchema.version)")
    #expect(try PoolStore(address, bench: "A").tally() == ["pending": 2])
  }

  @Test("a job is recalled in the epoch that its bench names, and that ends with its claim")
  func recalled() throws {
    try PoolStore.load(2, at: address)
    let store = try PoolStore(address, bench: "A")
    try store.sayAlive(host: "h")
    let recall = LedgerCommand.recall(bench: "A", tag: [4], message: nil, epoch: 3)
    #expect(try store.perform(recall, on: 1, as: EventID(), telling: told("")).isChange)
    #expect(try store.standing(ofJob: 1)?.recalled == 3)
    // With the epoch ends what was recalled in it.
    #expect(try store.letGo([PoolClaim(job: 1, epoch: 3)]) == [1])
    #expect(try store.standing(ofJob: 1) == JobStanding(epoch: 4))
  }

  @Test("is made once when several owners begin at the same moment")
  func madeTogether() throws {
    let name = "together\(UInt32.random(in: 1...UInt32.max))"
    try PQConnection(server.socket("postgres", as: "owner", "A17")).run("CREATE DATABASE \(name)")
    let owner = try server.socket(name, as: "owner", "A17")
    let failures = Mutex<[String]>([])
    for _ in 1...10 {
      try PQConnection(owner).run("DROP SCHEMA IF EXISTS nfcprog CASCADE")
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do {
          try PoolStore.prepare(owner, benches: ["bench"])
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let together = try server.address(name, "A17")
    try PoolStore.load(2, at: together)
    #expect(try PoolStore(together, bench: "A").tally() == ["pending": 2])
  }

  @Test("an owner who gives rights does not wait for a bench in the middle of a change")
  func givenMeanwhile() throws {
    try PoolStore.load(2, at: address)
    let owner = try server.socket(address.database, as: "owner", "A17")
    let bench = try PQConnection(address)
    try bench.run(
      """
      BEGIN; SELECT 1 FROM nfcprog.batch FOR KEY SHARE;
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, started_at, duration)
        SELECT id, decode(md5('a'), 'hex'), 'A', 'returned', 0, 0 FROM nfcprog.batch;
      """)
    let given = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try PoolStore.prepare(owner, benches: ["bench"]) }
      given.signal()
    }
    let isGiven = given.wait(timeout: .now() + 60) == .success
    try bench.run("COMMIT")
    if !isGiven { given.wait() }
    #expect(isGiven)
  }

  @Test("tables of a later version are left as they are")
  func laterVersion() throws {
    try server.owner(of: address).run("INSERT INTO nfcprog.version VALUES (99)")
    let owner = try server.socket(address.database, as: "owner", "A17")
    #expect(throws: PoolError.otherVersion(99)) { try PoolStore.prepare(owner) }
    try server.owner(of: address).run(
      "DELETE FROM nfcprog.version; INSERT INTO nfcprog.version VALUES (-1)")
    #expect(throws: PoolError.otherVersion(-1)) { try PoolStore.prepare(owner) }
  }
}
