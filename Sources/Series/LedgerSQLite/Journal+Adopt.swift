import Bytes
import Foundation
import GRDB
import JSON
import JobLists

/// The result of adopting a source.
package enum Adoption: Hashable, Sendable {
  /// The journal was empty and has these many jobs now.
  case imported(Int)
  /// The jobs are those that the journal has; `added` ones came at the end.
  case continued(Int, added: Int)
}

extension Journal {
  /// Takes the jobs of a source up, or makes sure that they are those that the journal has.
  ///
  /// `feed` gives every job of the source, in order, to the function that it is handed, as often as
  /// it is asked to; what it throws ends the adoption with nothing adopted. Rows added at the end
  /// are taken up only when `extending`, and rows that say something else now only when
  /// `correcting` and where they are on no tag; every other change throws `sourceChanged`.
  /// `isBeginning`: the journal may have more jobs, which came from elsewhere. Lists are compared
  /// beside whoever works on the journal: they are not held up.
  package func adopt(
    _ source: SourceDescription, extending: Bool = false, correcting: Bool = false,
    isBeginning: Bool = false,
    feed: (_ take: (PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) -> Adoption {
    let compared = try read { db in
      try compare(source, in: db, extending, correcting, isBeginning, feed)
    }
    if let compared {
      if !compared.corrected.isEmpty { try correct(compared.corrected, source, feed) }
      if compared.moved > 0 { try move(compared.count, feed) }
      if extending, compared.added > 0 { try append(behind: compared.count, source, feed) }
      return .continued(
        compared.count + (extending ? compared.added : 0), added: extending ? compared.added : 0)
    }
    let count = try write { db -> Int? in
      // Another process may have been quicker.
      guard try Row.fetchOne(db, sql: "SELECT 1 FROM source") == nil else { return nil }
      return try importing(source, into: db, feed)
    }
    guard let count else {
      return try adopt(
        source, extending: extending, correcting: correcting, isBeginning: isBeginning, feed: feed)
    }
    shrinkLog()
    return .imported(count)
  }

  /// What a comparison has found, where there was something to compare with.
  private struct Comparison {
    var count = 0
    var added = 0
    /// Rows that are the same in another place.
    var moved = 0
    /// Rows that say something else, and whose jobs are on no tag.
    var corrected: Set<Int> = []
  }

  /// Nil for a journal without jobs; throws what differs.
  private func compare(
    _ source: SourceDescription, in db: Database, _ extending: Bool, _ correcting: Bool,
    _ isBeginning: Bool,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws -> Comparison? {
    guard let known = try self.source(in: db)?.description else { return nil }
    var difference = SourceDifference()
    difference.settings = source.differences(from: known)
    let comparison = try compare(in: db, noting: &difference, feed)
    if isBeginning { difference.removed = 0 }
    if correcting, difference.settings.isEmpty, difference.changed == comparison.corrected.count {
      difference.changed = 0
      difference.rows = []
    }
    guard difference.isNone || (extending && difference.isAddition) else {
      throw JournalError.sourceChanged(difference)
    }
    return comparison
  }

  /// How many rows are changed in one transaction: short, so that others are not held up.
  private static let portion = 5000

  /// Notes where the rows stand now: passwords are read from there.
  private func move(
    _ count: Int, _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) {
    var portion: [PlannedJob] = []
    func flush() throws(JournalError) {
      let jobs = portion
      portion.removeAll(keepingCapacity: true)
      try write { db in
        let update = try db.cachedStatement(
          sql:
            "UPDATE job SET line = ?1, offset = ?2 WHERE number = ?3 AND (line, offset) <> (?1, ?2)"
        )
        for job in jobs {
          try update.execute(arguments: [job.line, Int64(clamping: job.offset), job.number])
        }
      }
    }
    try feed { (job) throws(JournalError) in
      guard job.number <= count else { return }
      portion.append(job)
      if portion.count == Self.portion { try flush() }
    }
    try flush()
  }

  /// Takes rows up as they are now whose jobs are on no tag. Throws, and changes nothing, where one
  /// has got on a tag since.
  private func correct(
    _ numbers: Set<Int>, _ source: SourceDescription,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) {
    try write { db in
      let update = try db.cachedStatement(
        sql: """
          UPDATE job SET line = ?, offset = ?, name = ?, records = ?, wanted_tag = ?, locks = ?,
            has_password = ?, columns = ?, row_digest = ?
          WHERE number = ? AND state IN ('pending', 'failed')
          """)
      try feed { (job) throws(JournalError) in
        guard numbers.contains(job.number) else { return }
        let values = StoredJob.texts(job)
        try JournalError.catching(path) {
          try update.execute(arguments: [
            job.line, Int64(clamping: job.offset), job.name, values.records, job.wanted.stored,
            job.locks,
            job.hasPassword, values.columns, Data(job.digest), job.number,
          ])
        }
        guard db.changesCount == 1 else {
          var difference = SourceDifference()
          (difference.changed, difference.onTags) = (1, 1)
          throw .sourceChanged(difference)
        }
      }
    }
  }

  /// Takes up the rows behind the first `count`.
  private func append(
    behind count: Int, _ source: SourceDescription,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) {
    try write { db in
      let insert = try db.makeStatement(sql: StoredJob.insertion)
      // What another process has taken up meanwhile is there.
      let last = try Int.fetchOne(db, sql: "SELECT max(number) FROM job") ?? 0
      try feed { (job) throws(JournalError) in
        guard job.number > max(count, last) else { return }
        try JournalError.catching(path) { try insert.execute(arguments: StoredJob.values(job)) }
      }
      // A range has more numbers by another name.
      try db.execute(sql: "UPDATE source SET name = ?", arguments: [source.name])
    }
  }

  private func importing(
    _ source: SourceDescription, into db: Database,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws -> Int {
    try insert(source, adopted: clock(), into: db)
    let insert = try db.makeStatement(sql: StoredJob.insertion)
    var count = 0
    try feed { (job) throws(JournalError) in
      try JournalError.catching(path) { try insert.execute(arguments: StoredJob.values(job)) }
      count += 1
    }
    return count
  }

  func insert(_ source: SourceDescription, adopted: Int64, into db: Database) throws {
    try db.execute(
      sql: "INSERT INTO source VALUES (1, ?, ?, ?, ?)",
      arguments: [
        source.kind, source.name, source.storedSettings, adopted,
      ])
  }

  /// The source, and when it was taken up, milliseconds since 1970; nil: none was yet.
  package func source() throws(JournalError) -> (description: SourceDescription, adopted: Int64)? {
    try read { db in try source(in: db) }
  }

  package func source(
    in db: Database
  ) throws -> (description: SourceDescription, adopted: Int64)? {
    try Row.fetchOne(db, sql: "SELECT kind, name, settings, adopted_at FROM source").map { row in
      let settings = try StoredJob.pairs(row[2]).map { SourceDescription.Setting($0.0, $0.1) }
      return (SourceDescription(kind: row[0], name: row[1], settings: settings), row[3])
    }
  }

  /// Walks along the journal's jobs and the source's.
  private func compare(
    in db: Database, noting difference: inout SourceDifference,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws -> Comparison {
    let known = try Row.fetchCursor(
      db, sql: "SELECT number, line, offset, name, row_digest, state FROM job ORDER BY number")
    var (comparison, changes) = (Comparison(), difference)
    try feed { (job) throws(JournalError) in
      try JournalError.catching(path) {
        guard let row = try known.next() else {
          comparison.added += 1
          return
        }
        comparison.count += 1
        let digest: Data = row["row_digest"]
        if row["number"] != job.number || !digest.elementsEqual(job.digest) {
          changes.changed += 1
          let state: String = row["state"]
          if row["number"] == job.number, state == "pending" || state == "failed" {
            comparison.corrected.insert(job.number)
          }
          guard changes.rows.count < SourceDifference.shown else { return }
          changes.rows.append(
            .init(number: job.number, line: job.line, was: row["name"], now: job.name))
        } else if row["line"] != job.line || row["offset"] != Int64(clamping: job.offset) {
          // The same rows in another place, such as after a longer header.
          comparison.moved += 1
        }
      }
    }
    while try known.next() != nil { changes.removed += 1 }
    changes.added = comparison.added
    changes.onTags = changes.changed - comparison.corrected.count
    difference = changes
    return comparison
  }

  /// Brings what a large import left in the write-ahead log into the file.
  private func shrinkLog() {
    // Somebody else's reading may stand in its way; then a later commit does it.
    database.writeWithoutTransaction { db in _ = try? db.checkpoint(.truncate) }
  }
}
