import AppLinks
import UniversalLinks

/// What was found out about a link before the first tag, a verdict for each platform.
package struct LinkJSON: Encodable, Equatable {
  package struct Verdict: Encodable, Equatable {
    /// Whether it is shown that the app is woken.
    package var wakesApp: Bool
    /// As with `check-link`.
    package var opens: String
    package var appIDs: [String]
    package var findings: [Finding]
  }

  package struct Finding: Encodable, Equatable {
    /// `error`, `warning` or `note`.
    package var severity: String
    package var code: String
    package var message: String
    package var `where`: String

    package init(_ finding: UniversalLinks.Finding) {
      (severity, code) = (finding.severity.rawValue, finding.code.rawValue)
      (message, self.where) = (finding.message, "\(finding.place)")
    }
  }

  package var url: String?
  package var iphone: Verdict?
  package var android: AndroidVerdict?

  package struct AndroidVerdict: Encodable, Equatable {
    package var wakesApp: Bool
    /// As in `versions`, of several the first that is not `app`; `otherApp` for `other`.
    package var opens: String
    /// `app`, `launcher`, `chooser`, `browser`, `store`, `other`, `system`, `nothing` or `unknown`
    /// for each version of Android that was asked for.
    package var versions: [String: String]
    /// The step of Android's dispatch that decides for each version, and why.
    package var decidedBy: [String: String]
    package var package: String
    /// Whether an Android application record on the tag starts the app.
    package var byRecord: Bool
    /// How many bytes such a record would take; absent where the app is woken.
    package var recordCost: Int?
    package var findings: [Finding]
    /// What to put on the tag and into the app for all versions, a sentence each.
    package var advice: [String]

    package init(_ check: AppLinkCheck) {
      wakesApp = check.wakesApp
      opens = check.opens == .other ? "otherApp" : check.opens.rawValue
      (package, byRecord) = (check.app.packageName, check.isByRecord)
      recordCost = check.recordCost
      (versions, decidedBy, advice) = ([:], [:], check.advice)
      for version in check.versions {
        let name = String(version.release.rawValue)
        versions[name] = version.outcome.rawValue
        decidedBy[name] = "\(version.step.rawValue): \(version.reason)"
      }
      findings = check.findings.map(Finding.init)
    }
  }

  /// Nil where nothing was asked.
  package init?(_ check: LinkCheck?, android: AppLinkCheck?) {
    guard check != nil || android != nil else { return nil }
    url = check?.uri ?? android?.uri
    self.android = android.map(AndroidVerdict.init)
    guard let check else { return }
    iphone = Verdict(
      wakesApp: check.wakesApp, opens: check.opens.rawValue, appIDs: check.appIDs,
      findings: check.findings.map(Finding.init))
  }
}
