import Foundation
import GRDB
import Testing

@testable import LedgerSQLite

@Suite("A journal of an earlier version")
struct EarlierVersionTests {
  @Test("is refused and left as it is, whatever it is opened for", arguments: 1...10)
  func refused(version: Int) throws {
    let bench = try JournalBench()
    // As those versions named their tables.
    let database = try DatabaseQueue(path: bench.path)
    try database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA application_id = \(Journal.applicationID);
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          CREATE TABLE event (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL) STRICT;
          """)
      for made in 1...version {
        try db.execute(
          sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: ["\(made)"])
      }
    }
    try database.close()
    let before = try Data(contentsOf: URL(filePath: bench.path))
    for access in [Journal.Access.readOnly, .readWrite(creating: true)] {
      #expect(throws: JournalError.earlierVersion(bench.path)) { try bench.open(access) }
    }
    #expect(try Data(contentsOf: URL(filePath: bench.path)) == before)
  }
}
