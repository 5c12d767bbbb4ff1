import Foundation
import GRDB
import Ledger
import TagMemory

/// The journal as a store: one machine's, where a job is claimed and bound in one transaction, and
/// the number of the event that brought a job where it stands is its epoch.
extension Journal: SeriesStore {
  /// The run that `told` names does it.
  package func perform(
    _ commands: [LedgerCommand], on job: Int, as id: EventID, telling told: Event
  ) throws(JournalError) -> LedgerDecision {
    try write { db in
      let statement = try db.cachedStatement(sql: "SELECT id FROM session WHERE mark = ?")
      guard let session = try Int64.fetchOne(statement, arguments: [told.run.map { Data($0) }])
      else { throw JournalError.failed(path, reason: "its run is not known") }
      return try perform(commands, on: job, told, in: session, db).decision
    }
  }
  package func standing(ofJob number: Int) throws(JournalError) -> JobStanding? {
    try read { db in try standing(ofJob: number, in: db) }
  }

  package func jobs(where condition: JobCondition) throws(JournalError) -> [Int] {
    try read { db in try jobs(where: condition, in: db) }
  }

  package func events(after number: Int64, limit: Int) throws(JournalError) -> [Event] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM event WHERE id > ? ORDER BY id LIMIT ?")
      return try Row.fetchAll(statement, arguments: [number, limit]).map { Event($0) }
    }
  }

  package func isScrap(_ tag: [UInt8]) throws(JournalError) -> Bool {
    try read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT 1 FROM scrap WHERE uid = ?"), arguments: [Data(tag)])
        != nil
    }
  }

  package func jobs(where condition: JobCondition, in db: Database) throws -> [Int] {
    let (sql, value): (String, [UInt8]?) =
      switch condition {
      case .onTag(let uid): ("uid = ?", uid)
      case .holding(let digest): ("message_digest = ?", digest)
      case .failed: ("state = 'failed'", nil)
      }
    let statement = try db.cachedStatement(
      sql: "SELECT number FROM job WHERE \(sql) ORDER BY number")
    return try Int.fetchAll(
      statement, arguments: value.map { [Data($0)] } ?? StatementArguments())
  }

  /// The name that the rules know a station of a session by: two tags with one UID may lie at two
  /// stations of a line.
  static func bench(_ session: Int64, _ station: String) -> String { "\(session)/\(station)" }
}

extension Journal {
  /// Has the rules decide commands on a job, and writes down what they say happens in a run of this
  /// number; with the number of the last event. `isAtWork`: whether somebody may be at work on the
  /// job. `draft`: as for `commit`.
  func perform(
    _ commands: [LedgerCommand], on job: Int, _ told: Event, isAtWork: Bool = false,
    draft: [UInt8]? = nil, in session: Int64, _ db: Database
  ) throws -> (decision: LedgerDecision, last: Int64?) {
    guard let standing = try standing(ofJob: job, in: db) else {
      throw JournalError.damaged(path, reason: "job \(job) is missing")
    }
    var facts = LedgerFacts()
    facts.isAtWork = isAtWork
    if let (tag, digest) = commands.compactMap(\.binding).last {
      facts.jobOfTag = try jobs(where: .onTag(tag), in: db).first
      let holders = try jobs(where: .holding(digest), in: db)
      // Tags from the field may hold what another one holds.
      facts.jobOfMessage = try change(ofJob: job, in: db) == nil ? holders.first : nil
    }
    let decision = standing.decide(commands, on: job, facts)
    guard case .changed(let steps) = decision else { return (decision, nil) }
    var last: Int64?
    // Nobody sees a claim before the job is bound.
    for case .happened(let what) in steps {
      var event = what.told(as: told)
      (event.epoch, event.recalled) = (nil, nil)
      last = try commit(event, draft: draft, in: session, db)
    }
    return (decision, last)
  }
}

extension JournalSession {
  /// Has the rules decide commands on a job in this session, and writes down what they say happens;
  /// the number of the last event. Throws `reservationLost` where that is nothing. `tag`, `trouble`
  /// and `timing` say where, why and when; `isEcho`: as a pool has said.
  @discardableResult
  func carryOut(
    _ commands: [LedgerCommand], on job: Int, _ tag: PresentedTag? = nil,
    _ trouble: TagTrouble? = nil, _ timing: Timing? = nil, isAtWork: Bool = false,
    isEcho: Bool = false, draft: [UInt8]? = nil, in db: Database
  ) throws -> Int64 {
    var told = said(tag, trouble, timing)
    told.isEcho = isEcho
    let (decision, last) = try journal.perform(
      commands, on: job, told, isAtWork: isAtWork, draft: draft, in: id, db)
    if let last { return last }
    throw decision == .refused(.otherMessage)
      ? JournalError.otherMessage(job: job) : .reservationLost(job: job)
  }

  /// Has the rules decide a command on a job in this session, and writes down what they say
  /// happens. Returns the number of the last event; nil where nothing happens.
  func carryOutIfAllowed(
    _ command: LedgerCommand, on job: Int, _ tag: PresentedTag, _ trouble: TagTrouble? = nil,
    isAtWork: Bool, in db: Database
  ) throws -> Int64? {
    try journal.perform(
      [command], on: job, said(tag, trouble, nil), isAtWork: isAtWork, in: id, db
    ).last
  }

  /// What is said of an event beside.
  func said(
    _ tag: PresentedTag?, _ trouble: TagTrouble?, _ timing: Timing?
  ) -> Event {
    var event = Event(
      .passed(job: nil, tag: nil, setsAside: false), station: tag?.station, reader: tag?.reader,
      cause: trouble?.cause, text: trouble?.text,
      started: timing?.started.milliseconds ?? journal.clock(),
      duration: timing?.duration.microseconds ?? 0)
    (event.tagType, event.steps) = (tag?.tagType, timing?.storedSteps)
    event.bench = Journal.bench(id, event.station ?? "")
    return event
  }

  /// The name of the reservation's station in this session.
  func bench(_ tag: PresentedTag) -> String { Journal.bench(id, tag.station) }
}
