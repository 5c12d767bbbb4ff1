import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

/// Finished tags whose printed label is scanned: until it is shown to be the tag's, the job is not
/// done.
extension JournalSession {
  /// The scanned label is that of the tag: its job is done.
  package func labelMatches(_ written: WrittenTag) throws(JournalError) {
    try journal.write { db in
      try db.cachedStatement(sql: "DELETE FROM label_check WHERE job = ?").execute(
        arguments: [written.job.number])
    }
  }

  /// The label was not shown to be that of the tag, which waits with its job, and gets another
  /// label when it is finished again. Throws `reservationLost` where it has the job no more.
  package func labelFails(
    _ written: WrittenTag, on tag: PresentedTag, because trouble: TagTrouble, timing: Timing?
  ) throws(JournalError) {
    defer { journal.pool?.poke() }
    try journal.write { db in try takeBack(written, on: tag, trouble, timing, in: db) }
  }

  /// Takes back what runs have left that ended before a label was scanned; returns the tags, which
  /// wait with their jobs.
  package func takeBackUnscanned() throws(JournalError) -> [WrittenTag] {
    defer { journal.pool?.poke() }
    return try journal.write { db in
      let others = try Journal.sessionsAtWork(in: db).subtracting([id])
      let sql =
        Journal.jobsWithEvents + """
           JOIN label_check ON label_check.job = job.number AND label_check.uid = job.uid
          WHERE job.state = 'written' ORDER BY job.number
          """
      let tags = try Row.fetchAll(db, sql: sql).filter { !others.contains($0["session_id"]) }
        .map(Journal.writtenTag)
      for tag in tags {
        try takeBack(
          tag,
          on: PresentedTag(
            uid: tag.uid, tagType: tag.tagType, station: tag.station, reader: tag.reader),
          TagTrouble(.label, "The run ended before its label was scanned."), nil, in: db)
      }
      return tags
    }
  }

  private func takeBack(
    _ written: WrittenTag, on tag: PresentedTag, _ trouble: TagTrouble, _ timing: Timing?,
    in db: Database
  ) throws {
    let (number, uid) = (written.job.number, written.uid.bytes)
    let taken = try carryOut([.takeOver(bench: bench(tag), tag: uid)], on: number, tag, in: db)
    try carryOut(
      [.hold(bench: bench(tag), epoch: taken, tag: uid)], on: number, tag, trouble, timing, in: db)
    for table in ["label_print", "result_due"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [number])
    }
  }

  /// Tags whose jobs this run cannot finish: it scans no labels, and theirs were to be scanned.
  package func unscannable() throws(JournalError) -> [ReservedTag] {
    guard !scansLabels else { return [] }
    let due = try journal.read { db in
      try Set(
        Int.fetchAll(
          db,
          sql: """
            SELECT number FROM job JOIN label_check
            ON label_check.job = job.number AND label_check.uid = job.uid
            """))
    }
    return try journal.reservations().filter {
      due.contains($0.job.number) || $0.trouble?.known == .label
    }
  }
}
