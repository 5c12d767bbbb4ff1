import Bytes
import LedgerSQLite

extension Report {
  /// Lines on inspections; none where nothing was to be inspected.
  var inspectionLines: [String] {
    let found = inspections
    guard !found.isEmpty else { return [] }
    return ["Inspections: \(inspectionText)"]
      + found.faults.map {
        "  \($0.uid), job \($0.job), \($0.when.reportMinute): \($0.text)".escapingControls
      }
  }

  /// `12 good, 0 bad, 1 pending`.
  var inspectionText: String {
    let found = inspections
    return "\(Self.number(found.good)) good, \(Self.number(found.bad)) bad, "
      + "\(Self.number(found.due)) pending"
  }
}
