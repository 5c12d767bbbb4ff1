import Provisioning

/// Whether a journal is consistent: `journal verify`.
package struct JournalJSON: WireDocument {
  package struct Finding: Encodable {
    package var code: String
    package var text: String
  }

  package var journal: String
  package var consistent: Bool
  package var findings: [Finding]
  package var pending: Int
  package var reserved: Int
  package var written: Int
  package var failed: Int
  package var scrap: Int

  package init(_ path: String, _ found: [Inconsistency], _ tally: Tally) {
    (journal, consistent) = (path, found.isEmpty)
    findings = found.map { Finding(code: $0.code, text: $0.text) }
    (pending, reserved, written) = (tally.pending, tally.reserved, tally.written)
    (failed, scrap) = (tally.failed, tally.scrap)
  }
}
