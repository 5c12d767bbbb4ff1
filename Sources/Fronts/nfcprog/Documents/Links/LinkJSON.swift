import AppLinks
import TagProgramming
import UniversalLinks
import Wording

/// What was found out about a link before the first tag, a verdict for each platform.
struct LinkJSON: Encodable, Equatable {
  struct Verdict: Encodable, Equatable {
    /// Is true if it is shown that the app is woken.
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

    /// What is unusual about a tag, as `info` names it.
    init(_ finding: TagDescription.Finding) {
      (severity, code, self.where) = ("note", finding.code, "tag")
      message = finding.sentence(RemedyText.option)
    }
  }

  var url: String?
  var iphone: Verdict?
  var android: AndroidVerdict?

  struct AndroidVerdict: Encodable, Equatable {
    var wakesApp: Bool
    /// As in `versions`, of several the first that is not `app`; `otherApp` for `other`.
    var opens: String
    /// `app`, `launcher`, `chooser`, `browser`, `store`, `other`, `system`, `nothing` or `unknown`
    /// for each version of Android that was asked for.
    var versions: [String: String]
    /// The step of Android's dispatch that decides for each version, and why.
    var decidedBy: [String: String]
    var package: String
    /// Is true if an Android application record on the tag starts the app.
    var byRecord: Bool
    /// How many bytes such a record would take; absent where the app is woken.
    var recordCost: Int?
    var findings: [Finding]
    /// What to put on the tag and into the app for all versions, a sentence each.
    var advice: [String]

    init(_ check: AppLinkCheck) {
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
  init?(_ check: LinkCheck?, android: AppLinkCheck?) {
    guard check != nil || android != nil else { return nil }
    url = check?.uri ?? android?.uri
    self.android = android.map(AndroidVerdict.init)
    guard let check else { return }
    iphone = Verdict(
      wakesApp: check.wakesApp, opens: check.opens.rawValue, appIDs: check.appIDs,
      findings: check.findings.map(Finding.init))
  }
}
