import Foundation
import GRDB

/// What is known of the label of a finished tag.
package enum LabelState: String, Sendable {
  /// Nothing of it was sent to a printer.
  case due
  /// It was begun to be sent, and the printer has not said that it has it.
  case sent
  /// The printer has it.
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
  /// How many the printer has taken.
  package var printed = 0

  package init() {}

  package var isEmpty: Bool { due.isEmpty && unsure.isEmpty && tooLong.isEmpty }
}

/// Labels that were asked for once more.
package struct Reprints: Hashable, Sendable {
  /// How many are printed.
  package var count = 0
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
      let sql =
        Self.jobsWithEvents + """
           JOIN label_print ON label_print.job = job.number AND label_print.uid = job.uid
          WHERE job.state = 'written' AND label_print.state = 'due' ORDER BY job.event
          """
      return try Row.fetchAll(db, sql: sql).filter { row in !others.contains(row["session_id"]) }
        .map(Self.writtenTag)
    }
  }

  /// Makes the labels of finished tags due once more.
  package func printAgain(_ choice: LabelChoice) throws(JournalError) -> Reprints {
    try write { db in
      let numbers: [Int]
      var reprints = Reprints()
      switch choice {
      case .unsure:
        numbers = try Int.fetchAll(db, sql: "SELECT job FROM label_print WHERE state = 'sent'")
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
      for number in numbers { try insert.execute(arguments: [number]) }
      reprints.count = numbers.count
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

  /// What is known of labels.
  package func openPrints() throws(JournalError) -> OpenPrints {
    try read { db in try Self.openPrints(in: db) }
  }

  package static func openPrints(in db: Database) throws -> OpenPrints {
    var found = OpenPrints()
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT label_print.job, label_print.state FROM label_print
        JOIN job ON job.number = label_print.job AND job.uid = label_print.uid
        WHERE job.state = 'written' ORDER BY job.number
        """)
    while let row = try rows.next() {
      switch LabelState(rawValue: row[1]) {
      case .due: found.due.append(row[0])
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
