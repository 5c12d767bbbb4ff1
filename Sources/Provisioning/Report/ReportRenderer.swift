import Foundation

/// Puts a report into a format, piece by piece, so that a million rows need no memory.
public protocol ReportRenderer {
  /// What stands before the rows.
  func head(_ report: Report) -> String
  func row(_ row: ReportRow) -> String
  /// What stands between the jobs and the tags.
  func middle(_ report: Report) -> String
  /// What stands after the rows.
  func foot(_ report: Report) -> String
}

extension ReportRenderer {
  public func middle(_ report: Report) -> String { "" }
  public func foot(_ report: Report) -> String { "" }
}

extension Journal {
  /// The figures. `verifying`: look for what cannot be so, too.
  public func report(verifying: Bool = true) throws(JournalError) -> Report {
    let inconsistencies = verifying ? try verify() : []
    return try read { db in
      var report = try Report(
        db, of: self, tally: try tally(in: db), created: Date(milliseconds: clock()))
      report.inconsistencies = inconsistencies
      return report
    }
  }

  /// Renders the report with all its rows; `write` gets piece after piece, of some 64 kilobytes each.
  public func render(
    _ report: Report, with renderer: some ReportRenderer, write: (String) -> Void
  ) throws(JournalError) {
    var text = renderer.head(report)
    var subject = ReportRow.Subject.job
    try read { db in
      try ReportRow.forEach(db) { row in
        if row.subject != subject {
          text += renderer.middle(report)
          subject = row.subject
        }
        text += renderer.row(row)
        guard text.utf8.count > 65_536 else { return }
        write(text)
        text = ""
      }
    }
    if subject == .job { text += renderer.middle(report) }
    write(text + renderer.foot(report))
  }
}
