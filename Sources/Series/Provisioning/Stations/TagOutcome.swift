import Foundation
import JobLists
import Ledger
import LedgerSQLite
import Readers
import TagMemory
import TagProgramming

/// An outcome says what became of one tag on a line.
public struct TagOutcome: Sendable {
  /// A verdict is what is to be said of the tag.
  public enum Verdict: String, Hashable, Sendable {
    /// It holds its job, read back, and the journal has it.
    case passed
    /// It does not hold a job; one that was meant for it goes to the next tag.
    case failed
    /// It may hold its job and is not finished: it has to be laid down again.
    case held
    /// It was left alone, and why.
    case left
  }

  package typealias Bin = TagBin

  /// The job that the tag has, or that was meant for it.
  public struct Job: Hashable, Sendable {
    /// Its place in the list, from 1.
    public let number: Int
    /// How operators call it.
    public let name: String
    package let columns: [PlannedJob.Column]

    package init(_ job: PlannedJob) {
      (number, name, columns) = (job.number, job.name, job.columns)
    }

    /// `job 17 A7F3`.
    package var text: String { "job \(number) \(name)" }
  }

  /// The verdict says whether the tag passed.
  public internal(set) var verdict: Verdict
  /// The tag.
  public let uid: UID
  /// The station's count of tags in this run, from 1: UIDs are not printed on tags.
  package internal(set) var number = 0
  /// As `sim:` calls it; nil where it was not told.
  public internal(set) var tagType: String?
  /// The job that it got; nil where it got none.
  public internal(set) var job: Job?
  /// Of a tag from the field: its link before, and after.
  package internal(set) var change: String?
  /// Of a passed tag: what the journal says of it.
  public internal(set) var written: WrittenTag?
  /// Why it did not pass: a stable cause, and sentences.
  public internal(set) var trouble: TagTrouble?
  /// The text says what to do about the tag.
  public internal(set) var next: String?
  /// How it counts in the figures of the series.
  package internal(set) var count = EventCount.none
  /// Is true if its job goes to the next tag.
  package internal(set) var losesJob = false
  /// Is true if the tag held its message already.
  package internal(set) var wasThere = false
  /// Is true if the tag was set aside as not to be used.
  package internal(set) var isScrap = false
  /// What is unusual about a tag that passed.
  package internal(set) var findings: [TagDescription.Finding] = []
  package internal(set) var counts = OperationCounts()
  /// When the tag came.
  package internal(set) var started = Date()
  /// From the first look to the verdict.
  public internal(set) var duration = Duration.zero
  package internal(set) var steps: [Timing.Step] = []
  /// What kind of failure it was.
  var kind: JobFailure.Kind?
  /// What the reader itself failed by, so that the tag could not be finished.
  var readerFailure: ReaderError?
  /// Is true if the tag is good and has to be put on a reader again to be inspected.
  package internal(set) var needsInspection = false
  /// Is true if the journal does not have it yet.
  var isUnrecorded = false
  /// No job was left for it, but another station may give one back.
  var foundNoJob = false

  /// What was read, on a line that only reads.
  package internal(set) var read: TagReport?
  /// What the journal says that such a tag is held to.
  package internal(set) var audit: TagAudit?

  /// Where the hand puts the tag.
  package var bin: Bin {
    guard read != nil, verdict == .failed else {
      return Bin(verdict, cause: trouble?.known, isScrap: isScrap)
    }
    return (trouble?.known?.row ?? TagCause.unnamed).read.bin
  }

  /// Is true if somebody has to do something other than lay the next tag down.
  package var wantsHand: Bool { bin != .good }

  /// Is true if the verdict is the tag's last: laid down again at once, the tag gets no other.
  var isFinal: Bool { bin != .again }
}

extension TagOutcome {
  /// What the hand does with this tag, though the next one lies there: `bin the last tag (17)`.
  package var orderBeforeNext: String {
    let last = number > 0 ? "the last tag (\(number))" : "the last tag"
    let order =
      switch bin {
      case .good: "put \(last) with the good ones"
      case .again: "keep \(last) and put it on the reader again"
      case .bin: "bin \(last)"
      case .aside: "set \(last) aside"
      }
    return "\(order). Leave this one."
  }
}

extension TagOutcome.Verdict {
  /// What an event says of its tag.
  package init(_ verdict: EventVerdict) {
    switch verdict {
    case .passed: self = .passed
    case .failed: self = .failed
    case .held: self = .held
    case .left: self = .left
    }
  }
}

extension TagBin {
  /// Where a tag with this verdict goes: why it did not pass, and whether it was set aside.
  package init(_ verdict: TagOutcome.Verdict, cause: TagCause?, isScrap: Bool) {
    let row = cause?.row ?? TagCause.unnamed
    self =
      switch verdict {
      case .passed: .good
      case .held: row.heldBin
      case .failed: isScrap ? .bin : row.failed.bin
      case .left: row.left.bin
      }
  }
}
