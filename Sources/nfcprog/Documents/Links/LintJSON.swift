import UniversalLinks

/// What is wrong with a site association: `lint-aasa`.
package struct LintJSON: WireDocument {
  /// Where the file is from, as it was asked for.
  package var source: String
  /// Whether nothing in it is an error.
  package var valid: Bool
  /// The apps under applinks, in the order of the file.
  package var appIDs: [String]
  package var findings: [LinkJSON.Finding]

  package init(_ findings: [UniversalLinks.Finding], source: String, appIDs: [String]) {
    (self.source, self.appIDs) = (source, appIDs)
    valid = Lint.isValid(findings)
    self.findings = findings.map(LinkJSON.Finding.init)
  }
}
