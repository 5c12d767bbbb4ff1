import Bench
import JobLists
import LedgerSQLite
import Provisioning
import TagProgramming

/// Where the jobs of a series come from.
public struct JobListChoice: Sendable {
  package var input: JobSource.Input
  /// What holds for every row.
  package var settings: JobSource.Settings
  /// What the journal keeps of the list, so that it notices another one.
  package var description: SourceDescription
  /// The list's file; nil where it is none.
  package var path: String?

  /// Numbers, a URL for each: `{code}` in `template` stands for the number.
  ///
  ///     JobListChoice(numbers: CodeRange(parsing: "1..5"), url: "https://example.com/t/{code}")
  public init(numbers: CodeRange, url template: String) {
    var settings = JobSource.Settings()
    settings.message = MessageTemplate(records: [.init(option: "uri", text: template)])
    let name = "\(numbers.numbers.lowerBound)..\(numbers.numbers.upperBound)"
    self.init(
      .range(numbers), settings,
      SourceDescription(
        kind: "range", name: name, settings: [.init("record 1", "uri \(template)")]),
      path: nil)
  }

  /// The list that the batch of a pool has itself.
  package static var ofPool: JobListChoice {
    JobListChoice(
      .table("-"), JobSource.Settings(), SourceDescription(kind: "csv", name: ""), path: nil)
  }

  package init(
    _ input: JobSource.Input, _ settings: JobSource.Settings, _ description: SourceDescription,
    path: String?
  ) {
    (self.input, self.settings, self.description) = (input, settings, description)
    self.path = path
  }
}

/// The settings say what a run over a job list is asked for.
public struct ProvisioningSettings: Sendable {
  /// The jobs.
  public var list: JobListChoice
  /// The journal's file; nil: a journal that is not kept.
  public var journal: String?
  /// Is true if rows that were added to the list are taken up.
  public var extends = false
  /// Is true if rows that were corrected, and are on no tag yet, are taken up as they are now.
  public var corrects = false
  /// Is true if rows come as the line works: from standard input, of which the list is the table
  /// `-`; on a pool, those that others add
  /// to the batch.
  public var follows = false
  /// Is true if the jobs are those of a pool's batch, which has its list itself: `list` counts for
  /// nothing then.
  package var takesPoolsList = false
  /// Is true if tags of this machine are taken up whose batch the pool's database has lost.
  package var takesUpLostBatches = false
  /// The file that gets a row for every finished tag.
  public var labels: String?
  /// The printer of labels.
  package var printer: LabelPrinter.Settings?
  /// How the stations work; `expected` is found by the run.
  public var line = LineOptions()
  /// The file that gets what a server needs to check the tags, by the end; and whether that is the
  /// master key's id in place of the tags' keys.
  package var exportedKeys: NamedFile?
  package var exportsMasterID = false
  /// Devices that codes are read from, one for each station; `-` is standard input.
  package var scanners: [String] = []
  /// The column that such a code is found in; nil: codes choose no row.
  package var scannedColumn: String? = "code"
  /// Is true if the printed label of each tag is scanned before its job is done.
  package var scansLabels = false
  /// Is true if the list must say which row is for which tag, in its column `uid`.
  public var matchesTags = false
  /// Is true if jobs that are kept for tags which were taken away go to other tags.
  public var releasesReserved = false
  /// Is true if jobs that no message could be made of are tried again.
  public var retriesFailed = false
  /// A command that is run after each tag.
  package var onResult: ResultCommand.Settings?
  /// Who works, and with which command of which version: for the journal.
  public var operatorName = ""
  package var commandLine = ""
  package var version = ""
  /// The variables that name a person's folders.
  public var environment: Environment

  /// `environment` gives the folders of a person and of the system: `HOME`, `XDG_STATE_HOME`,
  /// `TMPDIR`.
  public init(_ list: JobListChoice, _ environment: Environment = Environment()) {
    (self.list, self.environment) = (list, environment)
  }

  /// What lies beside the list's file; nil where the list is none.
  var marker: ListMarker? {
    list.path.map { ListMarker(ofList: $0, state: stateFolder) }
  }

  /// The place that keeps the last event of each journal here; `marks`: beside the list, too.
  func trail(of journal: Journal, marks: Bool = true) throws(JournalError) -> JournalTrail {
    try JournalTrail(of: journal, beside: marks ? marker : nil, state: stateFolder)
  }

  /// Where a person's programs keep what they remember.
  var stateFolder: String { environment.stateHome ?? "/.local/state" }

  var temporaryFolder: String { environment["TMPDIR"] ?? "/tmp" }
}
