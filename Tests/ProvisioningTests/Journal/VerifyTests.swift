import GRDB
import Testing

@testable import LedgerSQLite

@Suite("The verification of a journal")
struct VerifyTests {
  let bench: JournalBench
  let session: JournalSession

  init() throws {
    bench = try JournalBench()
    session = try bench.session(jobs: 6)
    let made = try (1...4).map { try session.take(JournalBench.tag($0)) }
    try session.finish(made[0])
    try session.finish(made[1])
    try session.hold(made[2])
    try session.giveBack(made[3], isScrap: true)
  }

  @Test("finds nothing where nothing is wrong")
  func sound() throws {
    #expect(try session.journal.verify(facts: true) == [])
  }

  /// What a row says of its tag beside its digest: nothing else in the tables holds it to anything.
  @Test(
    "finds a job whose row says something else than its events",
    arguments: [
      ("UPDATE job SET uri = 'https://evil.example' WHERE number = 1", "link"),
      ("UPDATE job SET message_length = 1 WHERE number = 2", "length"),
      ("UPDATE job SET day = '2026-01-01' WHERE number = 2", "day"),
      ("UPDATE job SET is_locked = 1 WHERE number = 1", "lock"),
      ("UPDATE job SET is_protected = 1 WHERE number = 2", "lock"),
      ("UPDATE job SET tag = 'ntag216' WHERE number = 1", "type of tag"),
      ("UPDATE job SET message_digest = zeroblob(32) WHERE number = 1", "message"),
    ])
  func otherFact(_ sql: String, _ word: String) throws {
    try session.journal.database.write { try $0.execute(sql: sql) }
    #expect(try session.journal.verify() == [])
    let found = try session.journal.verify(facts: true)
    #expect(found.map(\.code) == ["fact"])
    #expect(
      found.allSatisfy { $0.text.contains("another \(word) than its events say") }, "\(found)")
  }

  @Test(
    "finds an event that was changed, taken away or put in",
    arguments: [
      "UPDATE event SET text = 'It was good.' WHERE kind = 'held'",
      "UPDATE event SET cause = 'reader' WHERE kind = 'returned'",
      "UPDATE event SET started_at = started_at + 1 WHERE id = 1",
      "UPDATE event SET steps = NULL WHERE kind = 'written'",
      "UPDATE event SET station = '2' WHERE id = 2", "UPDATE event SET reader = NULL WHERE id = 3",
      "UPDATE event SET tag = 'ntag216' WHERE id = 3",
      "UPDATE event SET duration = 1 WHERE kind = 'written'",
      "UPDATE event SET seal = zeroblob(32) WHERE id = 2",
      "UPDATE event SET uid = x'04000000000099' WHERE kind = 'passed'",
      "UPDATE event SET job = 1 WHERE kind = 'passed'",
      "DELETE FROM event WHERE kind = 'passed'",
      """
      INSERT INTO event (session, kind, uid, cause, text, started_at, duration, seal)
      SELECT 1, 'passed', x'04000000000088', 'lost', 'It was taken away.', 0, 0, seal FROM event
      ORDER BY id DESC LIMIT 1
      """,
    ])
  func otherEvent(_ sql: String) throws {
    // Of what changes no job nothing else in the journal speaks.
    try session.passOver(
      JournalBench.tag(7), because: JournalBench.trouble, timing: JournalBench.timing)
    try session.finish(session.take(JournalBench.tag(8)))
    #expect(try session.journal.verify(facts: true) == [])
    try session.journal.database.writeWithoutTransaction { db in
      try db.execute(sql: "DROP TRIGGER event_stays; DROP TRIGGER event_unchanged; \(sql)")
      try db.execute(
        sql: """
          CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
          BEGIN SELECT raise(ABORT, 'events are not changed'); END;
          CREATE TRIGGER event_stays BEFORE DELETE ON event
          BEGIN SELECT raise(ABORT, 'events are not taken away'); END;
          """)
    }
    #expect(try session.journal.verify() == [])
    let found = try session.journal.verify(facts: true)
    #expect(!found.isEmpty && found.allSatisfy { $0.code == "seal" }, "\(found)")
  }

  @Test(
    "a journal with other tables is not opened",
    arguments: [
      "job", "event", "session", "scrap", "source", "inspection", "station", "label_row",
    ], ["loose", "gone", "view"])
  func otherTables(table: String, change: String) throws {
    try session.end()
    let file = try DatabaseQueue(path: bench.path)
    try file.writeWithoutTransaction { db in
      let made = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?",
        arguments: [table])
      let sql = try #require(made)
      try db.execute(
        sql:
          "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE \(table) RENAME TO was"
      )
      switch change {
      case "loose":
        let end = sql.lastIndex(of: ")") ?? sql.endIndex
        try db.execute(sql: sql[...end] + "; INSERT INTO \(table) SELECT * FROM was")
        try db.execute(sql: "DROP TABLE was")
      case "view": try db.execute(sql: "CREATE VIEW \(table) AS SELECT * FROM was")
      default: break
      }
    }
    try file.close()
    for access in [Journal.Access.readOnly, .readWrite(creating: false)] {
      let error = #expect(throws: JournalError.self) { try bench.open(access) }
      guard case .damaged(_, let reason)? = error else {
        Issue.record("\(error.map(String.init(describing:)) ?? "opened")")
        continue
      }
      #expect(reason.contains("its table \(table) "), "\(reason)")
    }
  }

  /// Somebody's tampering, with everything out of the way that would keep it from being done.
  @Test(
    "finds inconsistencies",
    arguments: [
      ("UPDATE job SET uid = x'04000000000001' WHERE number = 2", "same-tag"),
      (
        "UPDATE job SET message_digest = (SELECT message_digest FROM job WHERE number = 1) WHERE number = 2",
        "same-message"
      ),
      (
        "UPDATE job SET state = 'reserved', is_locked = NULL, is_protected = NULL WHERE number = 1",
        "state"
      ),
      (
        "UPDATE job SET state = 'pending', uid = NULL, message_digest = NULL, message_length = NULL WHERE number = 3",
        "state"
      ),
      ("UPDATE job SET event = 1 WHERE number = 2", "state"),
      ("UPDATE job SET uid = x'0400000000BEEF' WHERE number = 2", "other-tag"),
      ("DELETE FROM event WHERE kind = 'reserved' AND job = 1", "order"),
      ("DELETE FROM event WHERE kind = 'written' AND job = 1", "reference"),
      ("DELETE FROM job WHERE number = 5", "numbering"),
      ("DELETE FROM source", "source"),
      ("UPDATE scrap SET uid = x'04000000000001'", "scrap"),
      ("UPDATE job SET message_digest = x'00' WHERE number = 1", "damaged"),
      ("SELECT 1", "schema"),
    ])
  func tampering(_ sql: String, _ code: String) throws {
    try session.journal.database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
          DROP TRIGGER job_order; DROP TRIGGER job_stays; DROP TRIGGER event_stays;
          DROP INDEX job_of_uid; DROP INDEX job_of_message; \(sql);
          PRAGMA ignore_check_constraints = OFF
          """)
    }
    let found = try session.journal.verify()
    #expect(found.contains { $0.code == code }, "\(found)")
  }

  /// An event that changed no job leaves a gap that nothing else shows.
  @Test("finds that a pool has heard of events that are gone")
  func cutOff() throws {
    let journal = session.journal
    _ = try journal.becomeBench("bench-1", of: [1])
    try session.passOver(
      JournalBench.tag(7), because: JournalBench.trouble, timing: JournalBench.timing)
    let last = try journal.lastEvent()
    try journal.noteTold(upTo: last)
    #expect(try journal.verify(facts: true) == [])
    try journal.database.write { db in
      let trigger = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE name = 'event_stays'")
      try db.execute(sql: "DROP TRIGGER event_stays")
      try db.execute(sql: "DELETE FROM event WHERE id = ?", arguments: [last])
      try db.execute(sql: trigger ?? "")
    }
    #expect(try journal.verify().map(\.code) == ["told"])
  }

  /// The tables refuse the same by themselves.
  @Test(
    "is rarely needed: the tables refuse",
    arguments: [
      "UPDATE job SET uid = x'04000000000001' WHERE number = 2",
      "UPDATE job SET message_digest = (SELECT message_digest FROM job WHERE number = 1) WHERE number = 2",
      "UPDATE job SET state = 'written' WHERE number = 4",
      "UPDATE job SET state = 'pending' WHERE number = 1",
      "UPDATE job SET uid = NULL WHERE number = 1",
      "UPDATE job SET state = 'lost' WHERE number = 4",
      "UPDATE job SET message_digest = x'00' WHERE number = 1",
      "DELETE FROM job", "DELETE FROM event", "UPDATE event SET uid = x'04'",
      "INSERT INTO source SELECT 2, kind, name, settings, adopted_at FROM source",
    ])
  func constraints(_ sql: String) throws {
    #expect(throws: DatabaseError.self) {
      try session.journal.database.write { try $0.execute(sql: sql) }
    }
    #expect(try session.journal.verify() == [])
  }
}
