import Foundation
import GRDB
import JobLists
import Testing

@testable import LedgerSQLite

@Suite("A journal of the first version")
struct EarlierVersionTests {
  let bench: JournalBench

  /// A journal as the first version left it: three jobs, the first written, the second reserved on
  /// the day before.
  init() throws {
    bench = try JournalBench()
    let database = try DatabaseQueue(path: bench.path)
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA application_id = \(Journal.applicationID)")
    }
    try Journal.migrator.migrate(database, upTo: "1")
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO source VALUES (1, 'codes', 'codes.txt', '[]', 1);
          INSERT INTO session VALUES (1, 'Ada', 'nfcprog', '0.1.0', 'h', 'b', 'n', 1, 1, 1, 2);
          """)
      let insert = try db.makeStatement(sql: StoredJob.insertion)
      for number in 1...3 {
        try insert.execute(arguments: StoredJob.values(JournalBench.job(number)))
      }
      for (number, kind) in [(1, "reserved"), (1, "written"), (2, "reserved"), (2, "held")] {
        try db.execute(
          sql: """
            INSERT INTO event (session, kind, job, uid, tag, station, reader, started_at, duration)
            VALUES (1, ?, ?, ?, 'ntag213', '1', 'r', ?, 0)
            """,
          arguments: [
            kind, number, Data(JournalBench.uid(number).bytes), Self.yesterday * 86_400_000,
          ])
        let message = Self.message(number, "2026-11-20")
        try db.execute(
          sql: """
            UPDATE job SET state = 'reserved', event = ?, uid = ?, tag = 'ntag213', message_digest = ?,
              message_length = ? WHERE number = ? AND state <> 'written'
            """,
          arguments: [
            db.lastInsertedRowID, Data(JournalBench.uid(number).bytes),
            Data(digest(of: message)), message.count, number,
          ])
        guard kind == "written" else { continue }
        try db.execute(
          sql: "UPDATE job SET state = 'written', is_locked = 0, is_protected = 0 WHERE number = 1")
      }
    }
  }

  /// Days since 1970 of 2026-11-20.
  private static let yesterday: Int64 = 20_777

  private static func message(_ number: Int, _ day: String) -> [UInt8] {
    makeText(JournalBench.job(number)) + Array(day.utf8)
  }

  @Test("is looked at without being changed")
  func reading() throws {
    let before = try Data(contentsOf: URL(filePath: bench.path))
    let journal = try bench.open(.readOnly)
    #expect(try journal.verify() == [])
    #expect(try journal.tally().written == 1)
    #expect(try Data(contentsOf: URL(filePath: bench.path)) == before)
  }

  @Test("is worked with, and a reserved job keeps the message that it was given on its day")
  func working() throws {
    #expect(TagFields.day(Self.yesterday * 86_400) == "2026-11-20")
    let session = try bench.open().begin()
    let outcome = try session.reserve(for: JournalBench.tag(2), today: "2026-11-21") { job, day in
      Self.message(job.number, day)
    }
    guard case .reserved(let reservation) = outcome else { throw Unexpected(outcome) }
    #expect(reservation.message == Self.message(2, "2026-11-20"))
    try session.finish(reservation)
    #expect(try session.journal.verify() == [])
    #expect(try session.take(JournalBench.tag(9)).job.number == 3)
    #expect(try session.journal.name().count == 16)
  }
}
