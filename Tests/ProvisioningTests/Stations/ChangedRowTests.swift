import GRDB
import JobLists
import PN532Simulator
import TagMemory
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A row that was changed in the journal's file")
struct ChangedRowTests {
  private static let bare = """
    uid = NULL, tag = NULL, message_digest = NULL, message_length = NULL, uri = NULL,
    is_locked = NULL, is_protected = NULL, message = NULL
    """

  /// Of job 2, which waits, or job 1, which is on a tag.
  static let changes: [(sql: String, code: String)] = [
    (#"records = '[["uri","https://evil.example/"]]' WHERE number = 2"#, "row"),
    ("locks = 1 WHERE number = 2", "row"),
    ("has_password = 1 WHERE number = 2", "row"),
    (#"columns = '[["code","0009"]]' WHERE number = 2"#, "row"),
    ("wanted_tag = 'ntag215' WHERE number = 2", "row"),
    ("wanted_tag = 'uid:04000000000001' WHERE number = 2", "row"),
    ("before = x'00', after = x'00' WHERE number = 2", "row"),
    ("state = 'pending', \(bare) WHERE number = 1", "state"),
    ("state = 'pending', event = NULL, \(bare) WHERE number = 1", "state"),
    ("state = 'pending', event = NULL, day = NULL, \(bare) WHERE number = 1", "state"),
  ]

  @Test("is found, and no tag is written by it", arguments: changes)
  func changed(_ sql: String, _ code: String) throws {
    let bench = try LineBench(codes: 2)
    let first = try LineBench.tag(0)
    _ = try bench.run([TestReader("1", [first])])
    let queue = try DatabaseQueue(path: bench.journal.path)
    try queue.inDatabase { db in
      let trigger = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE name = 'job_order'")
      try db.execute(sql: "DROP TRIGGER job_order; UPDATE job SET \(sql)")
      try db.execute(sql: trigger ?? "")
    }
    try queue.close()
    #expect(
      try bench.journal.open(.readOnly).verify(messages: true).map(\.code) == [code], "\(sql)")
    // A row that names a tag, in a list that names none, is for no tag at all.
    let isForOne = sql.contains("uid:")
    let product = sql.contains("ntag215") ? "ntag215" : "ntag213"
    let tag: any StoredTag =
      isForOne
      ? try TagCatalog.tag("ntag213", uid: [4, 0, 0, 0, 0, 0, 1])
      : try LineBench.tag(1, product)
    let memory = tag.eeprom.bytes
    let ending = try bench.run([TestReader("1", [tag])])
    let isDamaged = if case .journal(.damaged) = ending.summary.ending { true } else { false }
    #expect(isDamaged != isForOne, "\(sql): \(ending.summary)")
    #expect(tag.eeprom.bytes == memory && ending.summary.passed == 0, "\(sql)")
  }

  @Test("is found where its tag is to be finished, which gets no lock by it")
  func reserved() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 1)
    try session.hold(session.take(JournalBench.tag(1)))
    try session.journal.database.write { try $0.execute(sql: "UPDATE job SET locks = 1") }
    #expect(try session.journal.verify(messages: true).map(\.code) == ["row"])
    #expect(throws: JournalError.self) { try session.take(JournalBench.tag(1)) }
    #expect(throws: JournalError.self) {
      try session.takeUp(JournalBench.tag(1), holding: Array("https://example.com/t/CODE-1".utf8))
    }
  }
}
