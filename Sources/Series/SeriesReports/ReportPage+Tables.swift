import Bytes
import Foundation

/// The tables of the page's summary, and the block to sign.
extension ReportPage {
  /// A table with its heading; nothing where it has no rows.
  func table(_ title: String, _ table: (head: [String], rows: [[HTML.Cell]])) -> String {
    guard !table.rows.isEmpty else { return "" }
    return "<h2>\(HTML.text(title))</h2><table><thead>\(HTML.header(table.head))</thead>"
      + "<tbody>\(table.rows.map(HTML.row).joined())</tbody></table>"
  }

  func settings(_ report: Report) -> ([String], [[HTML.Cell]]) {
    (["Setting", "Value"], report.settings.map { [.word($0.name), .text($0.value)] })
  }

  func shifts(_ report: Report) -> ([String], [[HTML.Cell]]) {
    let head = [
      "Operator", "From, \(ReportTime.zone)", "To, \(ReportTime.zone)", "#Good attempts", "#Failed",
      "#Left alone", "#Pauses",
      "#Tags an hour, by the clock",
    ]
    let rows: [[HTML.Cell]] = report.shifts.map {
      [
        .text($0.operatorName), .word($0.begun.reportMinute), .word($0.ended.reportMinute),
        .number($0.written), .number($0.failed), .number($0.left),
        .figure($0.pauses > .zero ? $0.pauses.reportSpan : ""),
        .figure($0.hourlyRate.map { Report.number(Int($0)) }),
      ]
    }
    return (head, rows)
  }

  /// The longest fifty, in the order in which they were.
  func pauses(_ report: Report) -> ([String], [[HTML.Cell]]) {
    let longest = report.pauses.sorted { $0.length > $1.length }.prefix(50)
    let shown = longest.sorted { $0.begun < $1.begun }
    var rows: [[HTML.Cell]] = shown.map {
      [
        .word($0.begun.reportMinute),
        .word($0.begun.addingTimeInterval($0.length / .seconds(1)).reportMinute),
        .figure($0.length.reportSpan),
      ]
    }
    if !rows.isEmpty {
      let count = report.pauses.count
      let all = count > 50 ? "All \(Report.number(count)), the longest 50 shown" : "All"
      rows.append([.text(all), .text(nil), .figure(report.pauseTime.reportSpan)])
    }
    return (["From, \(ReportTime.zone)", "To, \(ReportTime.zone)", "#Length"], rows)
  }

  func readers(_ report: Report) -> ([String], [[HTML.Cell]]) {
    let head = [
      "Reader", "Station", "#Finished", "#Failed", "#Left alone", "#Yield", "#Mean time a tag",
    ]
    let rows: [[HTML.Cell]] = report.readers.map {
      [
        .text($0.name), .text($0.stations), .number($0.written), .number($0.failed),
        .number($0.left), .figure($0.yield.map(Report.percent)),
        .figure($0.meanDuration.reportText),
      ]
    }
    return (head, rows)
  }

  /// The last fifty.
  func sessions(_ report: Report) -> ([String], [[HTML.Cell]]) {
    let head = [
      "#Run", "Operator", "Machine", "Program", "Begun, \(ReportTime.zone)",
      "Ended, \(ReportTime.zone)", "#Finished", "#Failed",
    ]
    let rows: [[HTML.Cell]] = report.sessions.suffix(50).map {
      [
        .number($0.number), .text($0.operatorName), .text($0.host), .text($0.version),
        .text($0.begun.reportSecond), .text($0.ended?.reportSecond ?? "no end recorded"),
        .number($0.written), .number($0.failed),
      ]
    }
    return (head, rows)
  }

  func setAside(_ title: String, _ list: Report.SetAsideList, _ meaning: String) -> String {
    guard list.count > 0 else { return "" }
    let rows: [[HTML.Cell]] = list.tags.map {
      [
        .code($0.uid.description), .word($0.tagType), .word($0.when.reportSecond), .number($0.job),
        .text($0.name), .text($0.station), .text($0.operatorName), .text($0.trouble.text),
      ]
    }
    let head = [
      "Tag", "Type", "Time, \(ReportTime.zone)", "#For job", "Name", "Station", "Operator", "Why",
    ]
    return "<h2 class=\"list\">\(HTML.text(title)): \(Report.number(list.count))</h2>"
      + "<p class=\"rest\">\(HTML.text(meaning))</p>"
      + rest(list.count, Report.SetAsideList.limit)
      + "<table><thead>\(HTML.header(head))</thead><tbody>\(rows.map(HTML.row).joined())</tbody></table>"
  }

  /// Returns what people check against the box of tags, and where they sign.
  func signOff(_ report: Report) -> String {
    let counts = [
      ("Good tags in the box", report.tally.written),
      ("Worn or damaged tags in the bin", report.worn.count),
      ("Released tags found and discarded", report.released.count),
    ]
    let checks = counts.map { name, count in
      "<tr><td>\(name), counted</td><td class=\"blank\"></td><td>of \(Report.number(count))</td></tr>"
    }
    let names = ["Line engineer", "Quality manager"].map {
      "<tr><td>\($0)</td><td class=\"blank\"></td><td>date</td><td class=\"blank\"></td>"
        + "<td>signature</td><td class=\"blank\"></td></tr>"
    }
    return "<section class=\"sign\"><h2>Sign-off</h2>"
      + "<table><tbody>\(checks.joined())</tbody></table>"
      + "<table><tbody>\(names.joined())</tbody></table>\(headSeal(report))</section>"
  }

  /// Returns the head of the journal, by which it can be held to what it said today.
  private func headSeal(_ report: Report) -> String {
    guard let head = report.head else { return "" }
    let text =
      "nfcprog series \(Hex.string(head.series.bytes)) events \(head.events) head \(head.digest)"
    return "<p class=\"head\">Head of \(Report.number(head.events, "event")): "
      + "<code>\(head.digest)</code></p>" + (QRCode.svg(text) ?? "")
  }
}
