import Foundation
import GRDB
import JobLists
import Provisioning
import Testing

@testable import LedgerSQLite

/// Whoever starts a series looks at the journals that may have its jobs on tags.
@Suite("A journal of another version that may have the jobs of a list on tags")
struct OtherVersionTests {
  let (bench, other): (JournalBench, JournalBench)

  init() throws { (bench, other) = (try JournalBench(), try JournalBench()) }

  /// A journal as a version with this number for its tables left it.
  private func makeOther(at path: String, _ version: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA application_id = \(Journal.applicationID);
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('\(version)');
          """)
    }
    try database.close()
  }

  private func error(of version: String, at path: String) -> JournalError {
    version == "99" ? .laterVersion(path) : .earlierVersion(path)
  }

  @Test("is named where the list was used with it", arguments: ["10", "99"])
  func marker(version: String) throws {
    let marker = ListMarker(
      ofList: bench.folder.appending(path: "jobs.csv").path, state: bench.folder.path)
    #expect(try marker.add(bench.session(jobs: 1).journal))
    try makeOther(at: bench.path, version)
    // Its first row is another one.
    let journal = try other.open()
    _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in
      try take(JournalBench.job(1, code: "OTHER"))
    }
    #expect(throws: error(of: version, at: bench.path)) {
      try marker.check(journal, MessageFiles())
    }
  }

  @Test("is named where this one was made of it", arguments: ["10", "99"])
  func trail(version: String) throws {
    let path = bench.path
    do {
      let journal = try bench.session(jobs: 1).journal
      try JournalTrail(of: journal, beside: nil, state: bench.folder.path).note(0)
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.moveItem(atPath: path + suffix, toPath: other.path + suffix)
    }
    try makeOther(at: path, version)
    let trail = try JournalTrail(of: other.open(), beside: nil, state: bench.folder.path)
    #expect(throws: error(of: version, at: path)) { try trail.check() }
  }
}
