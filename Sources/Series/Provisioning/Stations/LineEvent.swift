import Ledger
import LedgerSQLite
import TagMemory
import TagProgramming

/// An event says what happens on a line, told as it happens by the thread of the station that it is
/// about.
public struct LineEvent: Sendable {
  /// A kind says what happened.
  public enum Kind: Sendable {
    /// The reader is free for a tag.
    case ready
    /// The tag has gone, and its verdict stands until a hand has answered it: with that tag, with
    /// another one after a while, or with a key. The reader is free for a tag.
    case stands(TagOutcome)
    /// Another tag came before that: it is not touched until the verdict of the last one has stood
    /// long enough.
    case early(UID, after: TagOutcome)
    /// A key answered the verdict: it makes room for the next tag.
    case answered
    /// The tag of this outcome slipped and lies there again: the same presentation, its verdict
    /// stands.
    case same(TagOutcome)
    /// A tag lies there: the station's `number`th of this run, from 1; a tag that comes again keeps
    /// its number.
    case found(UID, number: Int)
    /// The tag lies there and waits for a code to be scanned: which row of the list it gets.
    case scanWanted
    /// The tag lies there and waits for its printed label to be scanned.
    case labelScanWanted
    /// A code was scanned for the station's tag.
    case scanned(String, JobPicks.Answer)
    /// A code that was scanned before, and the job that it stands for, is not meant any more:
    /// another code came before a tag took it.
    case codeDropped(TagOutcome.Job)
    /// No codes come from the station's scanner, and why; it is waited for where it may return.
    case scannerLost(String)
    /// They come again.
    case scannerBack
    /// What is being done with it.
    case progress(JobProgress)
    /// The tag is done with, well or not, and the journal knows; it may be taken away.
    case finished(TagOutcome)
    /// A finished tag is to be put on a reader again to be inspected, or was.
    case inspection(Inspection)
    /// No tag is begun: its label cannot be printed now, and why.
    case printerWanted(PrinterObstacle)
    /// It can be again.
    case printerReady
    /// Several tags lie there; none is touched.
    case severalTags([UID])
    /// The reader is gone, and why; it is waited for.
    case lost(String)
    /// It is there again.
    case back
    /// The station has ended.
    case ended
  }

  /// The station's number, from 0.
  public let station: Int
  /// The kind says what happened at the station.
  public let kind: Kind
}

/// Why a line ended.
public enum LineEnding: Sendable {
  /// Every job is on a tag, or as many as were asked for.
  case complete
  /// No tag was presented, or none taken away, in time.
  case idle
  /// So many tags have failed that somebody has to look.
  case failures
  /// A finished tag was put on a reader again and did not hold what it should, for this reason.
  case inspection(TagTrouble?)
  /// Somebody asked for it.
  case interrupted
  /// What happens can no longer be written down.
  case journal(JournalError)
  /// The label file cannot be written.
  case labels(LabelError)
  /// The file of the tags that are read cannot be written.
  case collection(CollectedFileError)
  /// A mistake of the program has ended the work at this reader; the other stations have finished
  /// their tags.
  case stationFell(reader: String)
}

/// The result of a line.
public struct LineSummary: Sendable {
  /// Why the line ended.
  public internal(set) var ending = LineEnding.complete
  /// Good tags of this run, those that held their message already included.
  public internal(set) var passed = 0
  /// Tags that failed.
  public internal(set) var failed = 0
  /// Tags that may hold a job that is not finished.
  public internal(set) var held = 0
  /// Tags that were left alone.
  public internal(set) var left = 0
  /// Tags that were set aside as not to be used.
  public internal(set) var scrap = 0
  /// Tags that did not pass, by cause; and, as `several`, how often several lay there at once.
  package internal(set) var causes: [String: Int] = [:]
  /// Good tags and others by type of tag, as `sim:` calls it; empty: not told.
  package internal(set) var types: [String: Figures.Counts] = [:]
  /// The kind of the last failure.
  package internal(set) var lastFailure: JobFailure.Kind?
  /// From the start to the last tag.
  public internal(set) var elapsed = Duration.zero
  /// What the time of the good tags was spent on, all of them together.
  package internal(set) var steps: [Timing.Step] = []
  /// Jobs that no tag has yet, and none waits for.
  public internal(set) var pending = 0
  /// Tags that are waited for: they may hold a job that is not finished.
  package internal(set) var waitedFor: [UID] = []
  /// Inspections that were made, and those of them that found a fault.
  package internal(set) var inspected = 0
  package internal(set) var inspectedBad = 0
  /// Why jobs that are left fitted none of the tags that were there, in the list's order.
  package internal(set) var unsuited: [String] = []
  /// Good tags that still wait for their inspection.
  package internal(set) var dueForInspection: [UID] = []
  /// Tags that were to get back what they held, and were set aside.
  package internal(set) var lost: [UID] = []
  /// Readers that were away at the end.
  package internal(set) var lostReaders: [String] = []

  /// The word in `causes` for several tags at once, none of which has a verdict.
  package static let several = "several"

  /// Good tags an hour.
  public var tagsPerHour: Double? {
    let hours = elapsed / .seconds(3600)
    return passed > 0 && hours > 0 ? Double(passed) / hours : nil
  }
}
