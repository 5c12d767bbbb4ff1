import JSON
import LedgerSQLite

/// Says whether a journal is consistent: `journal verify`.
struct JournalJSON: OutputDocument {
  struct Finding: Encodable {
    var code: String
    var text: String
  }

  var journal: String
  var consistent: Bool
  var findings: [Finding]
  var pending: Int
  var reserved: Int
  var written: Int
  var failed: Int
  var scrap: Int

  init(_ path: String, _ found: [Inconsistency], _ tally: Tally) {
    (journal, consistent) = (path, found.isEmpty)
    findings = found.map { Finding(code: $0.code, text: $0.text) }
    (pending, reserved, written) = (tally.pending, tally.reserved, tally.written)
    (failed, scrap) = (tally.failed, tally.scrap)
  }
}
