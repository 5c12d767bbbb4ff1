import Bytes
import Foundation

/// A report as one page of HTML that needs nothing else: no script, nothing from the network, charts drawn in it. Fit to
/// be printed and filed. Whatever came from a tag, a row or an operator is text in it and nothing more.
public struct ReportPage: ReportRenderer {
  public init() {}

  public func head(_ report: Report) -> String {
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
    \(Chart.bars("Slowest steps, mean of a finished tag", report.steps.prefix(8).map(Chart.Bar.init), none: "Not measured."))
    \(Chart.bars("Tags left alone, by reason", report.reasons.map(Chart.Bar.init), none: "None."))
    </section>
    \(readers(report))
    \(sessions(report))
    <h2>Jobs</h2>
    <table class="rows"><thead>\(Self.jobColumns)</thead><tbody>

    """
  }

  public func middle(_ report: Report) -> String {
    """
    </tbody></table>
    <h2>Tags presented</h2>
    <table class="rows"><thead>\(Self.tagColumns)</thead><tbody>

    """
  }

  public func foot(_ report: Report) -> String {
    """
    </tbody></table>
    <footer>Made by nfcprog on \(report.created.reportMinute) UTC from \(HTML.text(report.journal)).</footer>
    </body>
    </html>

    """
  }

  private static let jobColumns = HTML.header([
    "#Job", "Name", "State", "Tag", "Type", "Link", "#Bytes", "SHA-256", "Time, UTC",
    "#Tries",
    "Station", "Remark",
  ])
  private static let tagColumns = HTML.header([
    "Time, UTC", "Tag", "Type", "Outcome", "#Job", "#Took", "Station", "Operator", "Cause",
    "What happened",
  ])

  public func row(_ row: ReportRow) -> String {
    switch row.subject {
    case .job:
      HTML.row([
        .number(row.job), .text(row.name), .state(row.outcome), .code(row.uid?.description),
        .word(row.tagType), .text(row.uri), .number(row.length),
        .code(row.digest.map { Hex.string($0.prefix(8)) + "…" }), .word(row.time?.reportSecond),
        .number(row.attempts), .text(row.station), .text(remark(row)),
      ])
    case .tag:
      HTML.row([
        .word(row.time?.reportSecond), .code(row.uid?.description), .word(row.tagType),
        .state(row.outcome), .number(row.job), .figure(row.duration?.reportText),
        .text(row.station),
        .text(row.operatorName), .text(row.trouble?.cause), .text(row.trouble?.text),
      ])
    }
  }

  private func remark(_ row: ReportRow) -> String {
    let flags = [
      row.isLocked == true ? "locked" : nil, row.isProtected == true ? "protected" : nil,
      row.trouble?.text,
    ]
    return flags.compactMap { $0 }.joined(separator: ", ")
  }

  private func facts(_ report: Report) -> String {
    var facts = ["Journal <b>\(HTML.text(report.journal))</b>"]
    if let source = report.source { facts.append("jobs from <b>\(HTML.text(source.name))</b>") }
    if let first = report.first, let last = report.last {
      facts.append("<b>\(first.reportMinute)</b> to <b>\(last.reportMinute)</b> UTC")
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
        "<div class=\"verdict bad\"><b>✗ The journal contradicts itself.</b> Do not rely on this report.<ul>\(list)</ul></div>"
    }
    let tally = report.tally
    if report.isComplete {
      return
        "<div class=\"verdict good\"><b>✓ Complete.</b> Each of the \(Report.number(tally.jobs, "job")) "
        + "is on one tag, read back; the journal is consistent.</div>"
    }
    return "<div class=\"verdict open\"><b>○ Not complete.</b> \(tally.summary). "
      + "The journal is consistent.</div>"
  }

  private func tiles(_ report: Report) -> String {
    let tally = report.tally
    let tiles = [
      (
        "jobs on tags",
        "\(Report.number(tally.written))<small> of \(Report.number(tally.jobs))</small>"
      ),
      ("yield", report.yield.map(Report.percent) ?? "–"),
      ("failed attempts", Report.number(report.failed)),
      ("tags scrap", Report.number(tally.scrap)),
      ("tags an hour", report.hourlyRate.map { Report.number(Int($0)) } ?? "–"),
      ("mean time a tag", report.successes > 0 ? report.meanDuration.reportText : "–"),
    ]
    let cells = tiles.map { "<div><b>\($1)</b><span>\($0)</span></div>" }.joined()
    return "<div class=\"tiles\">\(cells)</div>"
  }

  private func readers(_ report: Report) -> String {
    guard !report.readers.isEmpty else { return "" }
    let head = HTML.header([
      "Reader", "Station", "#Finished", "#Failed", "#Left alone", "#Yield", "#Mean time a tag",
    ])
    let rows = report.readers.map {
      HTML.row([
        .text($0.name), .text($0.stations), .number($0.written), .number($0.failed),
        .number($0.left),
        .figure($0.yield.map(Report.percent)), .figure($0.meanDuration.reportText),
      ])
    }
    return "<h2>Readers</h2><table><thead>\(head)</thead><tbody>\(rows.joined())</tbody></table>"
  }

  private func sessions(_ report: Report) -> String {
    guard !report.sessions.isEmpty else { return "" }
    let head = HTML.header([
      "#Run", "Operator", "Machine", "Begun, UTC", "Ended, UTC", "#Finished", "#Failed",
    ])
    let rows = report.sessions.map {
      HTML.row([
        .number($0.number), .text($0.operatorName), .text($0.host), .text($0.begun.reportSecond),
        .text($0.ended?.reportSecond ?? "no end recorded"), .number($0.written), .number($0.failed),
      ])
    }
    return "<h2>Runs</h2><table><thead>\(head)</thead><tbody>\(rows.joined())</tbody></table>"
  }
}

extension Chart.Bar {
  init(_ cause: Report.Cause) {
    self.init(cause.name, Double(cause.count), Report.number(cause.count))
  }

  init(_ step: Report.Step) {
    self.init(
      step.name, step.mean / .seconds(1),
      "\(step.mean.reportText) (longest \(step.longest.reportText))")
  }
}
