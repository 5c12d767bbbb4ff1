import Foundation
import GRDB
import Ledger

extension Event {
  /// As a row of `event` has it.
  package init(_ row: Row) {
    let (uid, digest): (Data?, Data?) = (row["uid"], row["digest"])
    let message = digest.map {
      MessageFacts(
        digest: Array($0), length: row["length"] ?? 0, uri: row["link"], day: row["made_for"])
    }
    let what = Happening(
      kind: row["kind"], job: row["job"], tag: uid.map(Array.init), message: message,
      isLocked: row["locked"] ?? false, isProtected: row["protected"] ?? false,
      setsAside: row["sets_aside"])
    self.init(
      number: row["id"], what, station: row["station"], reader: row["reader"],
      cause: row["cause"], text: row["text"], started: row["started_at"],
      duration: row["duration"])
    bench = Journal.bench(row["session"], station ?? "")
    (tagType, steps) = (row["tag"], row["steps"])
  }

  /// Writes the event down in a run of this number; returns its own number. It has the one that it
  /// names, where it names one.
  @discardableResult
  package func insert(_ session: Int64, in db: Database) throws -> Int64 {
    var event = self
    if number <= 0 {
      // Events are never taken away, so that this is the one that SQLite gives.
      let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM event"))
      event.number = (last ?? 0) + 1
    }
    let (locks, seal) = (what.locks, try event.seal(session, after: Self.lastSeal(in: db)))
    try db.cachedStatement(
      sql: """
        INSERT INTO event (id, session, kind, job, uid, tag, station, reader, cause, text,
          started_at, duration, steps, digest, length, link, made_for, locked, protected, sets_aside,
          seal)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      event.number, session, what.word, job, tag.map { Data($0) }, tagType, station,
      reader, cause, text, started, duration, steps, what.digest.map { Data($0) },
      what.message?.length, what.message?.uri, what.message?.day, locks?.isLocked,
      locks?.isProtected, what.setsAside, Data(seal),
    ])
    return event.number
  }
}

extension JobStanding {
  /// Where a job stands, by its row, and what happened to it last: columns of `job` and, called
  /// `last_…`, of its event.
  init(_ row: Row) {
    let (uid, digest): (Data?, Data?) = (row["uid"], row["message_digest"])
    let state: JobState
    if let uid, let digest {
      let tag = Binding(
        bench: Journal.bench(row["last_session"] ?? 0, row["last_station"] ?? ""),
        tag: Array(uid), type: row["tag"],
        message: MessageFacts(
          digest: Array(digest), length: row["message_length"] ?? 0, uri: row["uri"],
          day: row["day"]))
      if row["state"] == "written" {
        let locks = TagLocks(
          isLocked: row["is_locked"] ?? false, isProtected: row["is_protected"] ?? false)
        state = .written(tag, locks)
      } else {
        state = row["last_kind"] == EventKind.held.rawValue ? .held(tag) : .bound(tag)
      }
    } else {
      state = row["state"] == "failed" ? .failed : .pending
    }
    self.init(state, epoch: row["event"] ?? 0)
  }

  /// As a journal calls it.
  package var word: String {
    switch state {
    case .pending, .claimed: "pending"
    case .bound, .held: "reserved"
    case .written: "written"
    case .failed: "failed"
    }
  }
}

extension Journal {
  /// Jobs, with what is read to say where one stands.
  static let standings = """
    SELECT job.*, event.kind AS last_kind, event.session AS last_session,
      event.station AS last_station
    FROM job LEFT JOIN event ON event.id = job.event
    """

  /// Where a job stands by its row; nil: there is no such job.
  package func standing(ofJob number: Int, in db: Database) throws -> JobStanding? {
    let statement = try db.cachedStatement(sql: Self.standings + " WHERE job.number = ?")
    return try Row.fetchOne(statement, arguments: [number]).map { JobStanding($0) }
  }

  /// Where a job stood before the event with the number `event`, by what had happened to it.
  package func standing(
    ofJob number: Int, before event: Int64, in db: Database
  ) throws -> JobStanding {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM event WHERE job = ? AND id < ? ORDER BY id")
    var standing = JobStanding()
    for row in try Row.fetchAll(statement, arguments: [number, event]) {
      _ = standing.apply(Event(row))
    }
    return standing
  }

  /// Has a job stand where the event of this number brought it. `draft`: the message that its tag
  /// is to hold; nil: as before.
  func put(
    _ standing: JobStanding, ofJob number: Int, draft: [UInt8]?, in db: Database
  ) throws {
    let (tag, locks) = (standing.binding, standing.locks)
    try db.cachedStatement(
      sql: """
        UPDATE job SET state = ?1, event = ?2, uid = ?3, tag = ?4, message_digest = ?5,
          message_length = ?6, uri = ?7, day = ?8, is_locked = ?9, is_protected = ?10,
          message = CASE ?1 WHEN 'reserved' THEN coalesce(?11, message) END WHERE number = ?12
        """
    ).execute(arguments: [
      standing.word, standing.epoch, tag.map { Data($0.tag) }, tag?.type,
      tag.map { Data($0.message.digest) }, tag?.message.length, tag?.message.uri,
      tag?.message.day, locks?.isLocked, locks?.isProtected, draft.map { Data($0) }, number,
    ])
  }
}

extension Journal {
  /// Writes down what happened to a tag or a job in a run of this number, and has the job stand
  /// where that brings it: the only way in which a job's row changes. Returns the event's number.
  /// `draft`: the message that the tag is to hold. Throws, and the change is to be taken back,
  /// where it contradicts what happened to the job before.
  func commit(
    _ event: Event, draft: [UInt8]? = nil, in session: Int64, _ db: Database
  ) throws -> Int64 {
    var event = event
    event.number = try event.insert(session, in: db)
    if let number = event.job, event.what.changesJob {
      guard let standing = try standing(ofJob: number, in: db)?.taking(event) else {
        throw JournalError.reservationLost(job: number)
      }
      try put(standing, ofJob: number, draft: draft, in: db)
    }
    if let uid = event.tag {
      if event.what.setsAside {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO scrap VALUES (?, ?)")
          .execute(arguments: [Data(uid), event.number])
      } else if case .reserved = event.what {
        try db.cachedStatement(sql: "DELETE FROM scrap WHERE uid = ?")
          .execute(arguments: [Data(uid)])
      }
    }
    return event.number
  }
}

extension JournalSession {
  /// Writes down what others have decided, or what changes no job.
  @discardableResult
  package func commit(
    _ what: Happening, _ tag: PresentedTag? = nil, _ trouble: TagTrouble? = nil,
    _ timing: Timing? = nil, draft: [UInt8]? = nil, in db: Database
  ) throws -> Int64 {
    var event = said(tag, trouble, timing)
    event.what = what
    return try journal.commit(event, draft: draft, in: id, db)
  }
}
