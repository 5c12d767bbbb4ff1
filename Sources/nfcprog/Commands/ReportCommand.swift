import ArgumentParser
import BenchKit
import Provisioning
import Wire

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
    do throws(ReportError) {
      let (journal, report) = try open()
      let table = csv ?? tableBesidePage(report)
      if let table { try write(report, of: journal, ReportCSV(report), to: table) }
      if let html {
        let page = ReportPage(
          report, allRows: table.map { Self.name(of: $0, from: html) },
          command: "nfcprog report --csv FILE")
        try write(report, of: journal, page, to: html)
      }
      if json { try write(report, of: journal, ReportJSON(), to: "-") }
      if !json, csv != "-", html != "-" {
        for line in report.lines { console.result(line) }
      }
      for name in [table, html].compactMap({ $0 }) where name != "-" {
        console.remark("Written: \(name)")
      }
      return report.inconsistencies.isEmpty ? .success : .badInput
    } catch {
      switch error {
      case .journal(let reason): throw BenchError(reading: reason)
      case .cannotWrite: throw BenchError(.cannotCreate, error.description)
      }
    }
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

  private func open() throws(ReportError) -> (Journal, Report) {
    do throws(JournalError) {
      let journal = try Journal(at: series.journal, access: .readOnly)
      return (journal, try journal.report())
    } catch {
      throw .journal(error)
    }
  }

  private func write(
    _ report: Report, of journal: Journal, _ renderer: some ReportRenderer, to path: String
  ) throws(ReportError) {
    guard path == "-" else { return try journal.render(report, with: renderer, to: path) }
    do throws(JournalError) {
      try journal.render(report, with: renderer) { OutputFile.standardOutput.write($0) }
    } catch {
      throw .journal(error)
    }
  }
}
