import Foundation
import GRDB
import SeriesContract
import TagMemory
import Testing

@testable import Ledger
@testable import LedgerSQLite

@Suite("A journal as a ledger")
struct LedgerTests {
  @Test("decides as the rules do, whatever is asked of it", arguments: 1...40)
  func rules(seed: UInt64) throws {
    let session = try JournalBench().session(jobs: 4)
    let journal = session.journal
    let mark = try journal.read { db in
      try Data.fetchOne(db, sql: "SELECT mark FROM session WHERE id = ?", arguments: [session.id])
    }
    let run = try #require(mark.map(Array.init))
    let benches = ["1", "2"].map { station in
      SeriesContract<Journal>.Teller(
        Journal.bench(session.id, station), station: station, run: run)
    }
    var contract = SeriesContract([journal], of: benches, jobs: 4, isShared: false, seed: seed)
    #expect(try contract.faults(in: 60) == [], "seed \(seed)")
    #expect(try journal.verify(facts: true) == [])
  }

  @Test("tells what happened in order, from wherever one has read to, while the line works")
  func events() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 3)
    for number in 1...3 { try session.finish(session.take(JournalBench.tag(number))) }
    let watcher = try bench.open(.readOnly)
    var (read, last): ([Event], Int64) = ([], 0)
    while case let page = try watcher.events(after: last, limit: 4), !page.isEmpty {
      #expect(page.count <= 4)
      read += page
      last = page.last?.number ?? last
    }
    #expect(
      read.map(\.kind) == Array(repeating: ["reserved", "written"], count: 3).flatMap(\.self))
    #expect(read.map(\.job) == [1, 1, 2, 2, 3, 3])
    #expect(read.map(\.number) == read.map(\.number).sorted())
    #expect(read[1].tag == JournalBench.uid(1).bytes)
    #expect(read[1].duration == 60_000)
    try session.passOver(
      JournalBench.tag(9), because: JournalBench.trouble, timing: JournalBench.timing)
    #expect(try watcher.events(after: last, limit: 4).map(\.cause) == ["lost"])
  }
}
