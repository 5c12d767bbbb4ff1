import Ledger
import LedgerSQLite
import TagMemory

/// Which tags have come to a line that only reads: a fold over what was found of each.
struct CollectionState {
  /// Where a good tag was read.
  struct Place {
    /// The station's count of it.
    let number: Int
    let station: String
  }

  /// Good tags; nil for those that have a row of an earlier run.
  private var good: [UID: Place?] = [:]
  /// How many of them are of earlier runs.
  private var earlier = 0
  /// Tags that are not as wanted, in the order in which they came.
  private var faults: [(uid: UID, cause: TagCause)] = []
  private var expected: ExpectedTags?

  init(earlier: [CollectedFile.Tag] = [], _ expected: ExpectedTags? = nil) {
    self.expected = expected
    for tag in earlier where good[tag.uid] == nil {
      good[tag.uid] = .some(nil)
      if let trouble = self.expected?.take(tag.uid, holding: tag.message) {
        refuse(tag.uid, trouble)
      }
    }
    self.earlier = good.count
  }

  /// Takes in that a tag of an earlier run is not as wanted.
  mutating func refuse(_ uid: UID, _ trouble: TagTrouble) { enter(uid, trouble) }

  /// Takes a tag in that holds `message`; why it is not as wanted, nil where it is. `found`: what
  /// was found of the tag by itself.
  mutating func take(
    _ uid: UID, holding message: [UInt8], at place: Place, _ found: TagTrouble?
  ) -> TagTrouble? {
    // A tag that could not be read now says nothing by coming again.
    if let found, found.known?.row.read.bin == .again {
      if good[uid] == nil { enter(uid, found) }
      return found
    }
    let before = good[uid].map(Self.double)
    if found != nil { expected?.note(uid) }
    if let trouble = before ?? found ?? expected?.take(uid, holding: message) {
      enter(uid, trouble)
      return trouble
    }
    good[uid] = place
    // It was laid down again, and is good now.
    faults.removeAll { $0.uid == uid }
    return nil
  }

  /// The tag that was taken in last is not recorded.
  mutating func withdraw(_ uid: UID) { good[uid] = nil }

  /// Each tag counts once, but for one that came again: as often as it did.
  private mutating func enter(_ uid: UID, _ trouble: TagTrouble) {
    guard let cause = trouble.known else { return }
    let isKnown = cause != .double && faults.contains { $0.uid == uid && $0.cause == cause }
    if !isKnown { faults.append((uid, cause)) }
  }

  private static func double(_ place: Place?) -> TagTrouble {
    let text = place.map { "in this run, as tag \($0.number) of station \($0.station)" }
    return TagTrouble(
      .double, "A tag with this UID was read before, \(text ?? "in an earlier run").")
  }

  /// Returns whether a tag with this UID was read, good or not, in this run or an earlier one.
  func hasCome(_ uid: UID) -> Bool {
    good[uid] != nil || faults.contains { $0.uid == uid && $0.cause.row.read.bin != .again }
  }

  /// What was found, but for what a journal expects.
  var result: CollectionResult {
    var result = CollectionResult()
    (result.good, result.earlier) = (good.count - earlier, earlier)
    for (uid, cause) in faults {
      if let index = result.faults.firstIndex(where: { $0.cause == cause }) {
        result.faults[index].uids.append(uid)
      } else {
        result.faults.append(CollectionResult.Fault(cause: cause, uids: [uid]))
      }
    }
    result.missing = expected?.missing ?? []
    return result
  }
}
