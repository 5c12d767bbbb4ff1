import Foundation
import GRDB

/// What is known of the label of a finished tag.
package enum LabelState: String, Sendable {
  /// Nothing of it was sent to a printer.
  case due
  /// It was begun to be sent, and may lie in the printer's memory.
  case sent
  /// It has left the printer's memory.
  case printed
}

/// Labels that are not known to be printed, by the numbers of their jobs.
package struct OpenPrints: Hashable, Sendable {
  /// Nothing of them was sent.
  package var due: [Int] = []
  /// They may be printed, or not.
  package var unsure: [Int] = []
  /// Nothing of them was sent, and the template makes texts of them that no printer takes.
  package var tooLong: [Int] = []
  /// How many were printed.
  package var printed = 0
  /// Why some were not, where that is known.
  package var reason: String?

  package init() {}

  package var isEmpty: Bool { due.isEmpty && unsure.isEmpty && tooLong.isEmpty }
}

/// Labels that were asked for once more.
package struct Reprints: Hashable, Sendable {
  /// The tags whose labels are printed.
  package var tags: [WrittenTag] = []
  /// Jobs that are finished on no tag here, and so have no label.
  package var unfinished: [Int] = []
  /// The last job of the list, where later ones were asked for.
  package var lastJob: Int?

  package init() {}
}

extension Journal {
  /// The finished tags whose labels no printer has got anything of, in the order in which they were
  /// finished; without those of other runs that are at work, which print them themselves.
  package func labelsDue(for session: JournalSession) throws(JournalError) -> [WrittenTag] {
    try read { db in
      let others = try Self.sessionsAtWork(in: db).subtracting([session.id])
      return try Row.fetchAll(db, sql: Self.tagsWithLabelDue)
        .filter { row in !others.contains(row["session_id"]) }
        .map(Self.writtenTag)
    }
  }

  /// Returns the finished tags of these jobs whose labels no printer has got anything of, whoever
  /// has finished them.
  package func labelsDue(of jobs: Set<Int>) throws(JournalError) -> [WrittenTag] {
    try read { db in
      try Row.fetchAll(db, sql: Self.tagsWithLabelDue).map(Self.writtenTag)
        .filter { jobs.contains($0.job.number) }
    }
  }

  private static let tagsWithLabelDue =
    jobsWithEvents + """
       JOIN label_print ON label_print.job = job.number AND label_print.uid = job.uid
      WHERE job.state = 'written' AND label_print.state = 'due' ORDER BY job.event
      """

  /// Makes the labels of finished tags due once more, for `session` to print. Labels that other
  /// runs at work have just sent are not unsure.
  package func printAgain(
    _ choice: LabelChoice, for session: JournalSession
  ) throws(JournalError) -> Reprints {
    try write { db in
      let numbers: [Int]
      var reprints = Reprints()
      switch choice {
      case .unsure:
        numbers = try Self.openPrints(in: db, besides: session).unsure
      case .jobs:
        numbers = try Int.fetchAll(db, sql: "SELECT number FROM job WHERE state = 'written'")
          .filter(choice.contains)
        reprints.unfinished = try Int.fetchAll(
          db, sql: "SELECT number FROM job WHERE state <> 'written' ORDER BY number"
        ).filter(choice.contains)
        let jobs = try Int.fetchOne(db, sql: "SELECT max(number) FROM job") ?? 0
        if choice.last > jobs { reprints.lastJob = jobs }
      }
      let insert = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO label_print
          SELECT number, uid, 'due' FROM job WHERE number = ? AND state = 'written'
          """)
      for number in numbers {
        try insert.execute(arguments: [number])
        reprints.tags.append(try writtenTag(ofJob: number, in: db))
      }
      return reprints
    }
  }

  /// Notes how far the label of this job's tag has come. On the disk when this returns.
  package func note(_ state: LabelState, labelOf written: WrittenTag) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "UPDATE label_print SET state = ? WHERE job = ? AND uid = ?")
        .execute(arguments: [
          state.rawValue, written.job.number, Data(written.uid.bytes),
        ])
    }
  }

  /// Returns whether nothing of the label of this job's tag was sent, and it is to be printed.
  package func isLabelDue(_ written: WrittenTag) throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM label_print WHERE \(Self.isDue))"),
        arguments: [written.job.number, Data(written.uid.bytes)]) ?? false
    }
  }

  /// Takes the label of this job's tag to be sent, where it is due; no other run can take it then.
  /// On the disk when this returns.
  package func claimLabel(of written: WrittenTag) throws(JournalError) -> Bool {
    try write { db in
      try db.cachedStatement(sql: "UPDATE label_print SET state = 'sent' WHERE \(Self.isDue)")
        .execute(arguments: [written.job.number, Data(written.uid.bytes)])
      return db.changesCount == 1
    }
  }

  private static let isDue = """
    job = ?1 AND uid = ?2 AND state = 'due'
      AND EXISTS (SELECT 1 FROM job WHERE number = ?1 AND job.uid = ?2 AND job.state = 'written')
    """

  /// Returns whether a label of this job's tag was printed, or may have been.
  package func hasLabel(_ written: WrittenTag) throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM label_print WHERE job = ? AND uid = ? AND state <> 'due')
          """, arguments: [written.job.number, Data(written.uid.bytes)]) ?? false
    }
  }

  /// What is known of labels, at the end of `session`.
  package func openPrints(for session: JournalSession) throws(JournalError) -> OpenPrints {
    try read { db in try Self.openPrints(in: db, besides: session) }
  }

  /// How many finished tags there are whose label no printer has got.
  package func labelsDue() throws(JournalError) -> Int {
    try read { db in try Self.openPrints(in: db).due.count }
  }

  /// `session`: what other runs at work have sent counts as printed, since they will learn of it.
  package static func openPrints(
    in db: Database, besides session: JournalSession? = nil
  ) throws -> OpenPrints {
    var found = OpenPrints()
    let others = try session.map { try sessionsAtWork(in: db).subtracting([$0.id]) } ?? []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT label_print.job, label_print.state, event.session FROM label_print
        JOIN job ON job.number = label_print.job AND job.uid = label_print.uid
        JOIN event ON event.id = job.event
        WHERE job.state = 'written' ORDER BY job.number
        """)
    while let row = try rows.next() {
      switch LabelState(rawValue: row[1]) {
      case .due: found.due.append(row[0])
      case .sent where others.contains(row[2]): found.printed += 1
      case .sent: found.unsure.append(row[0])
      case .printed, nil: found.printed += 1
      }
    }
    return found
  }
}

extension JournalSession {
  /// A tag that is finished has its label due; one that is written once more has had it.
  func wantLabel(ofJob number: Int, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO label_print SELECT number, uid, 'due' FROM job WHERE number = ?
        ON CONFLICT (job) DO UPDATE SET uid = excluded.uid, state = 'due'
          WHERE uid <> excluded.uid
        """
    ).execute(arguments: [number])
  }
}
