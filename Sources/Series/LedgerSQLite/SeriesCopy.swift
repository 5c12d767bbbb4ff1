import Foundation
import GRDB
import JobLists
import Ledger

/// Fills an empty journal with a series that another store has, as it is at one moment: runs and
/// jobs, then what happened, then inspections.
///
/// Whoever writes to a pool may write anything there: what no journal may have is left out, or says
/// only that something was there.
package final class SeriesCopy {
  private let db: Database
  private let path: String
  private var jobs = 0
  /// The runs of all benches, numbered.
  private var runs: [[UInt8]: Int64] = [:]
  /// What happened outside of a run, by bench.
  private var others: [String: Int64] = [:]

  fileprivate init(_ db: Database, _ path: String) { (self.db, self.path) = (db, path) }

  package func take(_ run: BenchRun, of bench: String) throws(JournalError) {
    runs[run.id] = try JournalError.catching(path) { try insert(run, bench) }
  }

  /// `event`: the number of the one that brought the job there; `draft`: what the tag of a job that
  /// is not finished is to hold.
  package func take(
    _ row: PoolJob, _ standing: JobStanding, event: Int64?, draft: [UInt8]?
  ) throws(JournalError) {
    jobs += 1
    try JournalError.catching(path) {
      let (tag, locks) = (standing.binding, standing.locks)
      try db.cachedStatement(
        sql: """
          INSERT INTO job (number, line, offset, name, records, wanted_tag, locks, has_password,
            columns, row_digest, state, event, uid, tag, message_digest, message_length, uri,
            is_locked, is_protected, day, message)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        row.number, row.place.line, Int64(clamping: row.place.byte), row.name, row.texts.records,
        row.wantedTag, row.locks, row.hasPassword, row.texts.columns, Data(row.digest),
        standing.word, event, tag.map { Data($0.tag) }, tag?.type,
        tag.map { Data($0.message.digest) }, tag?.message.length, tag?.message.uri,
        locks?.isLocked, locks?.isProtected, tag?.message.day,
        standing.word == "reserved" ? draft.map { Data($0) } : nil,
      ])
    }
  }

  package func take(_ told: Event) throws(JournalError) {
    let event = possible(told)
    try JournalError.catching(path) {
      try event.insert(try number(of: event.run, bench: told.bench ?? "", event.started), in: db)
      guard let job = event.job, let given = event.keys.flatMap(GivenKeys.init(stored:)) else {
        return
      }
      try Journal.note(given, by: event.number, ofJob: job, in: db)
    }
  }

  /// The event as a journal may have it: one that names a job that there is not, or is none of this
  /// program's, says only that something was there.
  private func possible(_ told: Event) -> Event {
    let job = told.job.flatMap { 0 < $0 && $0 <= jobs ? $0 : nil }
    guard job != told.job || told.what.kind == nil else { return told }
    var event = told
    event.what = .passed(
      job: job, tag: told.tag, setsAside: told.what.setsAside && told.tag != nil)
    return event
  }

  package func take(_ inspection: PoolInspection) throws(JournalError) {
    guard InspectionReason(rawValue: inspection.reason) != nil, 0 < inspection.job,
      inspection.job <= jobs, (inspection.cause != nil) == (inspection.result == "bad")
    else { return }
    let isDue = inspection.result == nil
    try JournalError.catching(path) {
      // Several benches may wait for the inspection of one tag, each since it has written it.
      if isDue {
        try db.cachedStatement(sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL")
          .execute(arguments: [inspection.job])
      }
      let moment = inspection.inspected ?? 0
      try db.cachedStatement(
        sql: """
          INSERT INTO inspection (job, uid, reason, result, session, station, reader, cause, text,
            inspected_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        inspection.job, Data(inspection.tag), inspection.reason, inspection.result,
        isDue ? nil : try number(of: inspection.session, bench: "", moment), inspection.station,
        inspection.reader, inspection.cause, inspection.text, isDue ? nil : moment,
      ])
    }
  }

  private func number(of id: [UInt8]?, bench: String, _ moment: Int64) throws -> Int64 {
    if let id, let number = runs[id] { return number }
    if let number = others[bench] { return number }
    let none = BenchRun(
      id: EventID().bytes, operatorName: "", command: "", version: "", host: bench, begun: moment,
      ended: moment)
    let number = try insert(none, bench)
    others[bench] = number
    return number
  }

  private func insert(_ run: BenchRun, _ bench: String) throws -> Int64 {
    try db.cachedStatement(
      sql: """
        INSERT INTO session (operator, command, version, host, boot, namespace, process,
          process_start, begun_at, ended_at, mark)
        VALUES (?, ?, ?, ?, '', '', 0, 0, ?, ?, ?)
        """
    ).execute(arguments: [
      run.operatorName, run.command, run.version, bench, run.begun, run.ended, Data(run.id),
    ])
    return db.lastInsertedRowID
  }
}

extension Journal {
  /// Has an empty journal be a copy of a series by this name, which `body` hands over: all of it or
  /// nothing.
  ///
  /// A job names its event and the event its job: whichever comes first names what is not there
  /// yet. SQLite, told to wait for the end, looks with each row through all rows that may have
  /// waited for it. So it looks at the end alone, once.
  package func fill(
    _ source: SourceDescription, adopted: Int64, name: [UInt8],
    _ body: (SeriesCopy) throws(JournalError) -> Void
  ) throws(JournalError) {
    try JournalError.catching(path) {
      try database.writeWithoutTransaction { db in
        // Within a transaction this does nothing.
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
          try insert(source, adopted: adopted, into: db)
          try db.execute(sql: "UPDATE identity SET name = ?", arguments: [Data(name)])
          try body(SeriesCopy(db, path))
          try db.execute(
            sql: "INSERT INTO scrap SELECT uid, max(id) FROM event WHERE sets_aside GROUP BY uid")
          try db.checkForeignKeys()
          try checkFile()
          return .commit
        }
      }
    }
  }
}
