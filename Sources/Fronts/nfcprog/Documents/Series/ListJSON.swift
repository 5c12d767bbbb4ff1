import JSON
import JobLists
import RecordText
import UniversalLinks

/// What there is to say of a good job list before the first tag.
struct ListJSON: OutputDocument {
  var command = "provision"
  var event = "list"
  var jobs: Int
  /// How many addresses are written otherwise than they were given.
  var alteredCount: Int
  /// The first of them.
  var altered: [AlteredJSON]?
  /// What else there is to say of the list: a code and sentences each.
  var remarks: [Remark]?
  /// What may go wrong with its links all the same.
  var findings: [LinkJSON.Finding]?

  /// Something that is taken, and may be meant otherwise.
  struct Remark: Encodable {
    /// Stable, for programs.
    var code: String
    var text: String
  }

  init(_ list: JobReport) {
    (jobs, alteredCount) = (list.rowCount, list.alteredCount)
    altered = AlteredJSON.list(list.altered)
    remarks = list.remarks.isEmpty ? nil : list.remarks.map { Remark(code: $0.code, text: $0.text) }
    findings = list.findings.isEmpty ? nil : list.findings.map(LinkJSON.Finding.init)
  }
}
