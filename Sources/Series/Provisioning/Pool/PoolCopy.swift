import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// A batch of a pool as a journal's file, as it is at one moment: whatever reads journals reads
/// pools by it.
enum PoolCopy {
  /// Fills an empty journal. Throws where `isWanted` is false before all of it is there.
  static func fill(
    _ journal: Journal, from address: PoolAddress, while isWanted: () -> Bool = { true }
  ) throws(JournalError) {
    func check() throws(JournalError) {
      guard isWanted() else { throw .cannotOpen(journal.path, reason: "nobody waits for it") }
    }
    let reading: PoolReading
    let told: [PoolReading.Session]
    let inspections: [PoolInspection]
    do throws(PoolError) {
      reading = try PoolReading(address)
      told = try reading.sessions()
      inspections = try reading.inspections()
    } catch {
      throw JournalError(error)
    }
    try journal.write { db in
      // A job names its event and the event its job.
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      let batch = reading.batch
      try db.execute(
        sql: "INSERT INTO source VALUES (1, ?, ?, ?, ?)",
        arguments: [batch.kind, batch.source, batch.settings, batch.adopted])
      try db.execute(sql: "UPDATE identity SET name = ?", arguments: [Data(batch.identity)])
      var sessions = Sessions()
      for session in told { try sessions.insert(session, in: db) }
      var jobs = 0
      try reading.forEachJob(JournalError.init) { (job) throws(JournalError) in
        try check()
        try JournalError.catching(journal.path) { try insert(job, in: db) }
        jobs += 1
      }
      try reading.forEachEvent(JournalError.init) { (event) throws(JournalError) in
        try check()
        try JournalError.catching(journal.path) { try insert(event, jobs, &sessions, in: db) }
      }
      try db.execute(
        sql: "INSERT INTO scrap SELECT uid, max(id) FROM event WHERE sets_aside GROUP BY uid")
      for inspection in inspections where isPossible(inspection, jobs) {
        try insert(inspection, &sessions, in: db)
      }
    }
  }

  private static func insert(_ job: PoolReading.Job, in db: Database) throws {
    let (standing, row) = (job.standing, job.row)
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
      row.wantedTag, row.locks, row.hasPassword, row.texts.columns, Data(row.digest), standing.word,
      job.event, tag.map { Data($0.tag) }, tag?.type, tag.map { Data($0.message.digest) },
      tag?.message.length, tag?.message.uri, locks?.isLocked, locks?.isProtected,
      tag?.message.day, standing.word == "reserved" ? job.draft.map { Data($0) } : nil,
    ])
  }

  private static func insert(
    _ told: Event, _ jobs: Int, _ sessions: inout Sessions, in db: Database
  ) throws {
    let event = possible(told, among: jobs)
    let session = try sessions.number(event.run, bench: told.bench ?? "", event.started, in: db)
    try event.insert(session, in: db)
    guard let job = event.job, let given = event.keys.flatMap(GivenKeys.init(stored:)) else {
      return
    }
    try Journal.note(given, by: event.number, ofJob: job, in: db)
  }

  /// The event as a journal may have it. What names a job that there is not, or is no event of this
  /// program's, says only that something was there.
  private static func possible(_ told: Event, among jobs: Int) -> Event {
    let job = told.job.flatMap { 0 < $0 && $0 <= jobs ? $0 : nil }
    guard job != told.job || told.what.kind == nil else { return told }
    var event = told
    event.what = .passed(
      job: job, tag: told.tag, setsAside: told.what.setsAside && told.tag != nil)
    return event
  }

  private static func insert(
    _ inspection: PoolInspection, _ sessions: inout Sessions, in db: Database
  ) throws {
    // Several benches may wait for the inspection of one tag, each since it has written it.
    if inspection.result == nil {
      try db.cachedStatement(sql: "DELETE FROM inspection WHERE job = ? AND result IS NULL")
        .execute(arguments: [inspection.job])
    }
    let session =
      inspection.result == nil
      ? nil
      : try sessions.number(
        inspection.session, bench: "", inspection.inspected ?? 0, in: db)
    try db.cachedStatement(
      sql: """
        INSERT INTO inspection (job, uid, reason, result, session, station, reader, cause, text,
          inspected_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      inspection.job, Data(inspection.tag), inspection.reason, inspection.result, session,
      inspection.station, inspection.reader, inspection.cause, inspection.text,
      inspection.result == nil ? nil : inspection.inspected ?? 0,
    ])
  }

  /// Whether a journal may have it: whoever writes to a pool may write anything there.
  private static func isPossible(_ inspection: PoolInspection, _ jobs: Int) -> Bool {
    InspectionReason(rawValue: inspection.reason) != nil && 0 < inspection.job
      && inspection.job <= jobs && (inspection.cause != nil) == (inspection.result == "bad")
  }

  /// The runs of all benches, numbered.
  private struct Sessions {
    private var numbers: [[UInt8]: Int64] = [:]
    /// What happened outside of a run, by bench.
    private var others: [String: Int64] = [:]

    mutating func insert(_ told: PoolReading.Session, in db: Database) throws {
      let session = told.session
      numbers[session.id] = try Self.insert(
        session.operatorName, session.command, session.version, told.bench, session.begun,
        told.ended, mark: session.id, in: db)
    }

    mutating func number(
      _ id: [UInt8]?, bench: String, _ moment: Int64, in db: Database
    ) throws -> Int64 {
      if let id, let number = numbers[id] { return number }
      if let number = others[bench] { return number }
      let number = try Self.insert(
        "", "", "", bench, moment, moment, mark: EventID().bytes, in: db)
      others[bench] = number
      return number
    }

    private static func insert(
      _ operatorName: String, _ command: String, _ version: String, _ bench: String,
      _ begun: Int64, _ ended: Int64?, mark: [UInt8], in db: Database
    ) throws -> Int64 {
      try db.cachedStatement(
        sql: """
          INSERT INTO session (operator, command, version, host, boot, namespace, process,
            process_start, begun_at, ended_at, mark)
          VALUES (?, ?, ?, ?, '', '', 0, 0, ?, ?, ?)
          """
      ).execute(arguments: [operatorName, command, version, bench, begun, ended, Data(mark)])
      return db.lastInsertedRowID
    }
  }
}

extension Journal {
  /// Writes a batch of a pool as a journal's file at `path`, where nothing may be yet.
  package static func export(_ pool: String, to path: String) throws(JournalError) {
    let address = try PoolSeries.address(pool)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw .cannotOpen(path, reason: "there is a file of this name; give another name")
    }
    do throws(JournalError) {
      try PoolCopy.fill(Journal(at: path, access: .readWrite(creating: true)), from: address)
    } catch {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      throw error
    }
  }
}
