import UniversalLinks

/// What the places of a domain's site association hold: both of the site, and Apple's CDN.
///
/// iOS before 14 and devices in developer mode ask the site, `.well-known` first; others ask the
/// CDN, which asks the site. developer.apple.com, Supporting associated domains.
package struct SiteFetch: Sendable {
  package let domain: String
  let wellKnown: Result<Download, FetchError>
  let root: Result<Download, FetchError>
  let cdn: Result<Download, FetchError>

  /// Where a file may be.
  enum Place: CaseIterable {
    case wellKnown, root, cdn

    static let cdnHost = "app-site-association.cdn-apple.com"
    static let name = "apple-app-site-association"

    func address(of domain: String) -> (host: String, path: String) {
      switch self {
      case .wellKnown: (domain, "/.well-known/" + Self.name)
      case .root: (domain, "/" + Self.name)
      case .cdn: (Self.cdnHost, "/a/v1/" + domain)
      }
    }
  }

  /// The site's own file; iOS takes the one in `.well-known` where there is one.
  private var site: Download? { (try? wellKnown.get()) ?? (try? root.get()) }

  /// The file to repair where something is wrong with it: the site's, else the CDN's. Nil when
  /// there is none.
  package var bytes: [UInt8]? { (site ?? (try? cdn.get()))?.bytes }

  /// For `LinkCheck`: what devices get. They ask the CDN alone (TN3155), so its answer decides, and
  /// one that could not be had is not known; with `trustingSite` the site's own file decides.
  package func association(trustingSite: Bool = false) -> LinkCheck.Association {
    if trustingSite, let site {
      return LinkCheck.Association(
        parsing: site.bytes, host: domain, findings: [Self.siteTrusted] + findings)
    }
    switch cdn {
    case .success(let file):
      let other = site.flatMap { SiteAssociation.means(file.bytes, $0.bytes) ? nil : $0.bytes }
      return LinkCheck.Association(
        parsing: file.bytes, host: domain, findings: findings, site: other)
    case .failure(let failure) where failure.isAbsence:
      return LinkCheck.Association(
        unavailable: """
          Apple's CDN has no site association of \(domain), so devices get none and no link of it \
          opens an app\(site == nil ? "" : ", even if the site serves one").
          """,
        host: domain, findings: findings, site: site?.bytes)
    case .failure:
      if isFinallyAbsent {
        return LinkCheck.Association(
          unavailable:
            "No site association of \(domain) is available, so no link of it opens an app.",
          host: domain, findings: findings)
      }
      return LinkCheck.Association(unknown: findings, host: domain, site: site?.bytes)
    }
  }

  /// Is true if no device can get a file of the site itself, at either place, at another time
  /// either.
  private var isFinallyAbsent: Bool {
    guard case .failure(let first) = wellKnown, case .failure(let second) = root else {
      return false
    }
    return first.isFinal && second.isFinal
  }

  private static let siteTrusted = Finding(
    .siteTrusted, .siteAssociation,
    """
    The site's own file is trusted. Devices use the file of Apple's CDN, which may be different or \
    none.
    """)

  /// What is wrong with the servers' answers; what is in the file is `Lint`'s.
  package var findings: [Finding] { siteFindings + cdnFindings }

  private var siteFindings: [Finding] {
    switch (wellKnown, root) {
    case (.success(let file), .success(let other)):
      let differ =
        SiteAssociation.means(file.bytes, other.bytes)
        ? [] : [finding(.wellKnown, .placesDiffer, Self.placesDiffer)]
      return typeFindings(file, .wellKnown) + differ
    case (.success(let file), .failure): return typeFindings(file, .wellKnown)
    case (.failure(let failure), .success(let file)):
      let first =
        failure.isAbsence
        ? finding(.wellKnown, .onlyAtRoot, Self.onlyAtRoot)
        : finding(.wellKnown, failure.code, failure.description)
      return [first] + typeFindings(file, .root)
    case (.failure(let failure), .failure(let other)):
      // One fault of the whole server is told once.
      let first = finding(.wellKnown, failure.code, failure.description)
      return failure == other
        ? [first] : [first, finding(.root, other.code, other.description)]
    }
  }

  private var cdnFindings: [Finding] {
    switch cdn {
    case .success(let file):
      guard let site, !SiteAssociation.means(site.bytes, file.bytes) else { return [] }
      return [finding(.cdn, .cdnDiffers, Self.cdnDiffers)]
    case .failure(let failure) where failure.isAbsence:
      if case .refusedByCDN = failure {
        return [finding(.cdn, .cdnRefused, failure.description)]
      }
      return [finding(.cdn, .cdnWithout, Self.cdnWithout)]
    case .failure(let failure):
      let consequence = "Apple's CDN did not answer, so it is not known which file devices get."
      return [finding(.cdn, .cdnNotCompared, "\(consequence) \(failure)")]
    }
  }

  private func typeFindings(_ file: Download, _ place: Place) -> [Finding] {
    let (host, path) = place.address(of: domain)
    return file.contentTypeFinding(at: "https://\(host)\(path)").map { [$0] } ?? []
  }

  private func finding(_ place: Place, _ code: Finding.Code, _ message: String) -> Finding {
    let (host, path) = place.address(of: domain)
    return Finding(code, .address("https://\(host)\(path)"), message)
  }

  private static let placesDiffer = """
    The file at the root is different. iOS uses this one if it looks here first, older tools use the \
    other: make them the same, or remove the one at the root.
    """
  private static let onlyAtRoot = """
    The file is at the root of the site only. iOS looks here first: move it.
    """
  private static let cdnDiffers = """
    Apple's CDN serves a different file than the site, and devices use the CDN's. It fetches the site's file \
    again within a day, and devices ask the CDN about once a week: wait, then check again.
    """
  private static let cdnWithout = """
    Apple's CDN has no file for the domain, so devices get none yet. It asks the site within a day of the \
    first device's request; everyone must be able to read the file on its server.
    """
}
