import UniversalLinks

extension AppLinkCheck {
  /// Who serves an asset links file.
  package enum Server: Hashable, Sendable {
    case host(String)
    /// Nobody is known to serve it: it was handed over.
    case nobody
    /// It is taken for granted that the link's host does.
    case assumed
  }

  /// The asset links of the link's host, as far as they could be had.
  package enum Source: Sendable {
    /// Nobody asked for them.
    case notAsked
    case file(AssetLinks, of: Server, findings: [Finding])
    /// There is no file that Android would take; why, as findings.
    case unavailable([Finding])
    /// The server could not be asked, so it is not known what it has; why, as findings.
    case unreachable([Finding])

    /// A file as it was fetched or handed over; `findings`: what was odd about getting it.
    package init(
      parsing bytes: some Sequence<UInt8>, of server: Server = .assumed, findings: [Finding] = []
    ) {
      let bytes = Array(bytes)
      guard bytes.count <= AssetLinks.byteLimit else {
        self = .unavailable(findings + [AssetLinks.tooLarge(byteCount: bytes.count)])
        return
      }
      do throws(AppLinksError) {
        self = .file(try AssetLinks(parsing: bytes), of: server, findings: findings)
      } catch {
        self = .unavailable(findings + [AssetLinks.finding(for: error)])
      }
    }
  }
}

extension AppLinkCheck.Source {
  /// Returns what the site says of `link`.
  func vouching(
    for app: AndroidApp, _ link: AndroidURI?, _ manifest: AppManifest?
  ) -> Vouching {
    guard let link, let host = link.host else { return Vouching(truth: .no, findings: []) }
    switch self {
    case .notAsked:
      return Vouching(
        truth: .unknown,
        findings: [
          Finding(
            .assetLinksNotChecked, .assetLinks,
            "\(host)'s asset links were not checked, so it is not known whether \(app.packageName) may open its links. Give them."
          )
        ])
    case .unreachable(let reasons):
      // What went wrong says nothing of what the site has.
      return Vouching(truth: .unknown, findings: reasons.map(\.beside), isUndecided: true)
    case .unavailable(let reasons): return Vouching(truth: .no, findings: reasons)
    case .file(let file, let server, let odd):
      var vouching = file.vouching(for: app, link)
      vouching.findings = odd + vouching.findings
      if let doubt = server.doubt(host, manifest) {
        vouching.truth = vouching.truth & .unknown
        vouching.findings.append(doubt)
      }
      return vouching
    }
  }
}

extension AppLinkCheck.Server {
  /// Why a file of this server does not count for `host`; nil where it does.
  fileprivate func doubt(_ host: String, _ manifest: AppManifest?) -> Finding? {
    let hosts = manifest?.fileHosts(of: host) ?? [host]
    switch self {
    case .assumed: return nil
    case .host(let name) where hosts.contains(name): return nil
    case .host(let name):
      return Finding(
        .assetLinksOfOtherHost, .assetLinks,
        "The file is of \(name); what \(hosts.joined(separator: " or ")) serves is not known, and Android asks there."
      )
    case .nobody:
      return Finding(
        .assetLinksHandedOver, .assetLinks,
        """
        The file was given by hand. It counts only if \(hosts.joined(separator: " or ")) serves it as \(AssetLinks.path): \
        name the domain that does, or use auto to ask the host.
        """)
    }
  }
}
