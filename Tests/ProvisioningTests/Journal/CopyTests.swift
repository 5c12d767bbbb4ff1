import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory
import Testing

@testable import LedgerSQLite

@Suite("A copy of a series")
struct CopyTests {
  let bench: JournalBench

  init() throws { bench = try JournalBench() }

  /// Jobs that are all on tags, each at a bench whose run nobody has told of, with keys of its own
  /// and inspections; `event`: the number of the one that brought a job there, `last`: what comes
  /// behind all of them.
  private func fill(
    jobs: Int = 4, event: (Int) -> Int64 = { Int64(2 * $0) },
    last: (Journal) throws -> Void = { _ in }
  ) throws -> Journal {
    let journal = try Journal(file: bench.path, access: .readWrite(creating: true))
    let source = SourceDescription(kind: "range", name: "1..\(jobs)")
    try journal.fill(source, adopted: 0, name: EventID().bytes) { copy throws(JournalError) in
      for number in 1...jobs { try take(number, event: event(number), copy) }
      for number in 1...jobs { try tell(number, copy) }
      try JournalError.catching(bench.path) { try last(journal) }
    }
    return journal
  }

  private func tag(_ number: Int) -> [UInt8] { [4, 0, 0, 0, 0, 0, UInt8(number)] }

  private func message(_ number: Int) -> MessageFacts {
    MessageFacts(digest: Array(repeating: UInt8(number), count: 32), length: 20)
  }

  private let locks = TagLocks(isLocked: false, isProtected: false)

  private func take(_ number: Int, event: Int64, _ copy: SeriesCopy) throws(JournalError) {
    let row = PoolJob(
      number: number, name: "\(number)", wantedTag: nil, digest: Array(repeating: 0, count: 32))
    let binding = Binding(bench: "A", tag: tag(number), message: message(number))
    try copy.take(row, JobStanding(.written(binding, locks)), event: event, draft: nil)
  }

  private func tell(_ number: Int, _ copy: SeriesCopy) throws(JournalError) {
    let run = BenchRun(
      id: EventID().bytes, operatorName: "", command: "", version: "", host: "", begun: 0)
    if number.isMultiple(of: 2) { try copy.take(run, of: "A") }
    let happenings: [Happening] = [
      .reserved(job: number, tag: tag(number), message(number)),
      .written(job: number, tag: tag(number), digest: message(number).digest, locks),
    ]
    for (place, what) in happenings.enumerated() {
      var event = Event(number: Int64(2 * number - 1 + place), what, started: 1)
      event.bench = "bench \(number)"
      if place == 0 {
        func ring(_ name: String) -> KeyRing.Identity {
          KeyRing.Identity(
            scheme: "s", master: "m\(number)", name: name, version: 1, metaRead: 1, fileRead: 1)
        }
        event.keys = GivenKeys(keys: ring("new"), before: ring("old")).stored
      }
      try copy.take(event)
    }
    var inspection = PoolInspection(
      id: EventID().bytes, job: number, tag: tag(number), reason: "asked")
    try copy.take(inspection)
    inspection.result = "good"
    try copy.take(inspection)
  }

  /// The rows that name one that comes are found by an index, or not looked for.
  @Test("has no row looked for among all others when one comes")
  func plans() throws {
    var asked: Set<String> = []
    let journal = try fill(last: { journal in
      // On its connection, while it is made.
      try journal.database.unsafeReentrantWrite { db in
        for table in try String.fetchAll(db, sql: Self.tables) {
          let columns = try db.columns(in: table).map { "\"\($0.name)\"" }
          let values = columns.map { _ in "1" }.joined(separator: ", ")
          let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
          let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map {
            $0["detail"] as String
          }
          let scans = plan.filter { $0.hasPrefix("SCAN") && $0 != "SCAN pool" }
          #expect(scans == [], "\(table)")
          asked.insert(table)
        }
      }
    })
    #expect(asked.isSuperset(of: ["event", "job", "session", "key_ring", "inspection"]))
    #expect(try journal.verify(facts: true) == [])
    try journal.database.read { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM event") == 8)
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      try db.checkForeignKeys()
    }
  }

  /// The tables of a journal.
  private static let tables = """
    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
    """

  @Test("is not made where a job names an event that there is not")
  func strangers() throws {
    #expect(throws: JournalError.self) { try fill(event: { $0 == 3 ? 99 : Int64(2 * $0) }) }
    let journal = try Journal(file: bench.path, access: .readOnly)
    let jobs = try journal.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM job") }
    #expect(jobs == 0)
  }
}
