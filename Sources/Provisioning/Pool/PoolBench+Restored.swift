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
    for claim in try local({ () throws(JournalError) in try journal.untoldBeginnings() }) {
      try claimAgain(claim)
    }
    var place: Int64 = 0
    while true {
      let bindings = try local { () throws(JournalError) in try journal.bindings(after: place) }
      guard let end = bindings.last else { break }
      for binding in bindings { try tellAgain(binding) }
      place = end.event
      if let told { try store.sayAlive(host: told.host) }
    }
    // What the pool has forgotten it never knows again by that name.
    try local { () throws(JournalError) in try journal.forgetTold() }
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
  private func claimAgain(_ known: PoolClaim) throws(PoolError) {
    guard let standing = try store.standing(ofJob: known.job),
      let claim = try claim(known.job, standing, knownEpoch: known.epoch)
    else { return }
    try local { () throws(JournalError) in try journal.note(epoch: claim.epoch, ofJob: claim.job) }
  }

  /// Claims a job that is on a tag of this bench, wherever the backup has it: others that have it
  /// there have had it before. Nil: it may be on another tag. `knownEpoch`: of this bench's word.
  private func claim(
    _ job: Int, _ standing: JobStanding, knownEpoch: Int64?
  ) throws(PoolError) -> PoolClaim? {
    var claim: PoolClaim?
    switch standing.state {
    case .claimed(let holder) where holder.bench == name:
      claim = PoolClaim(job: job, epoch: standing.epoch)
    case .claimed: try store.takeBack(job: job)
    case .failed: _ = try change(.retry, .retried, job, nil)
    case .bound(let binding), .held(let binding), .written(let binding):
      // Epochs grow: what is said there is older than this bench's word.
      guard let knownEpoch, knownEpoch > standing.epoch else { return nil }
      try free(job, standing, binding)
    case .pending: break
    }
    // Whoever claims others locks this one for a moment.
    for _ in 0..<20 where claim == nil {
      claim = try store.claim(job: job, isOnTag: true)
      if claim == nil { usleep(20_000) }
    }
    guard let claim, try !store.entrust([claim]).isEmpty else { return nil }
    return claim
  }

  /// Frees a job that was put on another tag after the backup. The one that it is on there may be
  /// any job's since, unless it was finished: then it failed later.
  private func free(
    _ job: Int, _ standing: JobStanding, _ binding: Binding
  ) throws(PoolError) {
    var isWritten = false
    if case .written = standing.state { isWritten = true }
    let taken = try change(
      .takeOver(bench: name, tag: binding.tag), isWritten ? .reserved : .resumed, job, binding.tag)
    guard case .changed(let standing, _) = taken else {
      _ = try change(.release(whoeverWorks: true), .released, job, binding.tag)
      return
    }
    let giveBack = LedgerCommand.giveBack(
      bench: name, epoch: standing.epoch, tag: binding.tag, isScrap: isWritten)
    _ = try change(giveBack, .returned, job, binding.tag)
  }

  private func change(
    _ command: LedgerCommand, _ kind: EventKind, _ job: Int, _ tag: [UInt8]?
  ) throws(PoolError) -> LedgerDecision {
    let event = LedgerEvent(
      number: 0, kind: kind.rawValue, job: job, tag: tag, station: nil, reader: nil,
      cause: "restored", text: Self.restored, started: journal.clock(), duration: 0)
    return try store.perform(command, on: job, as: EventID(), telling: event)
  }

  private static let restored = "The database was restored from a backup."

  /// Has the pool know that the tag has the job, and where it stands.
  private func tellAgain(_ known: Journal.KnownBinding) throws(PoolError) {
    guard let standing = try store.standing(ofJob: known.job) else { return }
    if let binding = standing.state.binding, binding.tag == known.tag {
      return try goOn(known, standing, binding)
    }
    guard let claim = try claim(known.job, standing, knownEpoch: known.epoch) else {
      return try refuseAgain(known, .fenced)
    }
    let bind = LedgerCommand.bind(
      bench: name, epoch: claim.epoch, tag: known.tag, message: known.digest)
    if try tell(bind, .reserved, known) { try finish(known, claim.epoch) }
  }

  /// The backup was made while the job was on the tag.
  private func goOn(
    _ known: Journal.KnownBinding, _ standing: JobStanding, _ binding: Binding
  ) throws(PoolError) {
    var (isWritten, isHeld) = (false, false)
    if case .written = standing.state { isWritten = true }
    if case .held = standing.state { isHeld = true }
    guard binding.bench != name || isHeld && known.isWritten else {
      return isWritten ? try note(standing.epoch, known) : try finish(known, standing.epoch)
    }
    if binding.bench != name {
      // Another bench had it then, and this bench has had it since.
      guard let own = known.epoch, own > standing.epoch else { return }
    }
    let takeOver = LedgerCommand.takeOver(bench: name, tag: known.tag)
    let decision = try store.perform(
      takeOver, on: known.job, as: EventID(),
      telling: event(isWritten ? .reserved : .resumed, known), known.detail)
    if case .changed(let standing, _) = decision { try finish(known, standing.epoch) }
  }

  private func note(_ epoch: Int64, _ known: Journal.KnownBinding) throws(PoolError) {
    guard epoch != known.epoch else { return }
    try local { () throws(JournalError) in
      try journal.note(PoolClaim(job: known.job, epoch: epoch), boundTo: known.job)
    }
  }

  private func finish(_ known: Journal.KnownBinding, _ epoch: Int64) throws(PoolError) {
    try note(epoch, known)
    if known.isWritten {
      let finish = LedgerCommand.finish(
        bench: name, epoch: epoch, tag: known.tag, message: known.digest)
      _ = try tell(finish, .written, known)
    } else if !known.goesOn, known.detail.session != told?.id {
      _ = try tell(.hold(bench: name, epoch: epoch, tag: known.tag), .held, known)
    }
  }

  /// False: the pool refuses it.
  private func tell(
    _ command: LedgerCommand, _ kind: EventKind, _ known: Journal.KnownBinding
  ) throws(PoolError) -> Bool {
    let decision = try store.perform(
      command, on: known.job, as: EventID(), telling: event(kind, known), known.detail)
    guard case .refused(let refusal) = decision else { return true }
    try refuseAgain(known, refusal)
    return false
  }

  private func event(_ kind: EventKind, _ known: Journal.KnownBinding) -> LedgerEvent {
    LedgerEvent(
      number: 0, kind: kind.rawValue, job: known.job, tag: known.tag, station: known.station,
      reader: known.reader, cause: kind == .held ? "restored" : nil,
      text: kind == .held ? Self.restored : nil, started: known.started, duration: 0)
  }

  private func refuseAgain(
    _ known: Journal.KnownBinding, _ refusal: LedgerRefusal
  ) throws(PoolError) {
    guard try contradict(refusal, of: known.job, on: known.tag) else { return }
    let event = LedgerEvent(
      number: 0, kind: EventKind.passed.rawValue, job: known.job, tag: known.tag,
      station: known.station, reader: known.reader, cause: "conflict", text: refusal.sentence,
      started: known.started, duration: 0)
    try store.tell(EventID(), event, known.detail, settingAside: true)
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
    /// The job's, when this bench heard of it last.
    let epoch: Int64?
    let detail: PoolDetail
  }

  /// The tags that have jobs here, as they were before what waits to be told, in the order of what
  /// happened; some of those behind the event with this number.
  func bindings(after last: Int64) throws(JournalError) -> [KnownBinding] {
    try read { db in
      let sql = """
        SELECT job.number, job.state, job.uid, job.tag, job.message_digest, job.message_length,
          job.uri, job.day, job.message, job.is_locked, job.is_protected, event.id AS event,
          event.station, event.reader, event.started_at, event.session, pool.bench,
          pool_claim.epoch, false AS goes_on
        FROM job JOIN event ON event.id = job.event JOIN pool
        LEFT JOIN pool_claim ON pool_claim.job = job.number
        WHERE job.uid IS NOT NULL AND job.event > ?1 AND NOT EXISTS (SELECT 1 FROM pool_outbox
          WHERE pool_outbox.job = job.number AND was IS NOT NULL)
        UNION ALL
        SELECT pool_outbox.job, was, uid, tag, message_digest, message_length, uri, day, message,
          is_locked, is_protected, event.id, station, reader, started_at, session, pool.bench,
          pool_claim.epoch, true
        FROM pool_outbox JOIN event ON event.id = pool_outbox.event JOIN pool
        LEFT JOIN pool_claim ON pool_claim.job = pool_outbox.job
        WHERE pool_outbox.event > ?1 AND was IN ('reserved', 'written') AND pool_outbox.event IN (
          SELECT min(event) FROM pool_outbox WHERE was IS NOT NULL GROUP BY job)
        ORDER BY event LIMIT 500
        """
      return try Row.fetchAll(db, sql: sql, arguments: [last]).map { row in
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
          reader: row["reader"], started: row["started_at"], epoch: row["epoch"], detail: detail)
      }
    }
  }

  /// The claims on jobs that got a tag of which the pool has heard nothing.
  func untoldBeginnings() throws(JournalError) -> [PoolClaim] {
    try read { db in
      let sql = """
        SELECT pool_claim.job, epoch FROM pool_outbox JOIN pool_claim USING (job)
        WHERE event IN (SELECT min(event) FROM pool_outbox WHERE was IS NOT NULL GROUP BY job)
          AND was = 'pending' ORDER BY pool_claim.job
        """
      return try Row.fetchAll(db, sql: sql).map { PoolClaim(job: $0[0], epoch: $0[1]) }
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

  /// What the pool has heard of last is not there any more.
  func forgetTold() throws(JournalError) {
    try write { db in try db.execute(sql: "UPDATE pool SET last_told = NULL") }
  }

  func note(_ claim: PoolClaim, boundTo job: Int) throws(JournalError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO pool_claim VALUES (?, ?, 'bound')")
        .execute(arguments: [job, claim.epoch])
    }
  }
}
