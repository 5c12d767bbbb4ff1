import Foundation
import GRDB
import Ledger

extension Event {
  /// From the columns of `event` behind the first `start`, in the order in which its table has
  /// them: looking names up takes longer than all the rest.
  package init(_ row: Row, behind start: Int = 0) {
    let (uid, digest): (Data?, Data?) = (row[start + 4], row[start + 13])
    let message = digest.map {
      MessageFacts(
        digest: Array($0), length: row[start + 14] ?? 0, uri: row[start + 15],
        day: row[start + 16])
    }
    let what = Happening(
      kind: row[start + 2], job: row[start + 3], tag: uid.map(Array.init), message: message,
      isLocked: row[start + 17] ?? false, isProtected: row[start + 18] ?? false,
      setsAside: row[start + 19])
    self.init(
      number: row[start], what, station: row[start + 6], reader: row[start + 7],
      cause: row[start + 8], text: row[start + 9], started: row[start + 10],
      duration: row[start + 11])
    bench = Journal.bench(row[start + 1], station ?? "")
    (tagType, steps, isEcho) = (row[start + 5], row[start + 12], row[start + 20])
    claim = row[start + 21]
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
          echo, claim, seal)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      event.number, session, what.word, job, tag.map { Data($0) }, tagType, station,
      reader, cause, text, started, duration, steps, what.digest.map { Data($0) },
      what.message?.length, what.message?.uri, what.message?.day, locks?.isLocked,
      locks?.isProtected, what.setsAside, isEcho, claim, Data(seal),
    ])
    return event.number
  }
}

extension JobStanding {
  /// Where a job stands, by its row and what happened to it last: a row of `Journal.standings`.
  init(_ row: Row) {
    let (uid, digest): (Data?, Data?) = (row[3], row[5])
    let word: String = row[1]
    let state: JobState
    if let uid, let digest {
      let tag = Binding(
        bench: Journal.bench(row[12] ?? 0, row[13] ?? ""), tag: Array(uid), type: row[4],
        message: MessageFacts(
          digest: Array(digest), length: row[6] ?? 0, uri: row[7], day: row[8]))
      let lastKind: String? = row[11]
      if word == "written" {
        let locks = TagLocks(isLocked: row[9] ?? false, isProtected: row[10] ?? false)
        state = .written(tag, locks)
      } else {
        state = lastKind == EventKind.held.rawValue ? .held(tag) : .bound(tag)
      }
    } else {
      state = word == "failed" ? .failed : .pending
    }
    self.init(state, epoch: row[2] ?? 0)
  }
}

extension Journal {
  /// Jobs, with what is read to say where one stands.
  static let standings = """
    SELECT job.number, job.state, job.event, job.uid, job.tag, job.message_digest,
      job.message_length, job.uri, job.day, job.is_locked, job.is_protected, event.kind,
      event.session, event.station
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
    if let number = event.job, event.what.changesJob {
      event.claim = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT epoch FROM pool_claim WHERE job = ?"), arguments: [number])
    }
    event.number = try event.insert(session, in: db)
    if let number = event.job, event.what.changesJob {
      guard let standing = try standing(ofJob: number, in: db)?.taking(event) else {
        throw JournalError.reservationLost(job: number)
      }
      try put(standing, ofJob: number, draft: draft, in: db)
      // In the journal of a bench of a pool.
      try db.cachedStatement(sql: "UPDATE pool_claim SET stage = ? WHERE job = ?")
        .execute(arguments: [standing.binding == nil ? "done" : "bound", number])
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
  /// Writes down what the pool has decided, which does not hear of it again.
  @discardableResult
  func echo(
    _ what: Happening, _ tag: PresentedTag? = nil, _ trouble: TagTrouble? = nil,
    draft: [UInt8]? = nil, in db: Database
  ) throws -> Int64 {
    var event = said(tag, trouble, nil)
    (event.what, event.isEcho) = (what, true)
    return try journal.commit(event, draft: draft, in: id, db)
  }
}
