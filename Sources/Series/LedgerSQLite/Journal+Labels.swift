import Foundation
import GRDB

/// What the journal knows of a label file.
package struct KnownLabels {
  package let number: Int64
  package let wasMoved: Bool

  package init(number: Int64, wasMoved: Bool) { (self.number, self.wasMoved) = (number, wasMoved) }
}

extension Journal {
  /// The names of the columns that the source's rows have.
  package func columnNames() throws(JournalError) -> [String] {
    try read { db in
      let first = try String.fetchOne(db, sql: "SELECT columns FROM job ORDER BY number LIMIT 1")
      return try first.map { try StoredJob.pairs($0).map(\.0) } ?? []
    }
  }

  /// How often this job was finished on this tag.
  package func timesWritten(_ written: WrittenTag) throws(JournalError) -> Int {
    try read { db in
      let sql = "SELECT count(*) FROM event WHERE job = ? AND kind = 'written' AND uid = ?"
      return try Int.fetchOne(
        db.cachedStatement(sql: sql),
        arguments: [written.job.number, Data(written.uid.bytes)]) ?? 0
    }
  }

  /// Says how many jobs there are, and then every finished tag, but for those of other sessions
  /// that run: they append their rows themselves; with whether a row of it was appended to the file
  /// some time.
  package func forEachLabel(
    of file: Int64, besides session: JournalSession, _ begin: (Int) -> Void,
    _ take: (_ job: Int, _ uid: Data, _ hasRow: Bool) -> Void
  ) throws(JournalError) {
    try read { db in
      begin(try Int.fetchOne(db, sql: "SELECT max(number) FROM job") ?? 0)
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
        take(row["number"], uid, row["has_row"] || others.contains(writer))
      }
    }
  }

  /// The label files that the journal knows, by their paths, with what tells the file from another
  /// one there.
  package func labelFiles() throws(JournalError) -> [(path: String, device: Int64?, inode: Int64?)]
  {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT path, device, inode FROM label_file").map {
        ($0[0], $0[1], $0[2])
      }
    }
  }

  /// What is known of the label file at `path`: files are known by where their consumers look for
  /// them. `wasMoved`: another file lay there last, and has gone with its rows.
  package func labelFile(
    _ path: String, device: Int64, inode: Int64
  ) throws(JournalError) -> KnownLabels {
    try write { db in
      try db.execute(sql: "INSERT OR IGNORE INTO label_file (path) VALUES (?)", arguments: [path])
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM label_file WHERE path = ?", arguments: [path])
      guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      let last: Int64? = row["device"]
      let known = KnownLabels(
        number: row["id"],
        wasMoved: last.map { $0 != device || row["inode"] != inode } ?? false)
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
  package func noteLabelFile(
    _ file: Int64, device: Int64, inode: Int64
  ) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: "UPDATE label_file SET device = ?, inode = ? WHERE id = ?",
        arguments: [device, inode, file])
    }
  }

  /// Every tag that is finished has its row, as long as no other run is at work.
  package func noteAllLabelled(for session: JournalSession, file: Int64) throws(JournalError) {
    try write { db in
      guard try Self.sessionsAtWork(in: db).subtracting([session.id]).isEmpty else { return }
      try db.execute(
        sql: "UPDATE label_file SET upto = (SELECT coalesce(max(id), 0) FROM event) WHERE id = ?",
        arguments: [file])
    }
  }

  /// The rows of these jobs' tags have gone with a file that was moved.
  package func noteLabels(_ jobs: [Int], file: Int64) throws(JournalError) {
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
  package func forEachWritten(_ body: (WrittenTag) throws -> Void) throws {
    try read { db in
      let sql = Self.jobsWithEvents + " WHERE job.state = 'written' ORDER BY job.event"
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() { try body(Self.writtenTag(row)) }
    }
  }
}
