import AppLinks
import UniversalLinks

/// What a link on a tag does: `check-link`.
package struct LinkCheckJSON: WireDocument {
  /// The rule that settles it.
  package struct Rule: Encodable {
    package var appID: String
    /// Where it stands in the file, as a JSON path, and on which line.
    package var path: String
    package var line: Int
    package var rule: String
    package var exclude: Bool
    package var message: String
    /// A sentence for each rule before it.
    package var tried: [String]

    package init?(_ verdict: Verdict) {
      guard let rule = verdict.decidedBy else { return nil }
      (appID, path, line) = (verdict.appID, "\(rule.path)", rule.position.line)
      (self.rule, exclude) = ("\(rule)", rule.isExclusion)
      (message, tried) = ("\(verdict)", verdict.steps.dropLast().map { "\($0)" })
    }
  }

  /// The verdict for the iPhone beside that for Android.
  package struct PhoneVerdict: Encodable {
    package var wakesApp: Bool
    package var opens: String
  }

  /// The tag that it was read from.
  package var uid: String?
  package var tag: String?
  package var url: String?
  /// Whether it is shown that an app is woken.
  package var wakesApp: Bool
  /// `app`, `appClip`, `browser`, `system`, `nothing` or `unknown`.
  package var opens: String
  /// The apps or App Clips that open it.
  package var appIDs: [String]
  /// Where `opens` is `unknown`: the apps that would be woken if the file that was given were at
  /// the link's host, or devices got it.
  package var wouldWake: [String]?
  package var decidedBy: Rule?
  package var findings: [LinkJSON.Finding]
  package var iphone: PhoneVerdict?
  package var android: LinkJSON.AndroidVerdict?

  package init(
    _ check: LinkCheck, android: AppLinkCheck? = nil, uid: String? = nil, tag: String? = nil
  ) {
    (self.uid, self.tag, url) = (uid, tag, check.uri)
    (wakesApp, opens, appIDs) = (check.wakesApp, check.opens.rawValue, check.appIDs)
    wouldWake = check.wouldWake.isEmpty ? nil : check.wouldWake
    decidedBy = check.decidedBy.flatMap(Rule.init)
    findings = check.findings.map(LinkJSON.Finding.init)
    self.android = android.map(LinkJSON.AndroidVerdict.init)
    iphone = android.map { _ in PhoneVerdict(wakesApp: check.wakesApp, opens: check.opens.rawValue)
    }
  }
}
