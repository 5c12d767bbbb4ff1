import Bytes
import Foundation
import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// How a bench comes to a batch of a pool.
package struct PoolSeries {
  let address: PoolAddress
  /// Where benches keep their journals.
  let state: String
  /// Is true if rows that were added to the list are taken up.
  let extends: Bool
  /// Is true if rows that others added are taken up.
  let follows: Bool
  let ahead: Int
  /// The list, where it is the pool's own.
  let list: PooledList?
  /// Files that messages of the list name.
  package var files = MessageFiles()
  let lostBatches: LostBatches
  let tell: @Sendable (PoolNews) -> Void
  /// By what the bench knows its place on this machine.
  package var wish = PlaceWish()
  private let conflicts = ConflictCount()

  /// `state`: the state directory; `following`: the list may be the beginning of the batch's;
  /// `ahead`: how many jobs are claimed ahead; `list`: where the jobs are the pool's own;
  /// `lostBatches`: what becomes of tags whose batch the database does not have.
  package init(
    _ address: String, state: String, extending: Bool, following: Bool = false, ahead: Int,
    list: PooledList? = nil, lostBatches: LostBatches = .refused,
    tell: @escaping @Sendable (PoolNews) -> Void
  ) throws(JournalError) {
    self.address = try PoolSeries.address(address)
    (self.state, self.ahead, self.list, self.tell) = (state, ahead, list, tell)
    (extends, follows) = (extending || list != nil, following)
    self.lostBatches = lostBatches
  }

  /// Returns whether `journal` names a pool, and no file.
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
  /// added rows are taken up.
  package typealias Adopting = (_ journal: Journal, _ extending: Bool) throws(JournalError) -> Void

  /// Opens the bench, with the list that `adopt` takes up. The pool gets the list where it has no
  /// such batch. `guarding` gets a journal that has the list, before a bench claims with it. Throws
  /// where the database does not answer: a bench begins with it.
  package func open(
    guarding: (Journal) throws(JournalError) -> Void = { _ in }, _ adopt: Adopting
  ) throws(JournalError) -> PoolBench {
    for _ in 0..<3 {
      let known = try pooled(PoolStore.batch(at: address))
      let identity = known?.identity ?? EventID().bytes
      let opening: Opening
      if let known {
        opening = try open(known, guarding, adopt)
      } else {
        guard list == nil else { throw .pool(.noBatch, Self.madeAnew) }
        opening = try make(identity, guarding, adopt)
      }
      switch opening {
      case .bench(let bench):
        clearOut(Self.folder(of: identity, state))
        return bench
      case .found(let lost): try takeUp(lost, as: identity)
      case .quicker: continue
      }
    }
    throw .pool(.failed, "The batch \(address.batch) changes all the time.")
  }

  /// What came of opening a bench.
  private enum Opening {
    case bench(PoolBench)
    /// This machine has tags of batches that are to be taken up first.
    case found([LostBatch])
    /// Something has changed meanwhile.
    case quicker
  }

  /// A bench of a batch that the pool has.
  private func open(
    _ known: PoolBatch, _ guarding: (Journal) throws(JournalError) -> Void, _ adopt: Adopting
  ) throws(JournalError) -> Opening {
    try finishMoves(to: known.identity)
    let (lock, journal, name) = try place(of: known.identity, isKnown: true)
    let count = try journal.localTally().jobs
    let (isUntouched, claims) = (try journal.isUntouched(), try journal.freeClaims())
    let isUnused = isUntouched && claims.isEmpty
    do throws(JournalError) {
      try adopt(journal, extends || known.jobs > count && count > 0)
      if follows { try takeUpRows(of: known, journal) }
      try bringTogether(journal, known)
      let lost = isUnused ? try lostBatches(like: journal, beside: known.identity) : []
      guard lost.isEmpty else {
        lock.removeJournal()
        return .found(lost)
      }
      try guarding(journal)
    } catch {
      // A list that is not the batch's is not kept: with it the right one would be refused.
      switch error {
      case .sourceChanged where isUnused:
        lock.removeJournal()
        return .quicker
      case .sourceChanged(let difference) where list != nil && difference.isLoss:
        throw JournalError(PoolError.rowsMissing(address.batch, difference.removed))
      case .sourceChanged(let difference) where !difference.isAddition:
        throw otherRows(difference, journal)
      case .pool(.otherJobs, _) where isUnused, .pool(.lostBatch, _) where isUnused:
        lock.removeJournal()
        throw error
      default: throw error
      }
    }
    return .bench(try bench(name, journal, lock, ahead: ahead))
  }

  /// A bench of a batch that the pool gets now.
  private func make(
    _ identity: [UInt8], _ guarding: (Journal) throws(JournalError) -> Void, _ adopt: Adopting
  ) throws(JournalError) -> Opening {
    let (lock, journal, name) = try place(of: identity, isKnown: false)
    var lost: [LostBatch] = []
    do throws(JournalError) {
      try load(identity, journal, adopt) { () throws(JournalError) in
        lost = try lostBatches(like: journal, beside: identity)
        guard lost.isEmpty else { return }
        try refuseSecondBatch(journal)
        try guarding(journal)
      }
    } catch {
      // Nothing was claimed with it. A batch that was made all the same is known when the bench
      // starts again, and other programs of this machine may work on it by now.
      lock.removePlace()
      throw error
    }
    // Another bench may have been quicker.
    let made = try pooled(PoolStore.batch(at: address))
    guard made?.identity == identity, lost.isEmpty else {
      lock.removePlace()
      return made?.identity == identity ? .found(lost) : .quicker
    }
    tell(.made(jobs: try journal.localTally().jobs))
    return .bench(try bench(name, journal, lock, ahead: ahead))
  }

  static let madeAnew =
    "The batch was made anew while its list was read: start this bench again."

  private func bench(
    _ name: String, _ journal: Journal, _ lock: SlotLock, ahead: Int
  ) throws(JournalError) -> PoolBench {
    let jobs = try journal.localTally().jobs
    let store = try store(name)
    store.lastJob = jobs
    let bench = PoolBench(store, journal, ahead: ahead, lock: lock, conflicts, tell)
    journal.join(bench)
    return bench
  }

  /// Says for benches that worked on this machine, and did not start again, what the pool does not
  /// know, and gives back what they had claimed. What fails is done another time.
  private func clearOut(_ folder: String) {
    for number in SlotLock.places(in: folder) {
      guard let lock = SlotLock(left: number, in: folder),
        let journal = try? Journal(at: lock.journal, access: .readWrite(creating: false)),
        let jobs = try? journal.localTally().jobs, jobs > 0,
        let name = try? journal.benchName(),
        (try? isOldCopy(journal)) == false,
        let bench = try? self.bench(name, journal, lock, ahead: 0),
        let isSettled = try? bench.isSettled(), !isSettled,
        // A restored database may lack rows of this journal: what it says of them waits for those.
        (try? bench.checkRows()) != nil
      else { continue }
      let session = try? journal.begin(operator: "", command: "", version: "")
      try? session?.end()
      withExtendedLifetime(bench) {}
    }
  }

  static func folder(of batch: [UInt8], _ state: String) -> String {
    "\(pools(state))/\(Hex.string(batch))"
  }

  /// Where each batch has a folder.
  static func pools(_ state: String) -> String { "\(state)/nfcprog/pools" }

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

  func store(_ name: String) throws(JournalError) -> PoolStore {
    try pooled(PoolStore(address, bench: name, lease: .seconds(30)))
  }

  /// The free place of this machine at a batch that is this bench's, and the journal there.
  /// `isKnown`: the pool has the batch.
  private func place(
    of identity: [UInt8], isKnown: Bool
  ) throws(JournalError) -> (SlotLock, Journal, name: String) {
    let folder = Self.folder(of: identity, state)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard let lock = lock(in: folder) else {
      throw .cannotOpen(folder, reason: "its folder may not be written")
    }
    if isKnown { try keepOldCopy(apart: lock) }
    let journal = try Journal(at: lock.journal, access: .readWrite(creating: true))
    return (lock, journal, try journal.becomeBench(Self.newName, of: identity))
  }

  /// The machine's name, and what tells its benches from each other: machines may have one name.
  static var newName: String {
    "\(ProcessIdentity.current.host)-\(Hex.string(Array(EventID().bytes.suffix(8))))"
  }

  func pooled<Value>(
    _ body: @autoclosure () throws(PoolError) -> Value
  ) throws(JournalError) -> Value {
    do throws(PoolError) { return try body() } catch { throw JournalError(error) }
  }
}

extension JournalError {
  /// A pool that cannot be used.
  package init(_ error: PoolError) {
    if case .onTag = error {
      self = .listHasJournal("\(error)")
      return
    }
    let trouble: PoolTrouble =
      switch error {
      case .badAddress: .badAddress
      case .noLibrary, .away, .turnedAway, .readOnly, .noDatabase, .noUser, .busy: .away
      case .notAllowed: .notAllowed
      case .noSchema, .otherSchema, .otherVersion, .otherEncoding: .notPrepared
      case .noBatch, .noBench: .noBatch
      case .lostBatch: .lostBatch
      case .otherJobs, .rowsMissing, .otherRows, .closed, .onTag: .otherJobs
      case .taken, .copied, .renewed, .failed, .bench: .failed
      }
    self = .pool(trouble, "\(error)")
  }
}
