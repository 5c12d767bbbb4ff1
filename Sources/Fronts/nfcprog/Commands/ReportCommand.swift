import ArgumentParser
import Bench
import LedgerSQLite
import Line
import Provisioning
import SeriesReports

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Report on a series of tags from its journal.",
    discussion: """
        nfcprog report --journal jobs.sqlite --html report.html

      Shows settings, yield, failures by cause and reader, shifts and pauses, slowest steps, scrap and released tags; with \
      --csv, --json and --html every job and every tag, too. The page needs no other file, can be printed and \
      has a block to sign. It shows the first 2,000 jobs and tags; if there are more, all are in the file of --csv, or \
      beside the page in PAGE.csv. Exit status 65 if the journal is inconsistent.
      """)

  /// What is reported.
  struct Series: ParsableArguments {
    @Option(help: ArgumentHelp("The journal.", valueName: "file|address"))
    var journal: String
  }

  /// Where the report goes.
  struct Forms: ParsableArguments {
    @Option(
      help: ArgumentHelp("Write comma-separated values; - for standard output.", valueName: "file"))
    var csv: String?

    @Option(help: ArgumentHelp("Write a page; - for standard output.", valueName: "file"))
    var html: String?

    @Flag(help: "Print JSON Lines on standard output: a summary, every job, every tag.")
    var json = false

    @Flag(help: "Replace files that exist.")
    var force = false
  }

  @OptionGroup(title: "Journal") var series: Series

  @OptionGroup(title: "Output") var forms: Forms

  private var csv: String? { forms.csv }
  private var html: String? { forms.html }
  private var json: Bool { forms.json }

  func validate() throws {
    guard [csv == "-", html == "-", json].count(where: { $0 }) < 2 else {
      throw ValidationError("Only one of --csv, --html and --json can go to standard output.")
    }
    guard csv == nil || csv != html else {
      throw ValidationError("--csv and --html name the same file.")
    }
  }

  func run() throws {
    let console = Console(json: json || csv == "-" || html == "-")
    let status: ExitStatus
    do throws(BenchError) {
      status = try make(console)
    } catch {
      status = Console(json: json).fail("report", error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func make(_ console: Console) throws(BenchError) -> ExitStatus {
    // Nothing is computed for a file that cannot be written.
    for path in [csv, html] { _ = try file(path) }
    let (journal, report) = try open()
    let table = csv ?? tableBesidePage(report)
    var saved: [NamedFile.Saved?] = []
    if let table { saved.append(try write(report, of: journal, ReportCSV(report), to: table)) }
    if let html {
      let page = ReportPage(
        report, allRows: table.map { Self.name(of: $0, from: html) },
        command: "nfcprog report --csv FILE")
      saved.append(try write(report, of: journal, page, to: html))
    }
    if json { _ = try write(report, of: journal, ReportJSON(), to: "-") }
    if !json, csv != "-", html != "-" {
      for line in report.lines { console.result(line) }
    }
    for file in saved.compactMap(\.self) { console.saved(file) }
    return report.inconsistencies.isEmpty ? .success : .badInput
  }

  /// The file at `path`; nil for standard output, and where none is named.
  private func file(_ path: String?) throws(BenchError) -> NamedFile? {
    guard let path, path != "-" else { return nil }
    guard !Files.areSame(path, series.journal) else {
      throw BenchError(.usage, "\(path) is the journal, which a report does not replace.")
    }
    return try NamedFile(path, .files(forms.force))
  }

  /// The file for the rows that the page leaves out, where no other is asked for.
  private func tableBesidePage(_ report: Report) -> String? {
    guard let html, html != "-", ReportPage.isShort(of: report) else { return nil }
    return html + ".csv"
  }

  /// How somebody who has the page finds `table`: by its name alone in the same folder.
  static func name(of table: String, from page: String) -> String {
    guard table != "-" else { return "the table that was written with it" }
    func split(_ path: String) -> (folder: Substring, name: Substring) {
      guard let slash = path.lastIndex(of: "/") else { return ("", path[...]) }
      return (path[...slash], path[path.index(after: slash)...])
    }
    return split(table).folder == split(page).folder ? String(split(table).name) : table
  }

  private func open() throws(BenchError) -> (Journal, Report) {
    do throws(JournalError) {
      let journal = try Journal(at: series.journal, access: .readOnly)
      return (journal, try journal.report())
    } catch {
      throw BenchError(reading: error)
    }
  }

  /// Renders the report into the file at `path`, or on standard output for `-`.
  private func write(
    _ report: Report, of journal: Journal, _ renderer: some ReportRenderer, to path: String
  ) throws(BenchError) -> NamedFile.Saved? {
    func render(_ put: ([UInt8]) -> Void) throws(BenchError) {
      do throws(JournalError) {
        try journal.render(report, with: renderer) { put(Array($0.utf8)) }
      } catch {
        throw BenchError(reading: error)
      }
    }
    if let file = try file(path) { return try file.write(isSecret: false, render) }
    try render { OutputFile.standardOutput.write($0) }
    return nil
  }
}
