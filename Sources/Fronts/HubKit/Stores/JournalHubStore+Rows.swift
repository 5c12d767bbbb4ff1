import Foundation
import GRDB
import Ledger
import LedgerSQLite
import TagMemory

extension JournalHubStore {
  // MARK: Events

  package func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try check(batch)
    return try read { db in
      try events(db, "WHERE event.id > ? ORDER BY event.id LIMIT ?", [number, limit])
    }
  }

  package func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try check(batch)
    return try read(isSlow: true) { db in
      try events(db, "WHERE event.id <= ? ORDER BY event.id DESC LIMIT ?", [number, limit])
    }.reversed()
  }

  /// All events are gone through once.
  package func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures {
    try check(batch)
    return try read(isSlow: true) { db in try Figures(db, upTo: number) }
  }

  package func lastEvent(of batch: String) throws(HubError) -> Int64 {
    try check(batch)
    return try newestNumber()
  }

  package func newestNumber() throws(HubError) -> Int64 {
    try read { db in try Int64.fetchOne(db, sql: "SELECT max(id) FROM event") ?? 0 }
  }

  /// Old journals have no index of tags: their events are gone through once.
  package func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] {
    try read(isSlow: true) { db in
      try events(db, "WHERE event.uid = ? ORDER BY event.id LIMIT ?", [Data(uid.bytes), limit])
    }
  }

  package func history(
    ofJob number: Int, in batch: String, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    try check(batch)
    return try read { db in
      try events(db, "WHERE event.job = ? ORDER BY event.id LIMIT ?", [number, limit])
    }
  }

  private func events(
    _ db: Database, _ condition: String, _ values: StatementArguments
  ) throws -> [NamedEvent] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT event.*, session.host, job.name AS job_name, EXISTS (
          SELECT 1 FROM scrap WHERE scrap.uid = event.uid AND scrap.event = event.id) AS is_scrap
        FROM event JOIN session ON session.id = event.session
        LEFT JOIN job ON job.number = event.job \(condition)
        """)
    return try Row.fetchAll(statement, arguments: values).map { row in
      let session: Int64 = row["session"]
      return NamedEvent(
        Event(row), batch: id, bench: row["host"], jobName: row["job_name"], run: "\(session)",
        isScrap: row["is_scrap"])
    }
  }

  // MARK: Runs

  /// A run whose process is gone has ended with its last event.
  package func runs(of batch: String, limit: Int) throws(HubError) -> [HubRun] {
    try check(batch)
    return try read { db in
      let atWork = try Journal.sessionsAtWork(in: db)
      let rows = try Row.fetchAll(
        db.cachedStatement(sql: "SELECT * FROM session ORDER BY id DESC LIMIT ?"),
        arguments: [limit])
      return try rows.map { row in
        let (number, begun): (Int64, Int64) = (row["id"], row["begun_at"])
        var ended: Int64? = row["ended_at"]
        let wasCutOff = ended == nil && !atWork.contains(number)
        if wasCutOff { ended = try Self.lastSign(of: number, db) ?? begun }
        return HubRun(
          bench: row["host"], operatorName: row["operator"], began: begun, ended: ended,
          wasCutOff: wasCutOff, id: "\(number)")
      }
    }
  }

  /// The end of its last event, or when a station last showed something else.
  private static func lastSign(of session: Int64, _ db: Database) throws -> Int64? {
    let event = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT started_at, duration FROM (SELECT * FROM event ORDER BY id DESC LIMIT 2000)
          WHERE session = ? ORDER BY id DESC LIMIT 1
          """), arguments: [session]
    ).map { row -> Int64 in
      let (started, duration): (Int64, Int64) = (row["started_at"], row["duration"])
      return started.asStoredTime + duration.asStoredTime / 1000
    }
    let shown = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(since) FROM station WHERE session = ?"),
      arguments: [session])
    return [event, shown].compactMap(\.self).max()
  }

  package func stations(of batch: String) throws(HubError) -> [NamedStation] {
    try check(batch)
    return try read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT station.*, session.host, job.name AS job_name FROM station
            JOIN session ON session.id = station.session
            LEFT JOIN job ON job.number = station.job ORDER BY since DESC LIMIT 1000
            """)
      ).map { row in
        let session: Int64 = row["session"]
        return NamedStation(
          bench: row["host"], run: "\(session)", shown: ShownStation(row),
          jobName: row["job_name"])
      }
    }
  }

  // MARK: Jobs

  package func jobs(
    of batch: String, _ filter: HubJobFilter, after: Int, limit: Int
  ) throws(HubError) -> [HubJob] {
    try check(batch)
    // Names have no index in a journal.
    return try read(isSlow: filter.name != nil || filter.text != nil) { db in
      var conditions = ["job.number > ?"]
      var values: [(any DatabaseValueConvertible)?] = [after]
      if let state = filter.state { conditions.append("job.state = '\(state.rawValue)'") }
      if let number = filter.number {
        conditions.append("job.number = ?")
        values.append(number)
      }
      if let uid = filter.uid {
        conditions.append("job.uid = ?")
        values.append(Data(uid.bytes))
      }
      if let name = filter.name {
        conditions.append("substr(job.name, 1, length(?)) = ?")
        values += [name, name]
      }
      if let last = filter.last {
        conditions.append("job.number <= ?")
        values.append(last)
      }
      if let text = filter.text {
        let numbers = try Self.numbers(
          db, conditions.joined(separator: " AND "), StatementArguments(values), text, limit)
        conditions = ["job.number IN (\(numbers.map(String.init).joined(separator: ",")))"]
        values = []
      }
      values.append(limit)
      let sql = """
        SELECT job.number, job.name, job.state, job.columns, job.uid AS job_uid,
          job.tag AS job_tag, job.uri, event.*
        FROM job LEFT JOIN event ON event.id = job.event
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY job.number LIMIT ?
        """
      return try Row.fetchAll(
        db.cachedStatement(sql: sql), arguments: StatementArguments(values)
      ).map(Self.job)
    }
  }

  /// The jobs among those of the conditions that have a text, `limit` at most.
  private static func numbers(
    _ db: Database, _ conditions: String, _ values: StatementArguments, _ text: SearchText,
    _ limit: Int
  ) throws -> [Int] {
    var numbers: [Int] = []
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT number, name, uri, columns FROM job WHERE \(conditions) ORDER BY number",
      arguments: values)
    while numbers.count < limit, let row = try rows.next() {
      if text.isIn(name: row[1], link: row[2], columns: row[3]) { numbers.append(row[0]) }
    }
    return numbers
  }

  private static func job(_ row: Row) throws -> HubJob {
    let state: String = row["state"]
    var job = HubJob(
      number: row["number"], name: row["name"],
      state: HubJobFilter.State(rawValue: state) ?? .pending)
    job.columns = try StoredJob.pairs(row["columns"]).map { .init(name: $0.0, value: $0.1) }
    let uid: Data? = row["job_uid"]
    job.uid = uid.map { UID($0) }
    (job.tagType, job.uri) = (row["job_tag"], row["uri"])
    let event: Int64? = row["id"]
    job.event = event.map { _ in Event(row) }
    return job
  }
}
