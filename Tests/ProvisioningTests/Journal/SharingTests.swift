import Foundation
import GRDB
import Synchronization
import Testing

@testable import LedgerSQLite

@Suite("A journal that is shared")
struct SharingTests {
  @Test("gives every job out once, whoever asks", arguments: [1, 4])
  func hammering(connections: Int) throws {
    let bench = try JournalBench()
    let count = 120
    try bench.session(jobs: count).end()
    let sessions = try (0..<connections).map { _ in try bench.open().begin() }
    let done = Mutex<[String]>([])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      let session = sessions[worker % connections]
      let station = "\(worker)"
      var tag = worker * 1000
      do {
        while true {
          tag += 1
          let outcome = try session.reserve(
            for: JournalBench.tag(tag, station: station), make: makeText)
          guard case .reserved(let reservation) = outcome else { break }
          switch tag % 5 {
          case 0: try session.giveBack(reservation, isScrap: true)
          case 1:
            try session.hold(reservation)
            let again = try session.take(JournalBench.tag(tag, station: station))
            try session.finish(again)
            done.withLock { $0.append(again.job.name) }
          default:
            try session.finish(reservation)
            done.withLock { $0.append(reservation.job.name) }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 }.isEmpty)
    #expect(done.withLock { Set($0).count } == count)
    #expect(done.withLock { $0.count } == count)
    #expect(try bench.open().verify(facts: true) == [])
  }

  @Test("is made once when several begin at the same moment", arguments: 0..<10)
  func creating(round: Int) throws {
    let bench = try JournalBench()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do {
        _ = try bench.open().begin()
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try bench.open().verify(facts: true) == [])
  }

  @Test(
    "is made by two in turn: each goes on where the other is",
    arguments: Journal.migrator.migrations)
  func madeInTurn(version: String) throws {
    let bench = try JournalBench()
    let other = try DatabaseQueue(path: bench.path)
    // Before this one's first transaction the other makes the versions up to `version`.
    let transactions = Mutex(0)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace { event in
        guard "\(event)".hasPrefix("BEGIN IMMEDIATE") else { return }
        let isFirst = transactions.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { return }
        #expect(throws: Never.self) { try Journal.migrator.migrate(other, upTo: version) }
      }
    }
    let database = try DatabaseQueue(path: bench.path, configuration: configuration)
    try Journal.makeTables(database)
    #expect(transactions.withLock { $0 } > 0)
    #expect(try database.read(Journal.migrator.hasCompletedMigrations))
  }

  @Test("is busy when another keeps it to itself")
  func busy() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 1)
    let other = try bench.open(busyTimeout: 0.05)
    try session.journal.database.inDatabase { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(throws: JournalError.busy(bench.path)) { try other.begin() }
      try db.execute(sql: "ROLLBACK")
    }
    _ = try other.begin()
  }
}
