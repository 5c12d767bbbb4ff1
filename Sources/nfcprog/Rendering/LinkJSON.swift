import UniversalLinks

/// What was found out about a link before the first tag, a verdict for each platform.
struct LinkJSON: Encodable, Equatable {
  struct Verdict: Encodable, Equatable {
    /// Whether it is shown that the app is woken.
    var wakesApp: Bool
    /// As with `check-link`.
    var opens: String
    var appIDs: [String]
    var findings: [Finding]
  }

  struct Finding: Encodable, Equatable {
    /// `error`, `warning` or `note`.
    var severity: String
    var code: String
    var message: String
    var `where`: String

    init(_ finding: UniversalLinks.Finding) {
      (severity, code) = (finding.severity.rawValue, finding.code.rawValue)
      (message, self.where) = (finding.message, "\(finding.place)")
    }
  }

  var url: String?
  var iphone: Verdict

  init(_ check: LinkCheck) {
    url = check.uri
    iphone = Verdict(
      wakesApp: check.wakesApp, opens: check.opens.rawValue, appIDs: check.appIDs,
      findings: check.findings.map(Finding.init))
  }
}
