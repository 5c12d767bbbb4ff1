import Foundation
import LedgerSQLite

/// Puts a report into a format, piece by piece, so that a million rows need no memory.
package protocol ReportRenderer {
  /// What stands before the rows.
  func head(_ report: Report) -> String
  func row(_ row: ReportRow) -> String
  /// Adds what `row` gives to `text`, in UTF-8.
  func append(_ row: ReportRow, to text: inout [UInt8])
  /// How many rows on jobs, and how many on tags, it shows at most; nil: all.
  var limit: Int? { get }
  /// What stands between the jobs and the tags.
  func middle(_ report: Report) -> String
  /// What stands after the rows.
  func foot(_ report: Report) -> String
}

extension ReportRenderer {
  package var limit: Int? { nil }
  package func append(_ row: ReportRow, to text: inout [UInt8]) { text += self.row(row).utf8 }
  package func middle(_ report: Report) -> String { "" }
  package func foot(_ report: Report) -> String { "" }
}

extension Journal {
  /// The figures. `verifying`: look for contradictions, too.
  public func report(verifying: Bool = true) throws(JournalError) -> Report {
    let check = verifying ? SideCheck(of: self) : nil
    // Both run to their end: the check of a damaged file says more than sums that fail.
    let figures = Result { () throws(JournalError) in
      try reading { try Report($0, of: path, created: Date(milliseconds: clock())) }
    }
    let inconsistencies = try check?.result() ?? []
    var report = try figures.get()
    report.inconsistencies = inconsistencies
    if inconsistencies.isEmpty { report.head = try head() }
    return report
  }

  /// Renders the report with all its rows; `write` gets piece after piece, of some 64 kilobytes
  /// each.
  package func render(
    _ report: Report, with renderer: some ReportRenderer, write: (String) -> Void
  ) throws(JournalError) {
    var text = Array(renderer.head(report).utf8)
    var subject = ReportRow.Subject.job
    try reading { reading in
      try reading.forEachRow(limit: renderer.limit) { row in
        if row.subject != subject {
          text += renderer.middle(report).utf8
          subject = row.subject
        }
        renderer.append(row, to: &text)
        guard text.count > 65_536 else { return }
        write(String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
      }
    }
    if subject == .job { text += renderer.middle(report).utf8 }
    write(String(decoding: text, as: UTF8.self) + renderer.foot(report))
  }
}
