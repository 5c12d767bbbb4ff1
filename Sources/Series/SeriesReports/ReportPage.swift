import Bytes
import Foundation
import Ledger
import LedgerSQLite

/// A report as one page of HTML that needs nothing else: no script, nothing from the network,
/// charts drawn in it. Fit to be printed and filed. Whatever came from a tag, a row or an operator
/// is text in it and nothing more.
///
/// A browser shows no hundred thousand rows: the page has the summary and the first 2,000 of each
/// list, and names the file that has them all.
package struct ReportPage: ReportRenderer {
  /// So many rows of jobs and of tags it shows.
  static let limit = 2000

  private let columns: [String]
  /// How the file with all rows is called from the page; nil where there is none.
  private let allRows: String?
  private let command: String?

  package var limit: Int? { Self.limit }

  /// For a report's rows. `allRows`: the file with those that the page leaves out, as its reader
  /// finds it. `command`: what else writes all of them.
  package init(_ report: Report, allRows: String? = nil, command: String? = nil) {
    (columns, self.allRows, self.command) = (report.columns, allRows, command)
  }

  /// Returns whether a page on `report` leaves rows out.
  package static func isShort(of report: Report) -> Bool {
    report.tally.jobs > limit || report.presented > limit
      || max(report.worn.count, report.released.count) > Report.SetAsideList.limit
  }

  package func head(_ report: Report) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="color-scheme" content="light dark">
    <title>Provisioning report: \(HTML.text(report.journal))</title>
    <style>
    \(ReportStyle.sheet)
    </style>
    </head>
    <body>
    <header>
    <h1>Provisioning report</h1>
    <p>\(facts(report))</p>
    </header>
    \(verdict(report))
    \(tiles(report))
    <section class="charts">
    \(Chart.throughput(report))
    \(Chart.bars("Failed attempts by cause", report.failures.map(Chart.Bar.init), none: "None failed.", colour: "fail"))
    \(Chart.bars("Slowest steps, mean over all finished tags", report.steps.prefix(8).map { Chart.Bar($0, of: report.successes) }, none: "Not measured."))
    \(Chart.bars("Skipped tags, by reason", report.reasons.map(Chart.Bar.init), none: "None."))
    </section>
    \(table("Settings", settings(report)))
    \(table("Operators and shifts", shifts(report)))
    \(table("Pauses of five minutes or more", pauses(report)))
    \(table("Readers", readers(report)))
    \(table("Runs", sessions(report)))
    \(signOff(report))
    \(setAside("Scrap tags, worn or damaged", report.worn, "Worn or damaged tags: discard them. The program refuses them."))
    \(setAside("Scrap tags, released", report.released, "Their jobs may be on other tags, and these tags may hold them, too: do not use them."))
    <h2 class="list">Jobs</h2>
    \(rest(report.tally.jobs, Self.limit))
    <table class="rows"><thead>\(jobColumns)</thead><tbody>

    """
  }

  package func middle(_ report: Report) -> String {
    """
    </tbody></table>
    <h2>Tags presented</h2>
    \(rest(report.presented, Self.limit))
    <table class="rows"><thead>\(Self.tagColumns)</thead><tbody>

    """
  }

  /// What is said of a list that is longer than the page shows.
  func rest(_ count: Int, _ limit: Int) -> String {
    guard count > limit else { return "" }
    let shown = "The first \(Report.number(limit)) of \(Report.number(count)). "
    let place =
      allRows.map { "All of them are in <b>\(HTML.text($0))</b>." }
      ?? command.map { "<b>\(HTML.text($0))</b> writes all of them." } ?? ""
    return "<p class=\"rest\">\(shown)\(place)</p>"
  }

  package func foot(_ report: Report) -> String {
    """
    </tbody></table>
    <footer>Made by nfcprog on \(report.created.reportMinute) \(ReportTime.zone) from \(HTML.text(report.journal)).</footer>
    </body>
    </html>

    """
  }

  /// Columns of the list that are shown; a file of all rows has the others.
  private var shownColumns: ArraySlice<String> { columns.prefix(12) }

  private var jobColumns: String {
    HTML.header(
      [
        "#Job", "Name", "State", "Tag", "Type", "Link", "#Bytes", "SHA-256",
        "Time, \(ReportTime.zone)", "#Tries",
      ]
        + ["Station", "Remark"] + shownColumns)
  }
  private static let tagColumns = HTML.header([
    "Time, \(ReportTime.zone)", "Tag", "Type", "Outcome", "#Job", "#Took", "Station", "Operator",
    "Cause",
    "What happened",
  ])

  package func row(_ row: ReportRow) -> String {
    switch row.subject {
    case .job:
      HTML.row(
        [
          .number(row.job), Self.short(row.name), .state(row.outcome), .code(row.uid?.description),
          .word(row.tagType), .text(row.uri), .number(row.length),
          .code(row.digest.map { Hex.string($0.prefix(8)) + "…" }), .word(row.time?.reportSecond),
          .number(row.attempts), .text(row.station), .text(remark(row)),
        ] + shownColumns.map { name in Self.short(row.columns.first { $0.name == name }?.value) })
    case .tag:
      HTML.row([
        .word(row.time?.reportSecond), .code(row.uid?.description), .word(row.tagType),
        .state(row.outcome), .number(row.job), .figure(row.duration?.reportText),
        .text(row.station),
        .text(row.operatorName), .text(row.trouble?.cause), .text(row.trouble?.text),
      ])
    }
  }

  /// Codes and serial numbers stand on one line; a long text is wrapped.
  private static func short(_ text: String?) -> HTML.Cell {
    text?.utf8.count ?? 0 <= 20 ? .word(text) : .text(text)
  }

  private func remark(_ row: ReportRow) -> String {
    let flags = [
      row.isLocked == true ? "locked" : nil, row.isProtected == true ? "protected" : nil,
      row.inspection.map { "inspection: \($0)" }, row.trouble?.text,
    ]
    return flags.compactMap { $0 }.joined(separator: ", ")
  }

  private func facts(_ report: Report) -> String {
    var facts = ["Journal <b>\(HTML.text(report.journal))</b>"]
    if let source = report.source { facts.append("jobs from <b>\(HTML.text(source.name))</b>") }
    if let first = report.first, let last = report.last {
      facts.append("<b>\(first.reportMinute)</b> to <b>\(last.reportMinute)</b> \(ReportTime.zone)")
    }
    if !report.operators.isEmpty {
      facts.append("by <b>\(HTML.text(report.operators.joined(separator: ", ")))</b>")
    }
    return facts.joined(separator: " · ")
  }

  private func verdict(_ report: Report) -> String {
    if !report.inconsistencies.isEmpty {
      let list = report.inconsistencies.map { "<li>\(HTML.text($0.text))</li>" }.joined()
      return
        "<div class=\"verdict bad\"><b>✗ The journal is inconsistent.</b> Do not rely on this report.<ul>\(list)</ul></div>"
    }
    let tally = report.tally
    if report.isComplete {
      return
        "<div class=\"verdict good\"><b>✓ Complete.</b> Each of the \(Report.number(tally.jobs, "job")) "
        + "is on one tag, read back; the journal is consistent.</div>"
    }
    return
      "<div class=\"verdict open\"><b>○ Not complete.</b> \(tally.summary).\(report.putBackText) "
      + "The journal is consistent.</div>"
  }

  private func tiles(_ report: Report) -> String {
    let tally = report.tally
    let tiles = [
      ("jobs on tags, of \(Report.number(tally.jobs))", Report.number(tally.written)),
      ("yield", report.yield.map(Report.percent) ?? "–"),
      ("failed attempts", Report.number(report.failed)),
      ("scrap tags", Report.number(report.scrap.count)),
      ("of them released", Report.number(report.released.count)),
      ("tags an hour, by the clock", rate(report.hourlyRate)),
      ("tags an hour, without pauses", rate(report.workingRate)),
      ("mean time a tag", report.successes > 0 ? report.meanDuration.reportText : "–"),
    ]
    let cells = tiles.map { "<div><b>\($1)</b><span>\($0)</span></div>" }.joined()
    return "<div class=\"tiles\">\(cells)</div>"
  }

  private func rate(_ rate: Double?) -> String { rate.map { Report.number(Int($0)) } ?? "–" }
}

extension Chart.Bar {
  init(_ cause: Figures.NamedCause) {
    self.init(cause.name, Double(cause.count), Report.number(cause.count))
  }

  /// `count`: all finished tags.
  init(_ step: Report.Step, of count: Int) {
    let share = step.count < count ? ", \(Report.number(step.count, "tag"))" : ""
    self.init(
      step.name, step.mean / .seconds(1),
      "\(step.mean.reportText) (longest \(step.longest.reportText)\(share))")
  }
}
