import Bytes
import Foundation
import LedgerPostgreSQL
import LedgerSQLite

/// A batch that benches of this machine worked on and the database does not have: it was restored
/// from a backup that is older than the batch, or it is another database.
struct LostBatch {
  /// Where its benches have their journals.
  let folder: String
  /// The numbers of their places.
  let places: [Int]
  /// How many jobs it had, and how many of them are on tags of this machine.
  let jobs: Int
  let tags: Int
  /// Is true if it had the list with the same settings, too.
  let hasSameSettings: Bool
}

/// What becomes of the tags of lost batches when a bench comes to a batch with their list.
package enum LostBatches: Hashable, Sendable {
  /// The bench does not begin, so that no job goes on two tags.
  case refused
  /// They are the new batch's.
  case continued
  /// Their jobs go on new tags.
  case ignored
}

extension PoolSeries {
  /// The lost batches whose tags are to be taken up for a batch with the list of `journal`. Throws
  /// where they may not be.
  func lostBatches(
    like journal: Journal, beside identity: [UInt8]
  ) throws(JournalError) -> [LostBatch] {
    let lost = lostBatches == .ignored ? [] : try findLost(journal, beside: identity)
    guard !lost.isEmpty else { return [] }
    let tags = lost.map(\.tags).reduce(0, +)
    guard lostBatches == .continued else {
      throw .pool(
        .lostBatch,
        "This machine has put \(tags == 1 ? "1 job" : "\(tags) jobs") of this list on tags, for a batch that the database does not have. The database may have been restored from an older backup."
      )
    }
    guard lost.allSatisfy(\.hasSameSettings) else {
      throw .pool(
        .lostBatch,
        "The batch that the database has lost had this list with other settings: give those.")
    }
    let jobs = try journal.localTally().jobs
    if let longer = lost.first(where: { $0.jobs > jobs }) {
      throw .pool(
        .lostBatch,
        "The batch that the database has lost had \(counted(longer.jobs, "job")), and this list has \(jobs): give the whole list."
      )
    }
    return lost
  }

  private func findLost(
    _ journal: Journal, beside identity: [UInt8]
  ) throws(JournalError) -> [LostBatch] {
    let pools = Self.pools(state)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: pools)) ?? []
    let others = names.sorted().filter { $0 != Hex.string(identity) }
    var like: [(name: String, batch: LostBatch)] = []
    var unread: [(name: String, error: JournalError)] = []
    for name in others {
      do throws(JournalError) {
        guard let batch = try lost(in: "\(pools)/\(name)", like: journal) else { continue }
        like.append((name, batch))
      } catch {
        guard error.isOfOtherVersion else { throw error }
        unread.append((name, error))
      }
    }
    guard !like.isEmpty || !unread.isEmpty else { return [] }
    let known = try pooled(PoolStore.batches(at: address))
    let there = Set(known.map { Hex.string($0.identity) })
    if let lost = unread.first(where: { !there.contains($0.name) }) { throw lost.error }
    return like.filter { !there.contains($0.name) }.map(\.batch)
  }

  /// The batch whose journals are in `folder`, where they have tags with jobs of the list.
  private func lost(in folder: String, like journal: Journal) throws(JournalError) -> LostBatch? {
    var (places, jobs, tags, hasSameSettings): ([Int], Int, Int, Bool) = ([], 0, 0, true)
    for place in SlotLock.places(in: folder) {
      let path = SlotLock.journal(place, in: folder)
      guard let other = try Journal.found(at: path),
        let likeness = try ListLikeness(of: other, to: journal)
      else { continue }
      places.append(place)
      jobs = max(jobs, try other.localTally().jobs)
      tags += try other.tagCount()
      hasSameSettings = hasSameSettings && likeness == .same
    }
    return tags == 0
      ? nil
      : LostBatch(
        folder: folder, places: places, jobs: jobs, tags: tags, hasSameSettings: hasSameSettings)
  }

  /// Has the benches of lost batches work on this one: their journals come into its folder, all or,
  /// where one is in use, none. What a crash leaves behind is moved at the next start.
  func takeUp(_ lost: [LostBatch], as identity: [UInt8]) throws(JournalError) {
    let folder = Self.folder(of: identity, state)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var moves: [SlotLock] = []
    for batch in lost {
      for place in batch.places {
        let path = SlotLock.journal(place, in: batch.folder)
        guard let old = SlotLock(left: place, in: batch.folder) else { throw .busy(path) }
        do {
          let journal = try Journal(at: path, access: .readWrite(creating: false))
          try journal.write { _ in }
        }
        guard !old.hasLog else { throw .busy(path) }
        moves.append(old)
      }
    }
    let names = lost.map { $0.folder.split(separator: "/").last.map(String.init) ?? "" }
    guard SlotLock.note(names, movedInto: folder) else {
      throw .cannotOpen(folder, reason: "its folder may not be written")
    }
    for old in moves { try move(old, to: identity) }
    for batch in lost where SlotLock.journals(in: batch.folder).isEmpty {
      try? FileManager.default.removeItem(atPath: batch.folder)
    }
    SlotLock.forgetMoves(into: folder)
    tell(.takenUp(tags: lost.map(\.tags).reduce(0, +)))
  }

  /// Ends what `takeUp` had begun when its process died.
  func finishMoves(to identity: [UInt8]) throws(JournalError) {
    let folder = Self.folder(of: identity, state)
    for name in SlotLock.moves(into: folder) {
      let source = "\(Self.pools(state))/\(name)"
      for place in SlotLock.journals(in: source) {
        guard let old = SlotLock(left: place, in: source) else {
          throw .busy(SlotLock.journal(place, in: source))
        }
        try move(old, to: identity)
      }
      try? FileManager.default.removeItem(atPath: source)
    }
    SlotLock.forgetMoves(into: folder)
  }

  private func move(_ old: SlotLock, to identity: [UInt8]) throws(JournalError) {
    let folder = Self.folder(of: identity, state)
    do {
      let journal = try Journal(at: old.journal, access: .readWrite(creating: false))
      _ = try journal.becomeBench("", of: identity)
    }
    guard let new = SlotLock(firstIn: folder, unused: true) else {
      throw .cannotOpen(folder, reason: "its folder may not be written")
    }
    guard old.moveJournal(to: new) else { throw .busy(old.journal) }
  }
}

/// How a journal's list is like another's, as far as both go.
private enum ListLikeness {
  case same
  /// With other types of tag, or locked or not.
  case sameMessages

  /// Nil: it is another list.
  init?(of journal: Journal, to other: Journal) throws(JournalError) {
    // The first row tells most lists apart, without the rows being counted.
    guard try Self.isLike(journal, other, first: 1) else { return nil }
    let count = min(try journal.localTally().jobs, try other.localTally().jobs)
    guard try Self.isLike(journal, other, first: count) else { return nil }
    let isSame = try journal.listDigest(first: count) == other.listDigest(first: count)
    self = isSame ? .same : .sameMessages
  }

  private static func isLike(
    _ journal: Journal, _ other: Journal, first count: Int
  ) throws(JournalError) -> Bool {
    let (own, its) = (
      try ListMarker.digests(of: journal, first: count),
      try ListMarker.digests(of: other, first: count)
    )
    return !Set(own).isDisjoint(with: its)
  }
}
