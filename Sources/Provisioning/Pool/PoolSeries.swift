import Bytes
import Foundation
import GRDB
import Ledger
import LedgerPostgreSQL

/// How a bench comes to a batch of a pool.
package struct PoolSeries {
  let address: PoolAddress
  /// Where benches keep their journals.
  let state: String
  /// Whether rows that were added to the list are taken up.
  let extends: Bool
  /// Whether rows that others added are taken up.
  let follows: Bool
  let ahead: Int
  /// The list, where it is the pool's own.
  let list: PooledList?
  let tell: @Sendable (PoolNews) -> Void

  /// `state`: the state directory; `following`: the list may be the beginning of the batch's;
  /// `ahead`: how many jobs are claimed ahead; `list`: where the jobs are the pool's own.
  package init(
    _ address: String, state: String, extending: Bool, following: Bool = false, ahead: Int,
    list: PooledList? = nil,
    tell: @escaping @Sendable (PoolNews) -> Void
  ) throws(JournalError) {
    self.address = try PoolSeries.address(address)
    (self.state, self.ahead, self.list, self.tell) = (state, ahead, list, tell)
    (extends, follows) = (extending || list != nil, following)
  }

  /// Whether `journal` names a pool, and no file.
  package static func isPool(_ journal: String) -> Bool { PoolAddress.isAddress(journal) }

  /// The address as people may see it: without a password.
  package static func shown(_ journal: String) -> String {
    (try? PoolAddress(parsing: journal, needsBatch: false).description) ?? "postgresql://…"
  }

  static func address(_ text: String, needsBatch: Bool = true) throws(JournalError) -> PoolAddress {
    do throws(PoolAddress.Mistake) {
      return try PoolAddress(parsing: text, needsBatch: needsBatch)
    } catch {
      throw JournalError(.badAddress(error))
    }
  }

  /// Has a journal take up a list, or makes sure that it has the same: `extending` says whether
  /// added rows are taken up, `take` gets each job as it is read.
  package typealias Adopting = (
    _ journal: Journal, _ extending: Bool, _ take: (PlannedJob) throws(JournalError) -> Void
  ) throws(JournalError) -> Void

  /// Opens the bench, with the list that `source` describes. The pool gets the list where it has no
  /// such batch. Throws where the database does not answer: a bench begins with it.
  package func open(
    _ source: SourceDescription, _ adopt: @escaping Adopting
  ) throws(JournalError) -> PoolBench {
    for _ in 0..<3 {
      let known = try pooled { () throws(PoolError) in try PoolStore.batch(at: address) }
      let identity = known?.identity ?? EventID().bytes
      let folder = Self.folder(of: identity, state)
      guard let lock = place(in: folder) else {
        throw .cannotOpen(folder, reason: "its folder may not be written")
      }
      let journal = try Journal(at: lock.journal, access: .readWrite(creating: true))
      let name = try journal.becomeBench(Self.newName, of: identity)
      if let known {
        let count = try journal.localTally().jobs
        let (isUntouched, claims) = (try journal.isUntouched(), try journal.freeClaims())
        let isUnused = isUntouched && claims.isEmpty
        do throws(JournalError) {
          try adopt(journal, extends || known.jobs > count && count > 0) { _ in }
          if follows { try takeUpRows(of: known, journal) }
          try bringTogether(journal, known)
        } catch {
          // A list that is not the batch's is not kept: with it the right one would be refused.
          switch error {
          case .sourceChanged where isUnused:
            lock.removeJournal()
            continue
          case .pool(.otherJobs, _) where isUnused:
            lock.removeJournal()
            throw error
          default: throw error
          }
        }
      } else {
        guard list == nil else { throw .pool(.noBatch, Self.madeAnew) }
        do throws(JournalError) {
          try load(source, identity, journal, adopt)
        } catch {
          // Nothing was claimed with it. A batch that was made all the same is known when the bench
          // starts again.
          try? FileManager.default.removeItem(atPath: folder)
          throw error
        }
        // Another bench may have been quicker.
        let made = try pooled { () throws(PoolError) in try PoolStore.batch(at: address) }
        guard made?.identity == identity else {
          try? FileManager.default.removeItem(atPath: folder)
          continue
        }
      }
      let jobs = try journal.localTally().jobs
      let bench = try self.bench(name, journal, lock, jobs, ahead: ahead)
      clearOut(folder)
      return bench
    }
    throw .pool(.failed, "The batch \(address.batch) changes all the time.")
  }

  private static let madeAnew =
    "The batch was made anew while its list was read: start this bench again."

  private func bench(
    _ name: String, _ journal: Journal, _ lock: SlotLock, _ jobs: Int, ahead: Int
  ) throws(JournalError) -> PoolBench {
    let store = try pooled { () throws(PoolError) in
      try PoolStore(address, bench: name, lease: .seconds(30))
    }
    store.lastJob = jobs
    let bench = PoolBench(store, journal, ahead: ahead, lock: lock, tell)
    journal.join(bench)
    return bench
  }

  /// Says for benches that were killed on this machine, and did not start again, what they have not
  /// said, and gives back what they had claimed. What fails is done another time.
  private func clearOut(_ folder: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let numbers = files.compactMap { file in
      file.hasPrefix("bench-") && file.hasSuffix(".lock")
        ? Int(file.dropFirst(6).dropLast(5)) : nil
    }
    for number in numbers.sorted() {
      guard let lock = SlotLock(left: number, in: folder),
        let journal = try? Journal(at: lock.journal, access: .readWrite(creating: false)),
        let jobs = try? journal.localTally().jobs, jobs > 0,
        let name = try? journal.benchName(),
        let claims = try? journal.freeClaims(), let untold = try? journal.untoldCount(),
        !claims.isEmpty || untold > 0,
        let bench = try? self.bench(name, journal, lock, jobs, ahead: 0)
      else { continue }
      let session = try? journal.begin(operator: "", command: "", version: "")
      try? session?.end()
      withExtendedLifetime(bench) {}
    }
  }

  private static func folder(of batch: [UInt8], _ state: String) -> String {
    "\(state)/nfcprog/pools/\(Hex.string(batch))"
  }

  /// The lists that benches of the batch on this machine have found good and taken up as a whole;
  /// none where the database does not answer.
  package static func checkedLists(_ pool: String, state: String) -> [CheckedList] {
    guard let address = try? address(pool), let batch = try? PoolStore.batch(at: address) else {
      return []
    }
    let folder = folder(of: batch.identity, state)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".journal") }.compactMap { file in
      try? Journal(at: "\(folder)/\(file)", access: .readOnly).checkedList()
    }
  }

  private func place(in folder: String) -> SlotLock? {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return SlotLock(firstIn: folder)
  }

  /// The machine's name, and what tells its benches from each other.
  private static var newName: String {
    "\(ProcessIdentity.current.host)-\(Hex.string(Array(EventID().bytes.prefix(4))))"
  }

  // MARK: The list

  /// Makes sure that the batch has the journal's list; it gets rows that were added.
  private func bringTogether(
    _ journal: Journal, _ known: PoolBatch
  ) throws(JournalError) {
    guard let list else { return try compare(journal.poolList(), known, journal) }
    // It is the batch's by itself, and may have grown since it was read.
    guard list.identity == known.identity else { throw .pool(.noBatch, Self.madeAnew) }
  }

  private func compare(
    _ list: PoolList, _ known: PoolBatch, _ journal: Journal
  ) throws(JournalError) {
    if list.digest == known.digest, list.jobs == known.jobs { return }
    guard list.jobs > known.jobs, try journal.listDigest(first: known.jobs) == known.digest else {
      throw .pool(
        .otherJobs,
        "The batch \(address.batch) has \(known.jobs) jobs, and they are not those of this list with these settings. Give its list and its settings, or another batch."
      )
    }
    guard extends else {
      throw .pool(
        .otherJobs,
        "The list has \(list.jobs - known.jobs) rows more than the batch \(address.batch): give --extend to take them up."
      )
    }
    try PoolStore.extend(list, beyond: known, at: address, JournalError.init) {
      (take) throws(JournalError) in try journal.forEachPoolJob(behind: known.jobs, take)
    }
  }

  /// Loads the batch as an empty journal takes the list up: the database works beside this program.
  /// It gets what the list is with the first job, and how many jobs it has behind the last.
  private func load(
    _ source: SourceDescription, _ identity: [UInt8], _ journal: Journal,
    _ adopt: @escaping Adopting
  ) throws(JournalError) {
    var list = PoolList(
      kind: source.kind, source: source.name,
      settings: JSONText.pairs(source.settings.map { ($0.name, $0.value) }), digest: [], jobs: 0)
    list.adopted = Date().milliseconds
    try PoolStore.load(
      reading: list, identity: identity, at: address, JournalError.init
    ) { (take) throws(JournalError) in
      try adopt(journal, false) { (job) throws(JournalError) in try take(PoolJob(job)) }
      list = try journal.poolList()
    }
  }

  private func pooled<Value>(
    _ body: () throws(PoolError) -> Value
  ) throws(JournalError) -> Value {
    do throws(PoolError) { return try body() } catch { throw JournalError(error) }
  }
}

extension JournalError {
  /// A pool that cannot be used.
  package init(_ error: PoolError) {
    let trouble: PoolTrouble =
      switch error {
      case .badAddress: .badAddress
      case .noLibrary, .away: .away
      case .notAllowed: .notAllowed
      case .noSchema, .otherVersion: .notPrepared
      case .noBatch, .noBench: .noBatch
      case .otherJobs, .closed: .otherJobs
      case .failed: .failed
      }
    self = .pool(trouble, "\(error)")
  }
}

extension Journal {
  /// What the pool calls the bench whose journal this is; nil for a journal of its own.
  package func benchName() throws(JournalError) -> String? {
    try read { db in try String.fetchOne(db, sql: "SELECT bench FROM pool") }
  }

  /// The list as a pool knows it.
  func poolList() throws(JournalError) -> PoolList {
    let count = try localTally().jobs
    let digest = try listDigest(first: count) ?? []
    return try read { db in
      let row = try Row.fetchOne(db, sql: "SELECT * FROM source")
      var list = PoolList(
        kind: row?["kind"] ?? "", source: row?["name"] ?? "", settings: row?["settings"] ?? "[]",
        digest: digest, jobs: count)
      list.adopted = row?["adopted_at"] ?? 0
      return list
    }
  }

  /// The jobs behind a number, in order, as a pool takes them.
  func forEachPoolJob(
    behind number: Int, _ take: (PoolJob) throws(JournalError) -> Void
  ) throws(JournalError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM job WHERE number > ? ORDER BY number", arguments: [number])
      while let row = try rows.next() {
        let (digest, offset): (Data, Int64) = (row["row_digest"], row["offset"])
        var job = PoolJob(
          number: row["number"], name: row["name"], wantedTag: row["wanted_tag"],
          digest: Array(digest))
        job.place = (row["line"], UInt64(clamping: offset))
        job.texts = (row["records"], row["columns"])
        (job.locks, job.hasPassword) = (row["locks"], row["has_password"])
        try take(job)
      }
    }
  }
}
