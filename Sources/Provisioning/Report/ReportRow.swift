import Foundation
import GRDB
import TagMemory

/// A line of a report: a job, or a tag that was presented.
public struct ReportRow: Hashable, Sendable {
  public enum Subject: String, Hashable, Sendable, Encodable { case job, tag }

  public var subject = Subject.job
  /// Of the job; nil for a tag that had none.
  public var job: Int?
  public var name: String?
  /// The job's line in its source.
  public var line: Int?
  /// A job's state, `pending`, `reserved`, `written` or `failed`; a tag's outcome: `written`, `failed` (its job went
  /// to another), `scrap` (so too, and not to be used), `held` (its job waits for it), `left` (alone), `released`.
  public var outcome = ""
  public var uid: UID?
  public var tagType: String?
  /// The first link of the message.
  public var uri: String?
  /// Of the message, in bytes.
  public var length: Int?
  /// SHA-256 of the message.
  public var digest: [UInt8]?
  public var isLocked: Bool?
  public var isProtected: Bool?
  /// When what `outcome` says was done.
  public var time: Date?
  public var duration: Duration?
  /// How many tags the job was tried on.
  public var attempts: Int?
  public var station: String?
  public var reader: String?
  public var operatorName: String?
  public var trouble: TagTrouble?
  public var steps: [Timing.Step] = []
  public var columns: [PlannedJob.Column] = []
}

extension ReportRow {
  /// Every job in order, then every tag that was presented, in order.
  static func forEach(_ db: Database, _ take: (ReportRow) throws -> Void) throws {
    let jobs = try Row.fetchCursor(
      db,
      sql: """
        SELECT job.*, event.station, event.reader, event.cause, event.text, event.started_at, event.duration,
          session.operator, (SELECT count(*) FROM event AS each WHERE each.job = job.number
          AND each.kind = 'reserved') AS attempts
        FROM job LEFT JOIN event ON event.id = job.event LEFT JOIN session ON session.id = event.session
        ORDER BY job.number
        """)
    while let row = try jobs.next() { try take(job(row)) }
    let tags = try Row.fetchCursor(
      db,
      sql: """
        SELECT event.*, session.operator, scrap.uid AS scrapped FROM event
        JOIN session ON session.id = event.session LEFT JOIN scrap ON scrap.uid = event.uid AND scrap.event = event.id
        WHERE kind IN ('written', 'returned', 'held', 'passed', 'released') ORDER BY event.id
        """)
    while let row = try tags.next() { try take(tag(row)) }
  }

  private static func job(_ row: Row) throws -> ReportRow {
    let digest: Data? = row["message_digest"]
    var line = common(row)
    line.subject = .job
    (line.job, line.name, line.line) = (row["number"], row["name"], row["line"])
    line.outcome = row["state"]
    (line.uri, line.length, line.digest) = (
      row["uri"], row["message_length"], digest.map(Array.init)
    )
    (line.isLocked, line.isProtected) = (row["is_locked"], row["is_protected"])
    line.attempts = row["attempts"]
    line.columns = try StoredJob.pairs(row["columns"]).map { .init(name: $0.0, value: $0.1) }
    return line
  }

  private static func tag(_ row: Row) throws -> ReportRow {
    var line = common(row)
    line.subject = .tag
    line.job = row["job"]
    let isScrap = row["scrapped"] != nil as Data?
    line.outcome =
      switch EventKind(rawValue: row["kind"]) {
      case .returned: isScrap ? "scrap" : "failed"
      case .passed: "left"
      case let kind: kind?.rawValue ?? ""
      }
    if let steps: String = row["steps"] {
      let parts = try JSONDecoder().decode([String: Int64].self, from: Data(steps.utf8))
      line.steps = parts.sorted { $0.key < $1.key }.map { .init($0.key, .microseconds($0.value)) }
    }
    return line
  }

  /// What both say of the event that stands behind them.
  private static func common(_ row: Row) -> ReportRow {
    var line = ReportRow()
    let (uid, started, duration): (Data?, Int64?, Int64?) = (
      row["uid"], row["started_at"], row["duration"]
    )
    line.uid = uid.map { UID($0) }
    line.tagType = row["tag"]
    line.time = started.map { Date(milliseconds: $0 + (duration ?? 0) / 1000) }
    line.duration = duration.flatMap { $0 > 0 ? .microseconds($0) : nil }
    (line.station, line.reader, line.operatorName) = (
      row["station"], row["reader"], row["operator"]
    )
    if let cause: String = row["cause"] { line.trouble = TagTrouble(cause, row["text"] ?? "") }
    return line
  }
}
