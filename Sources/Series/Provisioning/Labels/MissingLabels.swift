import Bytes
import Foundation
import GRDB
import LedgerSQLite

/// Which finished tags have no row yet: nine bytes a job, so that a million are no burden.
struct MissingLabels {
  /// By job number, from 1: something that stands for the tag's UID; 0 for a job that is not
  /// finished.
  private var marks: [UInt64]
  private var isMissing: [Bool]

  init(jobs count: Int) {
    marks = Array(repeating: 0, count: count + 1)
    isMissing = Array(repeating: false, count: count + 1)
  }

  /// Takes a finished tag in; `hasRow`: a row of it was appended some time.
  mutating func insert(job: Int, uid: some Sequence<UInt8>, hasRow: Bool) {
    guard marks.indices.contains(job) else { return }
    (marks[job], isMissing[job]) = (Self.mark(uid), !hasRow)
  }

  /// Notes that a row is there; returns its job, nil for a row of no finished tag.
  mutating func strike(_ fields: [String]) -> Int? {
    guard fields.count > 2, let job = Int(fields[0]), marks.indices.contains(job),
      let uid = try? Hex.bytes(fields[2]), marks[job] == Self.mark(uid)
    else { return nil }
    isMissing[job] = false
    return job
  }

  func contains(_ written: WrittenTag) -> Bool {
    isMissing.indices.contains(written.job.number) && isMissing[written.job.number]
  }

  /// FNV-1a; never 0.
  private static func mark(_ uid: some Sequence<UInt8>) -> UInt64 {
    uid.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}

/// What the journal knows of a label file.
struct KnownLabels {
  let number: Int64
  let wasMoved: Bool
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

  /// The finished tags, but for those of other sessions that run: they append their rows
  /// themselves.
  func tagsToLabel(for session: JournalSession, file: Int64) throws(JournalError) -> MissingLabels {
    try read { db in
      let count = try Int.fetchOne(db, sql: "SELECT max(number) FROM job") ?? 0
      var missing = MissingLabels(jobs: count)
      let others = try Self.sessionsAtWork(in: db).subtracting([session.id])
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT job.number, job.uid, event.session, label_row.uid IS job.uid AS has_row
          FROM job JOIN event ON event.id = job.event
          LEFT JOIN label_row ON label_row.file = ? AND label_row.job = job.number
          WHERE job.state = 'written'
          """, arguments: [file])
      while let row = try rows.next() {
        let (uid, writer): (Data, Int64) = (row["uid"], row["session"])
        missing.insert(
          job: row["number"], uid: uid, hasRow: row["has_row"] || others.contains(writer))
      }
      return missing
    }
  }

  /// What is known of the label file at `path`: files are known by where their consumers look for
  /// them. `wasMoved`: another file lay there last, and has gone with its rows.
  func labelFile(_ path: String, _ identity: OpenLabels.Identity) throws(JournalError)
    -> KnownLabels
  {
    try write { db in
      try db.execute(sql: "INSERT OR IGNORE INTO label_file (path) VALUES (?)", arguments: [path])
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM label_file WHERE path = ?", arguments: [path])
      guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      let device: Int64? = row["device"]
      let known = KnownLabels(
        number: row["id"],
        wasMoved: device.map { $0 != identity.device || row["inode"] != identity.inode } ?? false)
      // Rows of tags up to here had been appended when a run ended.
      if known.wasMoved {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO label_row
            SELECT ?1, number, uid FROM job WHERE state = 'written' AND event <= ?2
            """, arguments: [known.number, row["upto"]])
      }
      return known
    }
  }

  /// The file that lies there now, and is the one that rows are appended to.
  func note(_ identity: OpenLabels.Identity, file: Int64) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: "UPDATE label_file SET device = ?, inode = ? WHERE id = ?",
        arguments: [identity.device, identity.inode, file])
    }
  }

  /// Every tag that is finished has its row, as long as no other run is at work.
  func noteAllLabelled(for session: JournalSession, file: Int64) throws(JournalError) {
    try write { db in
      guard try Self.sessionsAtWork(in: db).subtracting([session.id]).isEmpty else { return }
      try db.execute(
        sql: "UPDATE label_file SET upto = (SELECT coalesce(max(id), 0) FROM event) WHERE id = ?",
        arguments: [file])
    }
  }

  /// The rows of these jobs' tags have gone with a file that was moved.
  func noteLabels(_ jobs: [Int], file: Int64) throws(JournalError) {
    guard !jobs.isEmpty else { return }
    try write { db in
      let insert = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO label_row
          SELECT ?, number, uid FROM job WHERE number = ? AND state = 'written'
          """)
      for job in jobs { try insert.execute(arguments: [file, job]) }
    }
  }

  /// Every finished tag, in the order in which they were.
  func forEachWritten(_ body: (WrittenTag) throws -> Void) throws {
    try read { db in
      let sql = Self.jobsWithEvents + " WHERE job.state = 'written' ORDER BY job.event"
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() { try body(Self.writtenTag(row)) }
    }
  }
}
