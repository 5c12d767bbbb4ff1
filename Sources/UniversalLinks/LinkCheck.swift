import NDEF
import WebAddress

/// Whether a link on a tag wakes an app, what opens otherwise, and why.
///
/// It says what follows from the tag, the link and the domain's site association. Not to be seen
/// from there: whether the app is installed and has the domain in its entitlement, whether the user
/// switched the domain off, and whether Apple's CDN still hands out an older file.
public struct LinkCheck: Hashable, Sendable {
  /// What opens when the notification is tapped.
  public enum Opener: String, Hashable, Sendable {
    case app, appClip, browser, system, nothing
  }

  /// The domain's site association, as far as it could be had.
  public struct Association: Sendable {
    /// The host that the file is from; nil when that is not known.
    public let host: String?
    /// By the file; nil where it is so broken or so large that iOS takes nothing from it.
    let matcher: Matcher?
    let findings: [Finding]

    /// By the file that Apple's CDN still hands out, where it is another one.
    let cached: Matcher?

    /// A file as it was fetched from `host`, or from somewhere else on its behalf.
    ///
    /// `findings`: what was odd about getting it. `cached`: what Apple's CDN hands out meanwhile.
    public init(
      parsing bytes: some Sequence<UInt8>, host: String? = nil, findings: [Finding] = [],
      cached: [UInt8]? = nil
    ) {
      let bytes = Array(bytes)
      self.host = host
      let file = try? SiteAssociation(parsing: bytes)
      let isUsable = file.map { $0.document.byteCount <= SiteAssociation.byteLimit } ?? false
      matcher = isUsable ? file.map(Matcher.init) : nil
      self.findings = findings + Lint.findings(parsing: bytes)
      self.cached = cached.flatMap { try? SiteAssociation(parsing: $0) }.map(Matcher.init)
    }

    /// There is no file that iOS would take. `reason`: whole sentences that say why, such as that
    /// the server redirects; `findings`: the same in its parts.
    public init(unavailable reason: String, host: String? = nil, findings: [Finding] = []) {
      self.host = host
      matcher = nil
      self.findings = findings + [Finding(.unusableAssociation, .siteAssociation, reason)]
      cached = nil
    }
  }

  /// The URI that was checked, as written; nil when the tag has none.
  public let uri: String?
  public private(set) var opens: Opener
  /// The apps that are woken: of those asked for, or all that the file names when none was. For
  /// an App Clip, the clips.
  public private(set) var appIDs: [String] = []
  /// The verdicts for the apps asked for; when none was, for the one that decides.
  public private(set) var verdicts: [Verdict] = []
  /// Everything that is wrong, or may be: of the tag, the link, the file and all together.
  public private(set) var findings: [Finding]

  /// Whether an app is woken. Without a site association this is false, with the finding
  /// `aasa-not-checked`: a link is called one that wakes an app only when that is shown.
  public var wakesApp: Bool { opens == .app }

  /// The verdict that settles what opens; nil when no rule does.
  public var decidedBy: Verdict? {
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
    guard opens == .browser, let link = reading.link, let host = link.host else { return }
    let isSound = !findings.contains { $0.severity == .error }
    let isEntitled = judge(entitlement, host: host)
    guard let association else {
      report(
        .associationNotChecked, .siteAssociation,
        """
        No site association was looked at, so it is not known whether an app opens this link. \
        Give the file or the address of \(host)'s.
        """)
      return
    }
    findings += association.findings
    guard judge(association, host: host), let matcher = association.matcher else { return }
    decide(link, matcher, asked: appIDs, mayWake: isSound && isEntitled)
    if let cached = association.cached { compare(matcher, cached, link, asked: appIDs) }
  }

  private mutating func report(_ code: Finding.Code, _ place: Finding.Place, _ message: String) {
    findings.append(Finding(code, place, message))
  }
}

// MARK: Steps

extension LinkCheck {
  /// Whether a known entitlement has the host.
  private mutating func judge(_ entitlement: [String]?, host: String) -> Bool {
    guard let entitlement else { return true }
    for line in entitlement where AssociatedDomain(line) == nil {
      report(
        .entitlementMalformed, .entitlement,
        """
        \(JSONText.quoted(line)) is no associated domain: service, colon and host, without scheme, \
        path and port, as in applinks:example.com or applinks:*.example.com.
        """)
    }
    let domains = entitlement.compactMap { AssociatedDomain($0) }
    if domains.contains(where: { $0.service == "applinks" && $0.covers(host: host) }) {
      return true
    }
    let isBareDomain = domains.contains { $0.isWildcard && $0.host == host }
    report(
      .notEntitled, .entitlement,
      """
      The app's entitlement does not have \(host), so the app gets no links of it. Add \
      applinks:\(host)\(isBareDomain ? "; the *. form is for sub-domains only" : "").
      """)
    return false
  }

  /// Whether the file is of the host.
  private mutating func judge(_ association: Association, host: String) -> Bool {
    guard let other = association.host.map({ (try? DomainName.ascii($0)) ?? $0 }), other != host
    else { return true }
    report(
      .otherHost, .siteAssociation,
      """
      The site association is from \(other), the link is to \(host). Each host needs its own, \
      sub-domains too.
      """)
    return false
  }

  private mutating func decide(
    _ link: Address, _ matcher: Matcher, asked: [String], mayWake: Bool
  ) {
    let file = matcher.association
    let claims = matcher.claims(link).map(\.appID)
    let deciding = asked.isEmpty ? Array((claims.isEmpty ? file.appIDs : claims).prefix(1)) : asked
    verdicts = deciding.map { matcher.verdict(link, for: $0) }
    let woken = asked.isEmpty ? claims : asked.filter(claims.contains)
    if !woken.isEmpty {
      if mayWake { (opens, appIDs) = (.app, woken) }
    }
    if asked.isEmpty {
      explainClaims(claims, of: file, link)
    } else {
      for verdict in verdicts { explain(verdict) }
      if woken.isEmpty, let other = claims.first {
        report(
          .otherAppClaims, .siteAssociation,
          "Where \(other) is installed, this link opens that app.")
      }
    }
    if woken.isEmpty { offerAppClip(file, asked: asked, mayWake: mayWake) }
  }

  /// Whether the link wakes the same apps by the file that devices get meanwhile.
  private mutating func compare(
    _ file: Matcher, _ cached: Matcher, _ link: Address, asked: [String]
  ) {
    func woken(_ matcher: Matcher) -> [String] {
      let claims = matcher.claims(link).map(\.appID)
      return asked.isEmpty ? claims : asked.filter(claims.contains)
    }
    let now = woken(cached)
    guard now != woken(file) else { return }
    let effect = now.isEmpty ? "the link wakes no app" : "it wakes \(now.joined(separator: ", "))"
    report(
      .cdnDecidesOtherwise, .siteAssociation,
      """
      By the file that Apple's CDN hands out, \(effect). Devices go by that one until the CDN has \
      asked the site anew, within a day, and they the CDN, within a week or when the app is installed.
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
        \(verdicts.first.map { "\($0)" } ?? "The file names no app under applinks.")
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
      let last = verdict.steps.last.map { " The last of them: \($0)." } ?? ""
      report(.unmatched, .siteAssociation, "\(verdict)\(last)")
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
