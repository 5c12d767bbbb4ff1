import Ledger
import TagMemory

/// What a line that only reads has found.
package struct CollectionResult: Sendable {
  /// Tags of one kind that are not as wanted.
  package struct Fault: Hashable, Sendable {
    package let cause: TagCause
    package internal(set) var uids: [UID]
  }

  /// A tag that has not come, as what expects it calls it.
  package enum Missing: Hashable, Sendable, CustomStringConvertible {
    case tag(UID)
    /// What is expected on it.
    case content(String)

    package var description: String {
      switch self {
      case .tag(let uid): uid.description
      case .content(let text): text
      }
    }

    /// As programs get it: a UID without colons.
    package var data: String { if case .tag(let uid) = self { uid.hex } else { description } }
  }

  /// Good tags of this run.
  package internal(set) var good = 0
  /// Tags that the file had before it.
  package internal(set) var earlier = 0
  /// Tags that are not as wanted, and were not good when they came again; those that were read
  /// before, as often as they came again; and those of the file's rows that are not as expected.
  package internal(set) var faults: [Fault] = []
  /// How many tags were expected; nil where nobody said.
  package var expected: Int?
  /// Those of them that have not come.
  package var missing: [Missing] = []

  package init() {}

  /// How many tags are not as wanted.
  package var faulty: Int { faults.map(\.uids.count).reduce(0, +) }
}
