import Provisioning
import RecordText
import UniversalLinks

/// What there is to say of a good job list before the first tag.
package struct ListJSON: WireDocument {
  package var command = "provision"
  package var event = "list"
  package var jobs: Int
  /// How many addresses are written otherwise than they were given.
  package var alteredCount: Int
  /// The first of them.
  package var altered: [AlteredJSON]?
  /// What else there is to say of the list: a code and sentences each.
  package var remarks: [Remark]?
  /// What may go wrong with its links all the same.
  package var findings: [LinkJSON.Finding]?

  /// Something that is taken, and may be meant otherwise.
  package struct Remark: Encodable {
    /// Stable, for programs.
    package var code: String
    package var text: String
  }

  package init(_ list: JobReport) {
    (jobs, alteredCount) = (list.rowCount, list.alteredCount)
    altered = AlteredJSON.list(list.altered)
    remarks = list.remarks.isEmpty ? nil : list.remarks.map { Remark(code: $0.code, text: $0.text) }
    findings = list.findings.isEmpty ? nil : list.findings.map(LinkJSON.Finding.init)
  }
}
