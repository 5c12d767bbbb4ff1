import TagMemory

/// The tags that a run has met so far, and what became of each: no tag is programmed twice, some
/// never.
package struct SeriesTally: Hashable, Sendable {
  /// Why a tag is left alone.
  package enum Reason: Hashable, Sendable {
    /// It was set apart before the run, as the tag that is copied.
    case reserved
    /// It was dealt with in this run.
    case done
  }

  /// Tags that were changed.
  package private(set) var written = 0
  /// Tags that held what was wanted when they came.
  package private(set) var unchanged = 0
  /// Tags that would have been changed.
  package private(set) var planned = 0
  /// How often several tags lay on the reader at once.
  package private(set) var severalTagsCount = 0
  /// The failure of the last try that ended with one.
  package private(set) var lastFailure: JobFailure?

  private var reserved: Set<UID>
  private var done: Set<UID> = []
  /// Tags whose last try failed.
  private var failures: [UID: JobFailure.Kind] = [:]

  /// A tally without tags; those in `reserved` are never programmed.
  package init(reserved: some Sequence<UID> = []) { self.reserved = Set(reserved) }

  /// Why the tag with `uid` is left alone; nil when it is to be programmed, which it is again after
  /// a failure.
  package func reason(against uid: UID) -> Reason? {
    if reserved.contains(uid) { return .reserved }
    return done.contains(uid) ? .done : nil
  }

  /// Enters what became of a tag.
  package mutating func enter(_ report: TagReport) {
    guard let uid = report.target?.uid else { return }
    if let failure = report.failure {
      failures[uid] = failure.kind
      lastFailure = failure
      return
    }
    failures[uid] = nil
    done.insert(uid)
    switch report.result {
    case .unchanged: unchanged += 1
    case .planned: planned += 1
    case .written, .read, .failed: written += 1
    }
  }

  /// Enters that several tags lay on the reader at once.
  package mutating func enterSeveralTags() { severalTagsCount += 1 }

  /// Tags that are in their wanted state (with a dry run: would be).
  package var good: Int { done.count }

  /// Tags that are not, because their last try failed, by what kind of trouble.
  package var failed: [JobFailure.Kind: Int] {
    failures.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
