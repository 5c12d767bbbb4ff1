import Foundation
import GRDB
import Testing

@testable import LedgerSQLite
@testable import Provisioning

#if canImport(Glibc)
  import Glibc
#endif

@Suite("A journal's file")
struct JournalFileTests {
  let bench: JournalBench

  init() throws { bench = try JournalBench() }

  @Test("is made only when asked for")
  func missing() throws {
    #expect(throws: JournalError.missing(bench.path)) { try bench.open(.readOnly) }
    #expect(throws: JournalError.missing(bench.path)) {
      try bench.open(.readWrite(creating: false))
    }
    #expect(!FileManager.default.fileExists(atPath: bench.path))
    _ = try bench.open()
    _ = try bench.open(.readWrite(creating: false))
    #expect(try bench.open(.readOnly).tally() == Tally())
  }

  @Test("that was cut off before its tables were made is made whole by the next run")
  func begun() throws {
    let mark = "PRAGMA application_id = \(Journal.applicationID)"
    for sql in ["VACUUM", "PRAGMA journal_mode = WAL", "PRAGMA journal_mode = WAL; \(mark)"] {
      let bench = try JournalBench()
      try DatabaseQueue(path: bench.path).writeWithoutTransaction { try $0.execute(sql: sql) }
      #expect(throws: JournalError.holdsNothing(bench.path)) { try bench.open(.readOnly) }
      #expect(try bench.open().verify() == [])
    }
  }

  @Test("is waited for by what looks at it while a run makes its tables")
  func making() async throws {
    try Data().write(to: URL(filePath: bench.path))
    async let seen = Task.detached { [bench] in try bench.open(.readOnly).tally() }.value
    try await Task.sleep(for: .milliseconds(100))
    _ = try bench.open()
    #expect(try await seen == Tally())
  }

  @Test("is on the disk after every commit")
  func durable() throws {
    try bench.open().database.inDatabase { (db) throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
      #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
    }
  }

  @Test("is no database to work with: its address is refused, and its password never repeated")
  func database() throws {
    let address = "postgresql://bench:s3cret@127.0.0.1:1/orders?batch=A"
    do {
      _ = try Journal(at: address, access: .readWrite(creating: true))
      Issue.record("it was opened")
    } catch {
      #expect(
        error.description
          == "The journal postgresql://bench@127.0.0.1:1/orders?batch=A cannot be opened: it is the address of a database, and this takes a journal's file."
      )
    }
    // To look at, it is copied: nothing listens at this port.
    do {
      _ = try Journal(at: address, access: .readOnly)
      Issue.record("it was opened")
    } catch {
      guard case .pool(.away, let reason) = error else {
        Issue.record(error)
        return
      }
      #expect(!reason.contains("s3cret"))
    }
  }

  @Test(
    "does not show a misspelt address, which may have a password, as a file's path",
    arguments: [
      "POSTGRESQL://bench:s3cret@db/orders?batch=A", "postgresql:/bench:s3cret@db/orders",
      "postgres:bench:s3cret@db/orders", "host=db user=bench password=s3cret",
    ])
  func misspelt(_ address: String) throws {
    for access in [Journal.Access.readOnly, .readWrite(creating: true)] {
      do {
        _ = try Journal(at: address, access: access)
        Issue.record("it was opened")
      } catch {
        #expect(!error.description.contains("s3cret"))
      }
    }
  }

  @Test("of something else is refused and left as it is")
  func notAJournal() throws {
    let url = URL(filePath: bench.path)
    for content in [Data("number,code\n1,A\n".utf8), Data(repeating: 0xA5, count: 9000)] {
      try content.write(to: url)
      #expect(throws: JournalError.notAJournal(bench.path)) { try bench.open() }
      #expect(try Data(contentsOf: url) == content)
    }
    try FileManager.default.removeItem(at: url)
    try DatabaseQueue(path: bench.path).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
    let before = try Data(contentsOf: url)
    #expect(throws: JournalError.notAJournal(bench.path)) { try bench.open() }
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("of a later version is refused")
  func later() throws {
    try bench.open().database.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
    }
    #expect(throws: JournalError.laterVersion(bench.path)) { try bench.open() }
    #expect(throws: JournalError.laterVersion(bench.path)) { try bench.open(.readOnly) }
  }

  @Test("in a folder that is not there, or that is itself a folder, cannot be opened")
  func noFolder() throws {
    let nowhere = bench.path + "/line.journal"
    #expect(throws: JournalError.cannotOpen(nowhere, reason: "there is no folder \(bench.path)")) {
      try Journal(at: nowhere, access: .readWrite(creating: true))
    }
    let folder = bench.folder.path
    for access in [Journal.Access.readWrite(creating: true), .readOnly] {
      #expect(throws: JournalError.cannotOpen(folder, reason: "it is a folder")) {
        try Journal(at: folder, access: access)
      }
    }
  }

  @Test("on a full disk changes nothing, and goes on when there is room")
  func full() throws {
    let session = try bench.session(jobs: 400)
    let first = try session.take(JournalBench.tag(1))
    let database = session.journal.database
    try database.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let long = TagTrouble(.lost, String(repeating: "x", count: 100_000))
    #expect(throws: JournalError.full(bench.path)) {
      try session.hold(first, because: long, timing: JournalBench.timing)
    }
    try database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA max_page_count = 1000000")
    }
    try session.finish(first)
    #expect(try session.journal.verify() == [])
  }

  @Test("that may not be written can be looked at, and says so when written")
  func readOnly() throws {
    try bench.session(jobs: 2).end()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: bench.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: bench.folder.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: bench.folder.path)
    }
    try asNobody {
      #expect(throws: JournalError.readOnly(bench.path)) { try bench.open().begin() }
      let journal = try bench.open(.readOnly)
      #expect(try journal.tally().pending == 2)
      #expect(try journal.verify() == [])
    }
  }

  /// Permissions mean nothing to root; a thread of Linux can do without that (setfsuid(2)).
  private func asNobody(_ body: () throws -> Void) rethrows {
    #if canImport(Glibc)
      typealias Call = @convention(c) (uid_t) -> CInt
      let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "setfsuid")
      let change = unsafe unsafeBitCast(symbol, to: Call.self)
      _ = change(65_534)
      defer { _ = change(geteuid()) }
    #endif
    try body()
  }

  @Test("finds its way in a million jobs by indexes")
  func indexes() throws {
    try bench.session(jobs: 1).journal.database.read { db in
      for sql in [
        "SELECT min(number) FROM job WHERE state = 'pending' AND wanted_tag IS NULL",
        "SELECT min(number) FROM job WHERE state = 'pending' AND wanted_tag = 'ntag213'",
        Journal.jobsWithEvents + " WHERE job.uid = x'04'",
        Journal.jobsWithEvents + " WHERE job.state = 'reserved' ORDER BY job.number",
        "SELECT number FROM job WHERE message_digest = x'00'",
        "SELECT count(*) FROM event WHERE job = 1 AND kind = 'written' AND uid = x'04'",
        "SELECT count(*) FROM job WHERE state = 'pending'",
        "SELECT count(*) FROM job WHERE state = 'reserved'",
        "SELECT number FROM job WHERE state = 'failed' ORDER BY number",
      ] {
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map {
          $0["detail"] as String
        }
        let scans = plan.filter {
          $0.hasPrefix("SCAN") && !$0.contains("INDEX job_")
        }
        #expect(scans == [], "\(sql)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql)")
      }
    }
  }

  @Test("a bench of a pool looks at its claims and at what is untold, not at a million jobs")
  func benchIndexes() throws {
    try bench.session(jobs: 1).journal.database.read { db in
      for sql in [Journal.nextClaimed, Journal.untoldEvents] {
        // The values are not looked at.
        let plan = try Row.fetchAll(
          db, sql: "EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1")
        ).map { $0["detail"] as String }
        let scans = plan.filter { $0.hasPrefix("SCAN") }
        #expect(scans.allSatisfy { ["SCAN pool_claim", "SCAN pool"].contains($0) }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
    }
  }
}
