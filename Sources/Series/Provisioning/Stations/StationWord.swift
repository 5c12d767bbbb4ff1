import Ledger

/// What an operator has to know of a station, in one or a few plain words.
///
/// The live view of a terminal and a hub say the same of a station, with these words. A journal
/// keeps them by the names of their cases.
package enum StationWord: String, Hashable, Sendable, CaseIterable {
  case starting, place, looking, writing, verifying
  case pass, fail, again, left
  case several, lost, ended
  /// The tag waits for a code; a code was refused.
  case scan, unknownCode, usedCode
  /// No codes come from the scanner.
  case scannerLost
  /// A finished tag is to be put on a reader again.
  case inspect
  /// No label can be printed.
  case printer
  /// The printed label is to be scanned; it is not the tag's.
  case scanLabel, label

  /// `cause`: why the tag did not pass.
  package init(_ verdict: TagOutcome.Verdict, cause: TagCause?) {
    switch verdict {
    case .held where cause == .label: self = .label
    case .passed: self = .pass
    case .failed: self = .fail
    case .held: self = .again
    case .left: self = .left
    }
  }

  package init(_ inspection: Inspection) {
    switch inspection.verdict {
    case .wanted, .again: self = .inspect
    case .good: self = .pass
    case .bad: self = .fail
    case .unknown: self = .left
    }
  }

  /// Is true if it stays until the next tag lies there: a hand has to answer it.
  package var isKept: Bool {
    self == .fail || self == .again || self == .left || self == .inspect || self == .label
  }

  /// Is true if it says what became of a tag.
  var isVerdict: Bool { self == .pass || isKept && self != .inspect }

  /// As it stands in large letters.
  package var text: String {
    switch self {
    case .starting: "STARTING"
    case .place: "PLACE TAG"
    case .looking: "LOOKING"
    case .writing: "WRITING"
    case .verifying: "CHECKING"
    case .pass: "PASS"
    case .fail: "FAIL"
    case .again: "LAY DOWN AGAIN"
    case .left: "NOT WRITTEN"
    case .several: "ONE TAG ONLY"
    case .lost: "READER AWAY"
    case .scan: "SCAN CODE"
    case .unknownCode: "WRONG CODE"
    case .usedCode: "CODE USED"
    case .scannerLost: "SCANNER AWAY"
    case .inspect: "INSPECT"
    case .printer: "PRINTER"
    case .scanLabel: "SCAN LABEL"
    case .label: "LABEL DOES NOT MATCH"
    case .ended: "ENDED"
    }
  }
}
