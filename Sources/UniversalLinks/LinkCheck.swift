import NDEF
import WebAddress

/// Whether a link on a tag wakes an app, what opens otherwise, and why.
///
/// It says what follows from the tag, the link and the site association that devices get. Not to be
/// seen from there: whether the app is installed and has the domain in its entitlement, and whether
/// the user switched the domain off.
public struct LinkCheck: Hashable, Sendable {
  /// What opens when the notification is tapped.
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
  public let uri: String?
  /// What opens the link on an iPhone.
  public private(set) var opens: Opener
  /// The apps that are woken: of those asked for, or all that the file names when none was. For
  /// an App Clip, the clips.
  public private(set) var appIDs: [String] = []
  /// The verdicts for the apps asked for; when none was, for the one that decides.
  package private(set) var verdicts: [Verdict] = []
  /// Everything that is wrong, or may be: of the tag, the link, the file and all together.
  public private(set) var findings: [Finding]

  /// The apps that would be woken if the file that was handed over were at the link's host; nothing
  /// says that it is.
  package private(set) var wouldWake: [String] = []
  /// Whether devices get a file at all could not be found out: asked again later, the answer may be
  /// another.
  public private(set) var isUndecided = false

  /// Whether it is shown that an app is woken. Without a site association this is false, with the
  /// finding `aasa-not-checked`.
  public var wakesApp: Bool { opens == .app }

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
    defer { reportFaults(of: appIDs) }
    guard opens == .browser, let link = reading.link, let host = link.host else { return }
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
    findings += entitling.findings
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
    findings += association.findings
    guard judge(association, host: host, entitling) else {
      opens = entitling.excludesHost ? .browser : .unknown
      return
    }
    guard let matcher = association.matcher else {
      if association.isUnknown, !entitling.excludesHost { (opens, isUndecided) = (.unknown, true) }
      compare(nil, with: association, link, asked: appIDs)
      return
    }
    decide(
      link, matcher, asked: appIDs, mayWake: isSound && !entitling.excludesHost,
      countsPlaceholders: association.countsPlaceholders)
    if association.isUnknown { withhold(host: host) }
    if !association.isPlaced, !entitling.isKnown { place(association, host: host) }
    compare(matcher, with: association, link, asked: appIDs)
  }

  /// What is wrong with the app IDs that were asked for, unless a verdict has said it.
  private mutating func reportFaults(of appIDs: [String]) {
    for appID in appIDs {
      for fault in AppID.faults(in: appID) {
        let message = fault.message(for: appID)
        if findings.contains(where: { $0.message.contains(message) }) { continue }
        report(fault.code, .appID, message)
      }
    }
  }

  /// Adds what was found out about the link beside all this, such as that it redirects.
  package mutating func add(_ more: [Finding]) { findings += more }

  private mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ message: String) {
    findings.append(Finding(code, place, message))
  }
}

// MARK: Steps

extension LinkCheck {
  /// Whether the file is the one that devices ask for when they meet the host.
  private mutating func judge(
    _ association: Association, host: String, _ entitling: Entitling
  ) -> Bool {
    guard let other = association.host.map({ (try? DomainName.ascii($0)) ?? $0 }),
      !entitling.fileHosts.contains(other)
    else { return true }
    let wildcard = entitling.fileHosts.first { $0 != host }
    let advice =
      if let wildcard {
        """
        By *.\(wildcard) in the entitlement, devices take the file of \(wildcard) for all its sub-domains \
        (Apple, TN3155).
        """
      } else if host.hasSuffix("." + other), !entitling.isKnown {
        """
        Each host needs its own, unless the app's entitlement has *.\(other): then that file serves \
        every sub-domain.
        """
      } else {
        "Each host needs its own, sub-domains too."
      }
    report(
      .otherHost, .siteAssociation,
      "The site association is from \(other), the link is to \(host). \(advice)")
    return false
  }

  /// The site's file would let an app open the link, and whether devices get it is not known.
  private mutating func withhold(host: String) {
    guard opens == .app || opens == .appClip else { return }
    (wouldWake, appIDs, opens, isUndecided) = (appIDs, [], .unknown, true)
  }

  /// A file that was handed over says nothing of where it is.
  private mutating func place(_ association: Association, host: String) {
    guard opens == .app || opens == .appClip else { return }
    let address = "https://\(host)/.well-known/apple-app-site-association"
    if association.isAssumed {
      report(
        .assumedAssociation, .siteAssociation,
        "It is assumed that this file is at \(address), and that devices get it from Apple's CDN.")
      return
    }
    (wouldWake, appIDs, opens) = (appIDs, [], .unknown)
    report(
      .unplacedAssociation, .siteAssociation,
      """
      The link would wake \(wouldWake.joined(separator: ", ")) if this file were at \(address). Nothing says that it \
      is: name the domain that serves it, or the line of the app's entitlement that has \(host).
      """)
  }

  private mutating func decide(
    _ link: Address, _ matcher: Matcher, asked: [String], mayWake: Bool, countsPlaceholders: Bool
  ) {
    let file = matcher.association
    let claims = matcher.matches(link).map(\.appID)
    let deciding = asked.isEmpty ? Array((claims.isEmpty ? file.appIDs : claims).prefix(1)) : asked
    verdicts = deciding.map { matcher.verdict(link, for: $0) }
    let named = asked.isEmpty ? claims : asked.filter(claims.contains)
    let woken = named.filter { countsPlaceholders || AppID.placeholder(in: $0) == nil }
    if !woken.isEmpty {
      if mayWake { (opens, appIDs) = (.app, woken) }
    }
    if asked.isEmpty {
      explainClaims(claims, of: file, link)
    } else {
      for verdict in verdicts { explain(verdict) }
      if named.isEmpty, let other = claims.first {
        report(
          .otherAppClaims, .siteAssociation,
          "Where \(other) is installed, this link opens that app.")
      }
    }
    if named.isEmpty { offerAppClip(file, asked: asked, mayWake: mayWake) }
  }

  /// Whether the link wakes the same apps by the site's own file, where devices get another one, or
  /// none.
  private mutating func compare(
    _ file: Matcher?, with association: Association, _ link: Address, asked: [String]
  ) {
    guard let site = association.site else { return }
    func woken(_ matcher: Matcher) -> [String] {
      let claims = matcher.matches(link).map(\.appID)
      return asked.isEmpty ? claims : asked.filter(claims.contains)
    }
    let bySite = woken(site)
    guard bySite != (file.map(woken) ?? []) else { return }
    let effect =
      bySite.isEmpty ? "the link wakes no app" : "it wakes \(bySite.joined(separator: ", "))"
    let consequence =
      file != nil && bySite.isEmpty
      ? "the CDN fetches the site's file again within a day, and then devices get that one: change the site's file."
      : "the site's file counts after the CDN has fetched it and devices have asked the CDN, about once a week."
    report(
      .cdnDecidesOtherwise, .siteAssociation,
      """
      With the site's own file, \(effect). Devices use the file of Apple's CDN; \(consequence)
      """)
  }

  private mutating func explainClaims(
    _ claims: [String], of file: SiteAssociation, _ link: Address
  ) {
    if claims.isEmpty {
      report(
        .noAppClaims, .siteAssociation,
        """
        No app of the site association claims \(link), so it opens in the browser. \
        \(verdicts.first.map { "\($0)" } ?? "The file names no app under applinks.")\
        \(verdicts.first?.nearest.map { " The nearest of them: \($0)." } ?? "")
        """)
    } else if claims.count > 1 {
      report(
        .severalApps, .siteAssociation,
        """
        \(claims.count) apps claim this link: \(claims.prefix(5).joined(separator: ", "))\
        \(claims.count > 5 ? ", …" : ""). Where several are installed, the first opens it.
        """)
    }
  }

  private mutating func explain(_ verdict: Verdict) {
    switch verdict.outcome {
    case .matched: break
    case .excluded:
      let place = verdict.decidedBy.map { Finding.Place.json($0.path, $0.position) }
      report(.excluded, place ?? .siteAssociation, "\(verdict)")
    case .unmatched:
      let nearest = verdict.nearest.map { " The nearest of them: \($0)." } ?? ""
      report(.unmatched, .siteAssociation, "\(verdict)\(nearest)")
    case .appNotListed:
      // Mostly the bundle ID was asked for, without its prefix.
      let fault = AppID.faults(in: verdict.appID).first.map { " " + $0.message(for: verdict.appID) }
      report(.appNotListed, .siteAssociation, "\(verdict)\(fault ?? "")")
    }
  }

  /// An App Clip may be what opens when no app does.
  private mutating func offerAppClip(_ file: SiteAssociation, asked: [String], mayWake: Bool) {
    let clips = asked.isEmpty ? file.appClips : asked.filter(file.appClips.contains)
    guard !clips.isEmpty, mayWake else { return }
    (opens, appIDs) = (.appClip, clips)
    report(
      .appClipOnly, .siteAssociation,
      """
      The link may offer the App Clip \(clips[0]), provided that it is registered as an App Clip \
      experience in App Store Connect. That does not wake the full app.
      """)
  }
}
