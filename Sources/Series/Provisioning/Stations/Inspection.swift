import LedgerSQLite
import TagMemory

/// An inspection says what happens to a tag that is looked at again after it was finished: removed
/// and put on a reader again, or on a reader that only inspects.
public struct Inspection: Sendable {
  /// A verdict says what was found, or is asked for.
  public enum Verdict: String, Hashable, Sendable {
    /// The tag is finished and waits for its inspection.
    case wanted
    /// It holds its job and all that belongs to it, as at its writing.
    case good
    /// It does not; the line ends.
    case bad
    /// It could not be looked at to the end, or another tag lies there: it still waits.
    case again
    /// No tag of this series, none that is finished, or one that others have gone on with: it was
    /// left alone.
    case unknown
  }

  /// The verdict says what was found, or is asked for.
  public let verdict: Verdict
  /// Of the tag that lies there.
  public let uid: UID
  /// Of the tag that is inspected; nil where it is not known.
  package internal(set) var job: TagOutcome.Job?
  package internal(set) var tagType: String?
  /// The station's count of the tag in this run, from 1; 0 where it has none.
  package internal(set) var number = 0
  package internal(set) var trouble: TagTrouble?
  /// Is true if its job was given to the next tag, so that it must not be used.
  package internal(set) var isScrap = false
  /// What to do now.
  package internal(set) var next: String?

  init(_ verdict: Verdict, _ uid: UID, _ job: TagOutcome.Job? = nil) {
    (self.verdict, self.uid, self.job) = (verdict, uid, job)
  }

  /// Where the hand puts the tag.
  package var bin: TagOutcome.Bin {
    switch verdict {
    case .good: .good
    case .wanted, .again: .again
    case .bad: isScrap ? .bin : .again
    case .unknown: .aside
    }
  }
}
