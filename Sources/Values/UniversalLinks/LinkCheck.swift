import NDEF
import WebAddress

/// A check says whether a link on a tag wakes an app, what opens otherwise, and why.
///
/// It says what follows from the tag, the link and the site association that devices get. Not to be
/// seen from there: whether the app is installed and has the domain in its entitlement, and whether
/// the user switched the domain off.
public struct LinkCheck: Hashable, Sendable {
  /// An opener is what opens when the notification is tapped.
  public enum Opener: String, Hashable, Sendable {
    /// The app that claims the link.
    case app
    /// An App Clip.
    case appClip
    /// The browser.
    case browser
    /// An app of the system, such as Phone for `tel:`.
    case system
    /// Nothing.
    case nothing
    /// Nothing was looked at that would tell, or what was looked at does not tell.
    case unknown
  }

  /// The URI that was checked, as written; nil when the tag has none.
  public internal(set) var uri: String?
  /// This opener opens the link on an iPhone.
  public internal(set) var opens: Opener
  /// The apps that are woken: of those asked for, or all that the file names when none was. For
  /// an App Clip, the clips.
  public internal(set) var appIDs: [String] = []
  /// The verdicts for the apps asked for; when none was, for the one that decides.
  package internal(set) var verdicts: [Verdict] = []
  /// Everything that is wrong, or may be: of the tag, the link, the file and all together.
  public internal(set) var findings: [Finding]

  /// The apps that would be woken if the file that was handed over were at the link's host; nothing
  /// says that it is.
  package internal(set) var wouldWake: [String] = []
  /// Is true if it could not be found out whether devices get a file at all: asked again later, the
  /// answer may be another.
  public internal(set) var isUndecided = false

  /// What follows from all of it.
  package var conclusion: Conclusion {
    Conclusion(opens == .app ? .yes : opens == .unknown ? .notKnown : .no, findings)
  }

  /// Is true if it is shown that an app is woken. Without a site association this is false, with
  /// the finding `aasa-not-checked`.
  public var wakesApp: Bool { conclusion.isYes }

  /// This is the check where nobody asked about iPhones: the answer depends on none of its
  /// findings.
  package var beside: LinkCheck {
    var check = self
    check.findings = findings.map(\.beside)
    return check
  }

  /// The verdict that settles what opens; nil when no rule does.
  package var decidedBy: Verdict? {
    verdicts.first { $0.outcome == .matched } ?? verdicts.first { $0.decidedBy != nil }
  }

  /// Checks a link as if it stood alone on a tag.
  public init(
    url: String, association: Association?, appIDs: [String] = [], entitlement: [String]? = nil
  ) {
    self.init(
      BackgroundReading(uri: url), association: association, appIDs: appIDs,
      entitlement: entitlement)
  }

  /// Checks a tag. `appIDs`: the apps that are to be woken, any when empty. `entitlement`: the
  /// lines of the app's Associated Domains, when they are known.
  public init(
    _ reading: BackgroundReading, association: Association?, appIDs: [String] = [],
    entitlement: [String]? = nil
  ) {
    uri = reading.uri
    findings = reading.findings
    switch reading.handler {
    case nil: opens = .nothing
    case .system: opens = .system
    case .webLink: opens = .browser
    }
    // Wrong whatever is on the tag.
    defer {
      reportFaults(of: appIDs)
      if association?.countsPlaceholders ?? false {
        findings = findings.map { $0.code == .appIDPlaceholder ? $0.beside : $0 }
      }
      settle()
    }
    guard opens == .browser, let link = reading.link, let host = link.host else { return }
    if let clip = Self.defaultClip(of: link) {
      offerDefaultClip(clip)
      return
    }
    let isSound = !findings.contains { $0.severity == .error }
    if let name = ShortLinks.service(of: host) {
      report(
        .shortLink, .url,
        """
        \(host) is \(name), which redirects. A phone that follows a redirect is in the browser already and opens no \
        app: put the address that it leads to on the tag.
        """)
    }
    for appID in appIDs {
      if let part = AppID.placeholder(in: appID) {
        report(.appIDPlaceholder, .appID, AppID.Fault.placeholder(part).message(for: appID))
      }
    }
    let entitling = Entitling(entitlement, host: host)
    // One line that has the host is enough.
    findings += entitling.findings.map {
      entitling.excludesHost || $0.code == .entitlementMode ? $0 : $0.beside
    }
    guard let association else {
      opens = entitling.excludesHost ? .browser : .unknown
      report(
        .associationNotChecked, .siteAssociation,
        """
        No site association was checked, so it is not known whether an app opens this link. \
        Give the file or the address of \(host)'s.
        """)
      return
    }
    // Of a file that can be used the rules decide, and what is wrong elsewhere in it does not.
    findings +=
      association.matcher == nil ? association.findings : association.findings.map(\.beside)
    if association.countsHTTP { findings = findings.map { $0.code == .httpLink ? $0.beside : $0 } }
    guard judge(association, host: host, entitling) else {
      opens = entitling.excludesHost ? .browser : .unknown
      return
    }
    guard let matcher = association.matcher else {
      if !entitling.excludesHost {
        if association.isUnknown {
          (opens, isUndecided) = (.unknown, association.mayBeKnownLater)
        } else if !association.isPlaced, !entitling.isKnown {
          place(association, host: host)
        }
      }
      compare(nil, with: association, link, asked: appIDs)
      return
    }
    decide(
      link, matcher, asked: appIDs, mayWake: isSound && !entitling.excludesHost,
      countsPlaceholders: association.countsPlaceholders)
    if isSound, !entitling.excludesHost { weigh(association, matcher, link, asked: appIDs) }
    if association.isUnknown { withhold(mayBeKnownLater: association.mayBeKnownLater) }
    if !association.isPlaced, !entitling.isKnown { place(association, host: host) }
    compare(matcher, with: association, link, asked: appIDs)
  }

  /// What is wrong with the app IDs that were asked for, unless a verdict has said it.
  mutating func reportFaults(of appIDs: [String]) {
    for appID in appIDs {
      for fault in AppID.faults(in: appID) {
        let message = fault.message(for: appID)
        if findings.contains(where: { $0.message.contains(message) }) { continue }
        report(fault.code, .appID, message)
      }
    }
    // One of several apps is enough: what is wrong with the others leaves the answer.
    guard opens == .app, appIDs.count > self.appIDs.count else { return }
    let alternatives: Set<Finding.Code> = [.appNotListed, .unmatched, .excluded]
    findings = findings.map {
      $0.place == .appID || alternatives.contains($0.code) ? $0.beside : $0
    }
  }

  /// Adds what was found out about the link beside all this, such as that it redirects.
  package mutating func add(_ more: [Finding]) {
    findings += more
    settle()
  }

  /// Says of an app that it would be woken where the findings do not allow more.
  private mutating func settle() {
    guard opens == .app, !wakesApp else { return }
    (wouldWake, appIDs, opens) = (appIDs, [], .unknown)
  }

  mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ message: String) {
    findings.append(Finding(code, place, message))
  }
}
