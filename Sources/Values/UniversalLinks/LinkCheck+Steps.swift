import NDEF
import WebAddress

/// How the parts of a check are judged, one after the other.
extension LinkCheck {
  /// Returns whether the file is the one that devices ask for when they meet the host.
  mutating func judge(
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
  mutating func withhold(mayBeKnownLater: Bool) {
    guard opens == .app || opens == .appClip else { return }
    (wouldWake, appIDs, opens, isUndecided) = (appIDs, [], .unknown, mayBeKnownLater)
  }

  /// A file that was handed over says nothing of where it is.
  mutating func place(_ association: Association, host: String) {
    guard opens == .app || opens == .appClip || opens == .browser else { return }
    let address = "https://\(host)/.well-known/apple-app-site-association"
    if association.isAssumed {
      report(
        .assumedAssociation, .siteAssociation,
        "It is assumed that this file is at \(address), and that devices get it from Apple's CDN.")
      return
    }
    (wouldWake, appIDs, opens) = (appIDs, [], .unknown)
    if wouldWake.isEmpty {
      standBeside([.unmatched, .excluded, .noAppClaims, .appNotListed, .unusableAssociation])
    }
    let effect =
      wouldWake.isEmpty ? "wake no app" : "wake \(wouldWake.joined(separator: ", "))"
    report(
      .unplacedAssociation, .siteAssociation,
      """
      The link would \(effect) if this file were at \(address). Nothing says that it \
      is: name the domain that serves it, or the line of the app's entitlement that has \(host).
      """)
  }

  mutating func decide(
    _ link: Address, _ matcher: Matcher, asked: [String], mayWake: Bool, countsPlaceholders: Bool
  ) {
    let file = matcher.association
    let claims = matcher.matches(link).map(\.appID)
    let deciding = asked.isEmpty ? Array((claims.isEmpty ? file.appIDs : claims).prefix(1)) : asked
    verdicts = deciding.map { matcher.verdict(link, for: $0) }
    // The rule that decides looks at the fragment.
    if verdicts.contains(where: { $0.decidedBy?.fragmentPattern != nil }) {
      findings.removeAll { $0.code == .fragmentNeedsRule }
    }
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

  /// Notes whether the answer is another where file or link are read in another way than here, and
  /// Apple documents neither.
  mutating func weigh(
    _ association: Association, _ matcher: Matcher, _ link: Address, asked: [String]
  ) {
    func woken(_ matcher: Matcher, _ link: Address) -> [String] {
      let claims = matcher.matches(link).map(\.appID)
      return asked.isEmpty ? claims : asked.filter(claims.contains)
    }
    let here = woken(matcher, link)
    var others: [(woken: [String], doubts: [Undocumented])] = []
    let links = LinkReading.all(of: link)
    for (file, fileDoubts) in [(matcher, [])] + association.otherReadings {
      for (link, doubts) in links where !(fileDoubts + doubts).isEmpty {
        others.append((woken(file, link), fileDoubts + doubts))
      }
    }
    let different = others.filter { $0.woken != here }
    guard let other = different.min(by: { $0.doubts.count < $1.doubts.count }) else { return }
    let woken = here.isEmpty ? other.woken : here
    let questions = Set(
      different.filter { $0.doubts.count == other.doubts.count }.flatMap(\.doubts))
    report(
      .restsOnUndocumented, .siteAssociation,
      """
      Whether \(woken.joined(separator: ", ")) opens the link hangs on what Apple does not document: \
      \(questions.sorted { $0.rawValue < $1.rawValue }.map(\.text).joined(separator: "; ")).
      """)
    guard here.isEmpty, opens == .browser || opens == .appClip else { return }
    (wouldWake, appIDs, opens) = (other.woken, [], .unknown)
    // The rules' own reasons hold for one reading alone.
    standBeside([.unmatched, .excluded, .noAppClaims])
  }

  /// What the answer does not depend on any more.
  private mutating func standBeside(_ codes: Set<Finding.Code>) {
    findings = findings.map { codes.contains($0.code) ? $0.beside : $0 }
  }

  /// Notes whether the link wakes the same apps by the site's own file, where devices get another
  /// one, or none.
  mutating func compare(
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

  mutating func explainClaims(
    _ claims: [String], of file: SiteAssociation, _ link: Address
  ) {
    if claims.isEmpty {
      report(
        .noAppClaims, .siteAssociation,
        """
        No app of the site association claims \(link)\(file.appClips.isEmpty ? ", so it opens in the browser" : ""). \
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

  mutating func explain(_ verdict: Verdict) {
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
  mutating func offerAppClip(_ file: SiteAssociation, asked: [String], mayWake: Bool) {
    let named = asked.filter(file.appClips.contains)
    let clips = named.isEmpty ? file.appClips : named
    guard !clips.isEmpty, mayWake else { return }
    // Of an app that was asked for, it is a remark.
    if asked.isEmpty || !named.isEmpty {
      (opens, appIDs) = (.appClip, clips)
      standBeside([.noAppClaims, .appNotListed, .unmatched, .excluded])
    }
    report(
      .appClipOnly, .siteAssociation,
      """
      The link may offer the App Clip \(clips[0]), provided that it is registered as an App Clip \
      experience in App Store Connect. That does not wake the full app.
      """)
  }
}
