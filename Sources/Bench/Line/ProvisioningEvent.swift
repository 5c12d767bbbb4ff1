import JobLists
import LedgerSQLite
import Provisioning
import TagMemory

/// An event says what happens during a run over a job list.
public enum ProvisioningEvent: Sendable {
  /// Something begins that takes a while; `count`: how many `unit` there are, where that is known.
  case workBegan(String, unit: String, count: Int?)
  /// How much of the work that began is done.
  case workAdvanced(Int)
  /// The work that began has ended.
  case workEnded
  /// The list is good.
  case listChecked(JobReport)
  /// Something to say that changes nothing.
  case remark(ProvisioningRemark)
  /// The journal has the jobs: from now on `shouldStop` is asked.
  case prepared
  /// The readers are open.
  case opened(ProvisioningOverview)
  /// The stations work from now on; verdicts can be answered there.
  case started(StationLine)
  /// An event of the line of stations.
  case line(LineEvent)
  /// No station works any more.
  case ended
  /// Something beside the tags went wrong; the run goes on.
  case complaint(String)
  /// A pool contradicts what was said of a tag, in this run or an earlier one.
  case recalled(RecalledTag)
}

/// A tag of which something else is so than a bench of a pool has said.
public struct RecalledTag: Hashable, Sendable {
  /// Where it goes: out of the line, as its job is another tag's; or on a reader again, as it is
  /// not finished for the others.
  package let bin: TagOutcome.Bin
  /// The tag; nil: the job's, whose UID is not known.
  public let uid: UID?
  /// The number of its job.
  public let job: Int
  /// For the operator.
  public let text: String
}

/// A remark says what is worth knowing beside the tags.
public enum ProvisioningRemark: Sendable {
  /// Nothing can be written beside the list or in the state directory, so that a deleted journal is
  /// not missed.
  case listUnmarked
  /// A job was given back; its tag must not be used.
  case released(ReservedTag)
  /// The run that wrote this tag ended before its label was scanned: it has to come again.
  case labelUnscanned(WrittenTag)
  /// The labels of these tags are to be scanned, and the run scans none: it leaves them alone.
  case labelsUnscannable([UID])
  /// So many jobs that failed are tried again.
  case jobsRetried(Int)
  /// So many results of earlier runs are handed on again.
  case resultsRepeated(Int)
  /// So many labels of earlier runs are printed.
  case labelsPrinted(Int)
  /// `--reprint-labels unsure`, and no label is so.
  case nothingUnsure
  /// Labels of these jobs were asked for, and the jobs are not finished; `isPool`: here.
  case reprintsUnfinished([Int], isPool: Bool)
  /// Labels of jobs were asked for that the list does not have; this is its last.
  case reprintsUnknown(lastJob: Int)
  /// Of the label file at a path: a row that was cut short was removed, so many rows were missing
  /// and were added, so many name tags that the journal does not list as finished.
  case labelTorn(String)
  /// So many rows were missing in the label file of this path, and were added.
  case labelsAdded(Int, String)
  /// So many rows of the label file of this path name tags that the journal does not list as
  /// finished.
  case labelsUnknown(Int, String)
}

/// A line that is about to work.
public struct ProvisioningOverview: Sendable {
  /// How many jobs the list has.
  public let jobs: Int
  /// The readers have these names.
  public let readers: [String]
  /// What people call the stations; nil: by their readers.
  package let stationNames: [String]?
  /// How many good tags end the run, and how many there are already.
  package let goal: Int
  package let done: Int
  /// Tags of earlier runs that may hold an unfinished job, and its number.
  package let waiting: [UID: Int]
  /// Each ends the exchange of a reader that blocks.
  public let interrupts: [@Sendable () -> Void]
}
