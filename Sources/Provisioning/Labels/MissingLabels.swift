import Bytes
import Foundation
import GRDB

/// Which finished tags have no row yet: eight bytes a job, so that a million are no burden.
struct MissingLabels {
  /// By job number, from 1: something that stands for the tag's UID; 0 where nothing is missing.
  private var marks: [UInt64]

  init(jobs count: Int) { marks = Array(repeating: 0, count: count + 1) }

  mutating func insert(job: Int, uid: some Sequence<UInt8>) {
    if marks.indices.contains(job) { marks[job] = Self.mark(uid) }
  }

  /// Notes that a row is there; returns whether it was missing.
  mutating func strike(_ fields: [String]) -> Bool {
    guard fields.count > 2, let job = Int(fields[0]), marks.indices.contains(job),
      let uid = try? Hex.bytes(fields[2]), marks[job] == Self.mark(uid)
    else { return false }
    marks[job] = 0
    return true
  }

  func contains(_ written: WrittenTag) -> Bool {
    marks.indices.contains(written.job.number) && marks[written.job.number] != 0
  }

  /// FNV-1a; never 0.
  private static func mark(_ uid: some Sequence<UInt8>) -> UInt64 {
    uid.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}

extension Journal {
  /// The names of the columns that the source's rows have.
  func columnNames() throws(JournalError) -> [String] {
    try read { db in
      let first = try String.fetchOne(db, sql: "SELECT columns FROM job ORDER BY number LIMIT 1")
      return try first.map { try StoredJob.pairs($0).map(\.0) } ?? []
    }
  }

  /// How often this job was finished on this tag.
  func timesWritten(_ written: WrittenTag) throws(JournalError) -> Int {
    try read { db in
      let sql = "SELECT count(*) FROM event WHERE job = ? AND kind = 'written' AND uid = ?"
      return try Int.fetchOne(
        db.cachedStatement(sql: sql),
        arguments: [written.job.number, Data(written.uid.bytes)]) ?? 0
    }
  }

  /// The finished tags, but for those of other sessions that run: they append their rows themselves.
  func tagsToLabel(for session: JournalSession) throws(JournalError) -> MissingLabels {
    try read { db in
      let count = try Int.fetchOne(db, sql: "SELECT max(number) FROM job") ?? 0
      var missing = MissingLabels(jobs: count)
      let others = try sessionsAtWork(in: db).subtracting([session.id])
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT job.number, job.uid, event.session FROM job JOIN event ON event.id = job.event
          WHERE job.state = 'written'
          """)
      while let row = try rows.next() {
        let (uid, writer): (Data, Int64) = (row["uid"], row["session"])
        if !others.contains(writer) { missing.insert(job: row["number"], uid: uid) }
      }
      return missing
    }
  }

  /// Every finished tag, in the order in which they were.
  func forEachWritten(_ body: (WrittenTag) throws -> Void) throws {
    try database.read { db in
      let sql = Self.jobsWithEvents + " WHERE job.state = 'written' ORDER BY job.event"
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() { try body(Self.writtenTag(row)) }
    }
  }

  /// Sessions whose process runs, or may.
  private func sessionsAtWork(in db: Database) throws -> Set<Int64> {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM session WHERE ended_at IS NULL")
    return Set(
      rows.compactMap { row -> Int64? in
        Self.process(row).isAlive == false ? nil : row["id"]
      })
  }
}
