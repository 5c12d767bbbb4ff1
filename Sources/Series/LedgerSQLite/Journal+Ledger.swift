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

  package func events(after number: Int64, limit: Int) throws(JournalError) -> [Event] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM event WHERE id > ? ORDER BY id LIMIT ?")
      return try Row.fetchAll(statement, arguments: [number, limit]).map { Event($0) }
    }
  }

  func standing(ofJob number: Int, in db: Database) throws -> JobStanding? {
    try record(ofJob: number, in: db).map { JobStanding($0) }
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
