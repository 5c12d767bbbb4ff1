extension LinkCheck {
  /// The domain's site association, as far as it could be had.
  public struct Association: Sendable {
    /// The host that the file is from; nil when that is not known.
    public let host: String?
    /// By the file; nil where it is so broken or so large that iOS takes nothing from it.
    let matcher: Matcher?
    let findings: [Finding]
    /// By the site's own file, where devices get another one from Apple's CDN, or none.
    let site: Matcher?
    /// By the file, read in other ways where Apple documents none.
    let otherReadings: [(matcher: Matcher, doubts: [Undocumented])]
    /// Is true if http links count, which Apple's documents name and nobody has shown to work.
    package var countsHTTP = false
    /// Is true if it is not known what devices get: the CDN could not be asked.
    private(set) var isUnknown = false
    /// Is true if somebody who asks again later may be told.
    private(set) var mayBeKnownLater = false
    /// Is true if somebody answers for it that the file is at its host. One that was merely handed
    /// over is for no host.
    package var isPlaced = true
    /// Is true if it is to be taken for granted that the file is at the link's host.
    package var isAssumed = false
    /// Is true if app IDs count that stand in documentation for one's own, as in a rehearsal where
    /// no app exists yet.
    package var countsPlaceholders = false

    /// The file that devices get for `host`.
    ///
    /// `findings`: what was odd about getting it. `site`: what the site itself serves, where that
    /// is another one.
    public init(
      parsing bytes: some Sequence<UInt8>, host: String? = nil, findings: [Finding] = [],
      site: [UInt8]? = nil
    ) {
      let bytes = Array(bytes)
      self.host = host
      matcher = Self.matcher(bytes)
      otherReadings = matcher?.otherReadings ?? []
      self.findings = findings + Lint.findings(parsing: bytes)
      self.site = site.flatMap(Self.matcher)
    }

    /// There is no file that iOS would take. `reason`: whole sentences that say why, such as that
    /// the CDN refused it; `findings`: the same in its parts.
    public init(
      unavailable reason: String, host: String? = nil, findings: [Finding] = [],
      site: [UInt8]? = nil
    ) {
      self.host = host
      (matcher, otherReadings) = (nil, [])
      self.findings = findings + [Finding(.unusableAssociation, .siteAssociation, reason)]
      self.site = site.flatMap(Self.matcher)
    }

    /// Makes a check for which it is not known what devices get; `site`: what the site itself
    /// serves. Nothing is woken by it, but what it does not claim is claimed by nobody.
    public init(unknown findings: [Finding], host: String, site: [UInt8]?) {
      self.init(unknown: findings, host: host, site: site, mayBeKnownLater: true)
    }

    /// Does the same for a host that may not be known. `mayBeKnownLater`: another time may tell.
    package init(
      unknown findings: [Finding], host: String?, site: [UInt8]?, mayBeKnownLater: Bool
    ) {
      self.mayBeKnownLater = mayBeKnownLater
      self.host = host
      matcher = site.flatMap(Self.matcher)
      otherReadings = matcher?.otherReadings ?? []
      self.findings = findings + (site.map { Lint.findings(parsing: $0) } ?? [])
      self.site = nil
      isUnknown = true
    }

    /// All that a link is compared with.
    var matchers: [Matcher] {
      [matcher, site].compactMap(\.self) + otherReadings.map(\.matcher)
    }

    private static func matcher(_ bytes: [UInt8]) -> Matcher? {
      guard let file = try? SiteAssociation(parsing: bytes),
        file.document.byteCount <= SiteAssociation.byteLimit
      else { return nil }
      return Matcher(file)
    }
  }
}
