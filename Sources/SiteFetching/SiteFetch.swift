import UniversalLinks

/// What the places of a domain's site association hold: both of the site, and Apple's CDN.
///
/// iOS before 14 and devices in developer mode ask the site, `.well-known` first; others ask the CDN, which asks the
/// site. developer.apple.com, Supporting associated domains.
public struct SiteFetch: Sendable {
  public let domain: String
  let wellKnown: Result<Download, FetchFailure>
  let root: Result<Download, FetchFailure>
  let cdn: Result<Download, FetchFailure>

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

  /// The file that counts: the site's, else the CDN's. Nil when there is none.
  public var bytes: [UInt8]? { (site ?? (try? cdn.get()))?.bytes }

  /// For `LinkCheck`: the file, what was odd about getting it, and the CDN's where that says otherwise.
  public var association: LinkCheck.Association {
    guard let bytes else {
      return LinkCheck.Association(
        unavailable:
          "No site association of \(domain) is to be had, so no link of it opens an app.",
        host: domain, findings: findings)
    }
    let cached = (try? cdn.get())?.bytes
    return LinkCheck.Association(
      parsing: bytes, host: domain, findings: findings,
      cached: cached.flatMap { SiteAssociation.means(bytes, $0) ? nil : $0 })
  }

  /// What is wrong with the servers' answers; what is in the file is `Lint`'s.
  public var findings: [Finding] { siteFindings + cdnFindings }

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
      return [finding(.cdn, .cdnWithout, Self.cdnWithout)]
    case .failure(let failure):
      return [finding(.cdn, .cdnNotCompared, "Apple's CDN was not compared. \(failure)")]
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
    The file at the root is another one. iOS takes this one where it looks here first, older tools the \
    other: make them the same, or leave out the one at the root.
    """
  private static let onlyAtRoot = """
    The file is at the root of the site only. iOS looks here first: move it.
    """
  private static let cdnDiffers = """
    Apple's CDN hands out another file than the site. It asks the site anew within a day, devices ask \
    the CDN about once a week: wait, then check again.
    """
  private static let cdnWithout = """
    Apple's CDN has no file for the domain, so devices get none yet. It asks the site within a day of the \
    first device's question; its server must be open to everybody.
    """
}
