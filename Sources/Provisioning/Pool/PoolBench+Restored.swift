import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL
import TagMemory

/// A database that was restored from a backup knows less than its benches.
extension PoolBench {
  /// Tells the pool of runs that it has forgotten, or has never heard of: what happened in them
  /// names them.
  func tellSessions() throws(PoolError) {
    let known = try store.sessions()
    let runs = try local { () throws(JournalError) in try journal.runs(of: name) }
    for run in runs where !known.contains(run.session.id) {
      try store.tell(run.session, ended: run.ended)
    }
  }

  /// Tells the pool again which tags have which jobs here, where it has forgotten what it was told.
  /// A job that it has given to somebody else since is a conflict: its tag is set aside.
  func catchUp() throws(PoolError) {
    let last = try local { () throws(JournalError) in try journal.lastTold() }
    guard let last, try !store.knows(eventID(last)) else { return }
    let bindings = try local { () throws(JournalError) in try journal.bindings() }
    for binding in bindings { try tellAgain(binding) }
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
    } else {
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
    let event: Int64
    let station: String?
    let reader: String?
    let started: Int64
    let detail: PoolDetail
  }

  /// The tags that have jobs here, and nothing of which waits to be told.
  func bindings() throws(JournalError) -> [KnownBinding] {
    try read { db in
      let sql = """
        SELECT job.*, event.station, event.reader, event.started_at, event.session, pool.bench
        FROM job JOIN event ON event.id = job.event JOIN pool
        WHERE job.uid IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM pool_outbox WHERE pool_outbox.job = job.number)
        ORDER BY job.event
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
          isWritten: row["state"] == "written", event: row["event"], station: row["station"],
          reader: row["reader"], started: row["started_at"], detail: detail)
      }
    }
  }

  /// The runs of a bench, and when they ended.
  func runs(of bench: String) throws(JournalError) -> [(session: PoolSession, ended: Int64?)] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY id").map { row in
        let session = PoolSession(
          id: Self.poolName("session", row["id"], of: bench), operatorName: row["operator"],
          command: row["command"], version: row["version"], host: row["host"],
          begun: row["begun_at"])
        return (session, row["ended_at"])
      }
    }
  }

  func note(_ claim: PoolClaim, boundTo job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [job, claim.epoch])
    }
  }
}
