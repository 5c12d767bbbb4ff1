import Foundation
import GRDB
import Ledger
import TagMemory

/// The journal as a ledger: one machine's, where a job is claimed and bound in one transaction, and
/// the number of the event that brought a job where it stands is its epoch.
extension Journal: LedgerStore {
  package func standing(ofJob number: Int) throws(JournalError) -> JobStanding? {
    try read { db in try standing(ofJob: number, in: db) }
  }

  package func job(ofTag uid: [UInt8]) throws(JournalError) -> Int? {
    try read { db in try job(ofTag: uid, in: db) }
  }

  package func job(ofMessage digest: [UInt8]) throws(JournalError) -> Int? {
    try job(holding: digest)
  }

  package func events(after number: Int64, limit: Int) throws(JournalError) -> [LedgerEvent] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT id, kind, job, uid, station, reader, cause, text, started_at, duration
          FROM event WHERE id > ? ORDER BY id LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [number, limit]).map { row in
        let uid: Data? = row["uid"]
        return LedgerEvent(
          number: row["id"], kind: row["kind"], job: row["job"], tag: uid.map(Array.init),
          station: row["station"], reader: row["reader"], cause: row["cause"], text: row["text"],
          started: row["started_at"], duration: row["duration"])
      }
    }
  }

  func standing(ofJob number: Int, in db: Database) throws -> JobStanding? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT job.state, job.event, job.uid, job.message_digest, event.kind, event.session,
          event.station
        FROM job LEFT JOIN event ON event.id = job.event WHERE job.number = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [number]) else { return nil }
    let (uid, digest): (Data?, Data?) = (row["uid"], row["message_digest"])
    let state: JobState
    if let uid, let digest {
      let session: Int64 = row["session"] ?? 0
      let binding = Binding(
        bench: Self.bench(session, row["station"] ?? ""), tag: Array(uid), message: Array(digest))
      let isHeld = row["kind"] == EventKind.held.rawValue
      state =
        row["state"] == "written" ? .written(binding) : isHeld ? .held(binding) : .bound(binding)
    } else {
      state = row["state"] == "failed" ? .failed : .pending
    }
    return JobStanding(state, epoch: row["event"] ?? 0)
  }

  package func job(ofTag uid: [UInt8], in db: Database) throws -> Int? {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT number FROM job WHERE uid = ?"), arguments: [Data(uid)])
  }

  /// The name that the rules know a station of a session by: two tags with one UID may lie at two
  /// stations of a line.
  static func bench(_ session: Int64, _ station: String) -> String { "\(session)/\(station)" }
}

extension JournalSession {
  /// What the rules make of commands on a job, one after the other; the last answer, or the first
  /// refusal.
  func decide(
    _ commands: [LedgerCommand], on job: Int, isAtWork: Bool = false, in db: Database
  ) throws -> LedgerDecision {
    guard var standing = try journal.standing(ofJob: job, in: db) else {
      throw JournalError.damaged(journal.path, reason: "job \(job) is missing")
    }
    var decision = LedgerDecision.done
    for command in commands {
      var facts = LedgerFacts()
      facts.isAtWork = isAtWork
      if case .bind(_, _, let tag, let message) = command {
        facts.jobOfTag = try journal.job(ofTag: tag, in: db)
        facts.jobOfMessage = try journal.job(holding: message, in: db)
      }
      decision = standing.decide(command, on: job, facts)
      switch decision {
      case .changed(let next, _): standing = next
      case .done: continue
      case .refused: return decision
      }
    }
    return decision
  }

  /// The name of the reservation's station in this session.
  func bench(_ tag: PresentedTag) -> String { Journal.bench(id, tag.station) }
}
