import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL
import TagMemory

/// A database that was restored from a backup knows less than its benches.
extension PoolBench {
  /// Tells the pool again what it has forgotten: runs, and which tags have which jobs here. A job
  /// that it has given to somebody else since is a conflict: its tag is set aside. False: it has
  /// forgotten nothing.
  func remind() throws(PoolError) -> Bool {
    var hasForgotten = try tellRuns()
    let last = try local { () throws(JournalError) in try journal.lastTold() }
    if let last, try !store.knows(eventID(last)) { hasForgotten = true }
    guard hasForgotten else { return false }
    // What this run believes told may be forgotten, too.
    state.withLock { ($0.toldUpTo, $0.doubtUpTo) = ($0.notedUpTo, .max) }
    let (begun, bindings) = try local { () throws(JournalError) in
      (try journal.untoldBeginnings(), try journal.bindings())
    }
    for job in begun { try claimAgain(job) }
    for binding in bindings { try tellAgain(binding) }
    return true
  }

  /// Whether the pool knows what was done here, and keeps nothing for this bench.
  func isSettled() throws(PoolError) -> Bool {
    let (free, untold, last) = try local { () throws(JournalError) in
      (try journal.freeClaims(), try journal.untoldCount(), try journal.lastTold())
    }
    guard free.isEmpty, untold == 0 else { return false }
    return if let last { try store.knows(eventID(last)) } else { true }
  }

  /// Tells the pool of runs that it has forgotten, or has never heard of: what happened in them
  /// names them. Whether tags were worked on in one.
  private func tellRuns() throws(PoolError) -> Bool {
    let known = try store.sessions()
    let runs = try local { () throws(JournalError) in try journal.runs(of: name) }
    var isLost = false
    for run in runs where !known.contains(run.session.id) {
      try store.tell(run.session, ended: run.ended)
      if try local({ () throws(JournalError) in try journal.hasEvents(run.number) }) {
        isLost = true
      }
    }
    return isLost
  }

  /// A tag got the job while the database was away, and the pool has forgotten the claim.
  private func claimAgain(_ job: Int) throws(PoolError) {
    guard let standing = try store.standing(ofJob: job) else { return }
    var claim: PoolClaim?
    switch standing.state {
    case .pending: claim = try store.claim(job: job)
    case .claimed(let holder) where holder.bench == name:
      claim = PoolClaim(job: job, epoch: standing.epoch)
    default: break
    }
    guard let claim, try !store.entrust([claim]).isEmpty else { return }
    try local { () throws(JournalError) in try journal.note(epoch: claim.epoch, ofJob: job) }
  }

  private func tellAgain(_ known: Journal.KnownBinding) throws(PoolError) {
    let standing = try store.standing(ofJob: known.job)
    if let standing, let binding = standing.state.binding, binding.tag == known.tag {
      return try finishAgain(known, standing, binding)
    }
    var claims: [PoolClaim] = []
    if let claim = try store.claim(job: known.job) {
      claims = [claim]
    } else if try store.ownClaims().contains(where: { $0.job == known.job }), let standing {
      claims = [PoolClaim(job: known.job, epoch: standing.epoch)]
    }
    guard let claim = claims.first, try !store.entrust(claims).isEmpty else {
      return try refuseAgain(known, .fenced)
    }
    var commands: [(LedgerCommand, EventKind)] = [
      (
        .bind(bench: name, epoch: claim.epoch, tag: known.tag, message: known.digest), .reserved
      )
    ]
    if known.isWritten {
      let finish = LedgerCommand.finish(
        bench: name, epoch: claim.epoch, tag: known.tag, message: known.digest)
      commands.append((finish, .written))
    } else if !known.goesOn {
      commands.append((.hold(bench: name, epoch: claim.epoch, tag: known.tag), .held))
    }
    for (command, kind) in commands {
      let event = LedgerEvent(
        number: 0, kind: kind.rawValue, job: known.job, tag: known.tag, station: known.station,
        reader: known.reader, cause: kind == .held ? "restored" : nil,
        text: kind == .held ? "The database was restored from a backup." : nil,
        started: known.started, duration: 0)
      let decision = try store.perform(
        command, on: known.job, as: EventID(), telling: event, known.detail)
      if case .refused(let refusal) = decision { return try refuseAgain(known, refusal) }
    }
    try local { () throws(JournalError) in try journal.note(claim, boundTo: known.job) }
  }

  /// The backup was made while the tag was written, which is finished since.
  private func finishAgain(
    _ known: Journal.KnownBinding, _ standing: JobStanding, _ binding: Binding
  ) throws(PoolError) {
    if case .written = standing.state { return }
    guard known.isWritten, binding.bench == name else { return }
    let event = LedgerEvent(
      number: 0, kind: EventKind.written.rawValue, job: known.job, tag: known.tag,
      station: known.station, reader: known.reader, cause: nil, text: nil,
      started: known.started, duration: 0)
    let command = LedgerCommand.finish(
      bench: name, epoch: standing.epoch, tag: known.tag, message: known.digest)
    let decision = try store.perform(
      command, on: known.job, as: EventID(), telling: event, known.detail)
    if case .refused(let refusal) = decision { return try refuseAgain(known, refusal) }
    try local { () throws(JournalError) in
      try journal.note(PoolClaim(job: known.job, epoch: standing.epoch), boundTo: known.job)
    }
  }

  private func refuseAgain(
    _ known: Journal.KnownBinding, _ refusal: LedgerRefusal
  ) throws(PoolError) {
    try local { () throws(JournalError) in try journal.markConflict(known.job) }
    noteRefusal(refusal, of: known.event)
  }
}

extension Journal {
  /// A tag that has a job here.
  struct KnownBinding {
    let job: Int
    let tag: [UInt8]
    let digest: [UInt8]
    let isWritten: Bool
    /// What happened to it then waits to be told.
    let goesOn: Bool
    let event: Int64
    let station: String?
    let reader: String?
    let started: Int64
    let detail: PoolDetail
  }

  /// The tags that have jobs here, as they were before what waits to be told.
  func bindings() throws(JournalError) -> [KnownBinding] {
    try read { db in
      let sql = """
        SELECT job.number, job.state, job.uid, job.tag, job.message_digest, job.message_length,
          job.uri, job.day, job.message, job.is_locked, job.is_protected, event.id AS event,
          event.station, event.reader, event.started_at, event.session, pool.bench,
          false AS goes_on
        FROM job JOIN event ON event.id = job.event JOIN pool
        WHERE job.uid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pool_outbox
          WHERE pool_outbox.job = job.number AND was IS NOT NULL)
        UNION ALL
        SELECT pool_outbox.job, was, uid, tag, message_digest, message_length, uri, day, message,
          is_locked, is_protected, event.id, station, reader, started_at, session, pool.bench, true
        FROM pool_outbox JOIN event ON event.id = pool_outbox.event JOIN pool
        WHERE pool_outbox.event IN (
            SELECT min(event) FROM pool_outbox WHERE was IS NOT NULL GROUP BY job)
          AND was IN ('reserved', 'written')
        ORDER BY event
        """
      return try Row.fetchAll(db, sql: sql).map { row in
        let (uid, digest): (Data, Data) = (row["uid"], row["message_digest"])
        let message: Data? = row["message"]
        var detail = PoolDetail()
        detail.tagType = row["tag"]
        (detail.length, detail.uri, detail.day) = (row["message_length"], row["uri"], row["day"])
        detail.message = message.map(Array.init)
        (detail.isLocked, detail.isProtected) = (row["is_locked"], row["is_protected"])
        detail.session = Self.poolName("session", row["session"], of: row["bench"])
        return KnownBinding(
          job: row["number"], tag: Array(uid), digest: Array(digest),
          isWritten: row["state"] == "written", goesOn: row["goes_on"], event: row["event"],
          station: row["station"],
          reader: row["reader"], started: row["started_at"], detail: detail)
      }
    }
  }

  /// The jobs that got a tag of which the pool has heard nothing.
  func untoldBeginnings() throws(JournalError) -> [Int] {
    try read { db in
      let sql = """
        SELECT job FROM pool_outbox WHERE event IN (
            SELECT min(event) FROM pool_outbox WHERE was IS NOT NULL GROUP BY job)
          AND was = 'pending' ORDER BY job
        """
      return try Int.fetchAll(db, sql: sql)
    }
  }

  /// A run of a bench by its number here, and when it ended.
  struct KnownRun {
    let number: Int64
    let session: PoolSession
    let ended: Int64?
  }

  /// The runs of a bench.
  func runs(of bench: String) throws(JournalError) -> [KnownRun] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY id").map { row in
        let session = PoolSession(
          id: Self.poolName("session", row["id"], of: bench), operatorName: row["operator"],
          command: row["command"], version: row["version"], host: row["host"],
          begun: row["begun_at"])
        return KnownRun(number: row["id"], session: session, ended: row["ended_at"])
      }
    }
  }

  /// Whether something happened to a tag in a run.
  func hasEvents(_ run: Int64) throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE session = ?)", arguments: [run]) ?? false
    }
  }

  func note(_ claim: PoolClaim, boundTo job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [job, claim.epoch])
    }
  }
}
