import AppLinks
import JSON
import UniversalLinks

/// What a link on a tag does: `check-link`.
struct LinkCheckJSON: OutputDocument {
  /// The rule that settles it.
  struct Rule: Encodable {
    var appID: String
    /// Where it stands in the file, as a JSON path, and on which line.
    var path: String
    var line: Int
    var rule: String
    var exclude: Bool
    var message: String
    /// A sentence for each rule before it.
    var tried: [String]

    init?(_ verdict: Verdict) {
      guard let rule = verdict.decidedBy else { return nil }
      (appID, path, line) = (verdict.appID, "\(rule.path)", rule.position.line)
      (self.rule, exclude) = ("\(rule)", rule.isExclusion)
      (message, tried) = ("\(verdict)", verdict.steps.dropLast().map { "\($0)" })
    }
  }

  /// The verdict for the iPhone beside that for Android.
  struct PhoneVerdict: Encodable {
    var wakesApp: Bool
    var opens: String
  }

  /// The tag that it was read from.
  var uid: String?
  var tag: String?
  var url: String?
  /// Is true if it is shown that an app is woken.
  var wakesApp: Bool
  /// `app`, `appClip`, `browser`, `system`, `nothing` or `unknown`.
  var opens: String
  /// The apps or App Clips that open it.
  var appIDs: [String]
  /// Where `opens` is `unknown`: the apps that would be woken if the file that was given were at
  /// the link's host, or devices got it.
  var wouldWake: [String]?
  var decidedBy: Rule?
  var findings: [LinkJSON.Finding]
  var iphone: PhoneVerdict?
  var android: LinkJSON.AndroidVerdict?

  init(
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
