import JSON
import UniversalLinks

/// What is wrong with a site association: `lint-aasa`.
struct LintJSON: OutputDocument {
  /// Where the file is from, as it was asked for.
  var source: String
  /// Is true if nothing in it is an error.
  var valid: Bool
  /// The apps under applinks, in the order of the file.
  var appIDs: [String]
  var findings: [LinkJSON.Finding]

  init(_ findings: [UniversalLinks.Finding], source: String, appIDs: [String]) {
    (self.source, self.appIDs) = (source, appIDs)
    valid = Lint.isValid(findings)
    self.findings = findings.map(LinkJSON.Finding.init)
  }
}
