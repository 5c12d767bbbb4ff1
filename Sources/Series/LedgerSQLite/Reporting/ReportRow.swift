import Foundation
import GRDB
import JobLists
import Ledger
import TagMemory

/// A line of a report: a job, or a tag that was presented.
package struct ReportRow: Hashable, Sendable {
  package enum Subject: String, Hashable, Sendable, Encodable { case job, tag }

  package var subject = Subject.job
  /// Of the job; nil for a tag that had none.
  package var job: Int?
  package var name: String?
  /// The job's line in its source.
  package var line: Int?
  /// A job's state, `pending`, `reserved`, `written` or `failed`; a tag's outcome: `written`,
  /// `failed` (its job went to another), `scrap` (so too, and not to be used), `held` (its job
  /// waits for it), `left` (alone), `released`.
  package var outcome = ""
  package var uid: UID?
  package var tagType: String?
  /// The first link of the message.
  package var uri: String?
  /// Of the message, in bytes.
  package var length: Int?
  /// SHA-256 of the message.
  package var digest: [UInt8]?
  package var isLocked: Bool?
  package var isProtected: Bool?
  /// When what `outcome` says was done.
  package var time: Date?
  package var duration: Duration?
  /// How many tags the job was tried on.
  package var attempts: Int?
  package var station: String?
  package var reader: String?
  package var operatorName: String?
  package var trouble: TagTrouble?
  /// Of a job: the keys that its tag was given last, said without a secret.
  package var keys: KeyRing.Identity?
  /// Of a job: what the last inspection of its tag has found, `good`, `bad`, or `pending`.
  package var inspection: String?
  /// What the time went to, as the journal has it.
  var storedSteps: String?
  package var columns: [PlannedJob.Column] = []

  /// What the time went to.
  package var steps: [Timing.Step] {
    guard let storedSteps else { return [] }
    let parts = try? JSONDecoder().decode([String: Int64].self, from: Data(storedSteps.utf8))
    return (parts ?? [:]).sorted { $0.key < $1.key }.map { .init($0.key, .microseconds($0.value)) }
  }
}

extension JournalReading {
  /// Every job in order, then every tag that was presented, in order; `limit`: so many of each at
  /// most.
  package func forEachRow(limit: Int? = nil, _ take: (ReportRow) throws -> Void) throws {
    // Columns by their places: looking names up takes longer than all the rest.
    let jobs = try Row.fetchCursor(
      db,
      sql: """
        SELECT job.uid, job.tag, event.started_at, event.duration, event.station, event.reader, session.operator,
          event.cause, event.text, job.number, job.name, job.line, job.state, job.uri, job.message_length,
          job.message_digest, job.is_locked, job.is_protected, job.columns,
          (SELECT count(*) FROM event AS each WHERE each.job = job.number AND each.kind = 'reserved'),
          (SELECT coalesce(result, 'pending') FROM inspection WHERE inspection.job = job.number
            ORDER BY inspection.id DESC LIMIT 1),
          key_ring.scheme, key_ring.master, key_ring.name, key_ring.version, key_ring.meta_read,
          key_ring.file_read
        FROM job LEFT JOIN event ON event.id = job.event LEFT JOIN session ON session.id = event.session
        LEFT JOIN keys_given ON keys_given.event =
          (SELECT max(given.event) FROM keys_given AS given WHERE given.job = job.number)
        LEFT JOIN key_ring ON key_ring.id = keys_given.keys
        ORDER BY job.number LIMIT ?
        """, arguments: [limit ?? -1])
    while let row = try jobs.next() { try take(.job(row)) }
    let tags = try Row.fetchCursor(
      db,
      sql: """
        SELECT event.uid, event.tag, event.started_at, event.duration, event.station, event.reader,
          session.operator, event.cause, event.text, event.job, event.kind, event.steps,
          event.sets_aside
        FROM event JOIN session ON session.id = event.session
        WHERE kind IN (\(Self.ends)) ORDER BY event.id LIMIT ?
        """, arguments: [limit ?? -1])
    while let row = try tags.next() { try take(.tag(row)) }
  }
}

extension ReportRow {
  fileprivate static func job(_ row: Row) throws -> ReportRow {
    var line = common(row)
    line.subject = .job
    (line.job, line.name, line.line) = (row[9], row[10], row[11])
    line.outcome = row[12]
    let digest: Data? = row[15]
    (line.uri, line.length, line.digest) = (row[13], row[14], digest.map(Array.init))
    (line.isLocked, line.isProtected) = (row[16], row[17])
    line.columns = try StoredJob.quickPairs(row[18]).map { .init(name: $0.0, value: $0.1) }
    line.attempts = row[19]
    line.inspection = row[20]
    if let scheme: String = row[21] {
      let (version, metaRead, fileRead): (Int, Int, Int) = (row[24], row[25], row[26])
      line.keys = KeyRing.Identity(
        scheme: scheme, master: row[22], name: row[23], version: UInt8(clamping: version),
        metaRead: UInt8(clamping: metaRead), fileRead: UInt8(clamping: fileRead))
    }
    return line
  }

  fileprivate static func tag(_ row: Row) throws -> ReportRow {
    var line = common(row)
    line.subject = .tag
    (line.job, line.storedSteps) = (row[9], row[11])
    let isScrap: Bool = row[12]
    let kind = EventKind(rawValue: row[10])
    line.outcome =
      switch kind?.verdict(line.trouble?.known, hasJob: line.job != nil) {
      case .failed: isScrap ? "scrap" : "failed"
      case .left: isScrap ? "scrap" : "left"
      case .held: "held"
      case .passed, nil: kind?.rawValue ?? ""
      }
    return line
  }

  /// What both say of the event that stands behind them: the first nine columns.
  private static func common(_ row: Row) -> ReportRow {
    var line = ReportRow()
    let (uid, started, duration): (Data?, Int64?, Int64?) = (row[0], row[2], row[3])
    line.uid = uid.map { UID($0) }
    line.tagType = row[1]
    line.time = started.map { Date(began: $0, lasting: duration ?? 0) }
    line.duration = duration.flatMap { $0 > 0 ? .microseconds($0) : nil }
    (line.station, line.reader, line.operatorName) = (row[4], row[5], row[6])
    if let cause: String = row[7] { line.trouble = TagTrouble(stored: cause, row[8] ?? "") }
    return line
  }
}
