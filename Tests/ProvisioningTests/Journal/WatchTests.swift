import Foundation
import GRDB
import Testing

@testable import LedgerSQLite

@Suite("A journal that somebody deletes")
struct WatchTests {
  let bench: JournalBench

  init() throws { bench = try JournalBench() }

  @Test("takes nothing more, whether it was deleted, moved or replaced")
  func gone() throws {
    for change in [
      { (path: String) in try FileManager.default.removeItem(atPath: path) },
      { path in try FileManager.default.moveItem(atPath: path, toPath: path + ".old") },
      { path in
        try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
      },
      { path in try FileManager.default.removeItem(atPath: path + "-wal") },
    ] {
      let bench = try JournalBench()
      let session = try bench.session(jobs: 3)
      try session.finish(try session.take(JournalBench.tag(1)))
      let reservation = try session.take(JournalBench.tag(2))
      try change(bench.path)
      #expect(throws: JournalError.self) { try session.journal.checkFile() }
      #expect(throws: JournalError.self) { try session.take(JournalBench.tag(3)) }
      #expect(throws: JournalError.self) { try session.finish(reservation) }
    }
  }

  @Test("is told before the next tag, also when the line only waits")
  func line() throws {
    let bench = try LineBench(codes: 3)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    let path = bench.journal.path
    let (summary, outcomes) = try bench.run([TestReader("1", tags)]) {
      $0.timeout = .seconds(20)
    } until: { event in
      if case .finished = event.kind { try? FileManager.default.removeItem(atPath: path) }
      return false
    }
    guard case .journal(.gone(path)) = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
    #expect(outcomes.map(\.verdict) == [.passed])
    #expect(tags.compactMap { LineBench.link(on: $0) }.count == 1)
  }

  @Test("after the last tag is told too")
  func end() throws {
    let bench = try LineBench(codes: 1)
    let path = bench.journal.path
    let (summary, _) = try bench.run([TestReader("1", [try LineBench.tag(0)])]) { _ in
    } until: { event in
      if case .finished = event.kind { try? FileManager.default.removeItem(atPath: path) }
      return false
    }
    guard case .journal = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
  }

  @Test("changes of many threads share commits, each whole or not at all")
  func group() throws {
    let session = try bench.session(jobs: 400)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        let tag = JournalBench.tag(thread * 50 + number + 1, station: "\(thread)")
        do {
          let reservation = try session.take(tag)
          // A change that fails leaves those beside it as they are.
          #expect(throws: JournalError.self) {
            try session.journal.write { db in
              try db.execute(sql: "UPDATE job SET name = 'spoilt'")
              throw JournalError.missing("")
            }
          }
          try session.finish(reservation)
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try session.journal.tally().written == 400)
    #expect(try session.journal.verify() == [])
    let names = try session.journal.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE name = 'spoilt'")
    }
    #expect(names == 0)
  }
}
