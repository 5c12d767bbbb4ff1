import Provisioning
import TagProgramming

/// Where the jobs of a series come from.
package struct JobListChoice {
  package var input: JobSource.Input
  /// What holds for every row.
  package var settings: JobSource.Settings
  /// What the journal is told of the list, so that it notices another one.
  package var description: SourceDescription
  /// The list's file; nil where it is none.
  package var path: String?

  package init(
    _ input: JobSource.Input, _ settings: JobSource.Settings, _ description: SourceDescription,
    path: String?
  ) {
    (self.input, self.settings, self.description) = (input, settings, description)
    self.path = path
  }
}

/// What a run over a job list is asked for.
package struct ProvisioningSettings {
  package var list: JobListChoice
  /// The journal's file; nil: a journal that is not kept.
  package var journal: String?
  /// Whether rows that were added to the list are taken up.
  package var extends = false
  /// Whether rows come from standard input as the line works.
  package var follows = false
  /// The file that gets a row for every finished tag.
  package var labels: String?
  /// How the stations work; `expected` is found by the run.
  package var line = LineOptions()
  /// How messages are written.
  package var write = WriteOptions()
  /// The file that gets what a server needs to check the tags, by the end; and whether that is the
  /// master key's id in place of the tags' keys.
  package var exportedKeys: String?
  package var exportsMasterID = false
  /// Devices that codes are read from, one for each station; `-` is standard input.
  package var scanners: [String] = []
  /// The column that such a code is found in.
  package var scannedColumn = "code"
  /// Whether jobs that are kept for tags which were taken away go to other tags.
  package var releasesReserved = false
  /// Whether jobs that no message could be made of are tried again.
  package var retriesFailed = false
  /// A command that is run after each tag.
  package var onResult: ResultCommand.Settings?
  /// Who works, and with which command of which version: for the journal.
  package var operatorName = ""
  package var commandLine = ""
  package var version = ""
  package var environment: Environment

  package init(_ list: JobListChoice, _ environment: Environment) {
    (self.list, self.environment) = (list, environment)
  }

  /// What lies beside the list's file; nil where the list is none.
  var marker: ListMarker? {
    let home = environment["HOME"] ?? "/"
    return list.path.map {
      ListMarker(ofList: $0, state: environment["XDG_STATE_HOME"] ?? "\(home)/.local/state")
    }
  }

  var temporaryFolder: String { environment["TMPDIR"] ?? "/tmp" }
}
