import NDEF
import SiteFetching
import UniversalLinks

/// What links are held to: a site association, the apps that are to be woken, their entitlement.
package struct LinkPolicy: Sendable {
  package enum Association: Sendable {
    /// Nil when none was named.
    case known(LinkCheck.Association?)
    /// To be fetched from the host of the link.
    case ofLinkHost(Network, trustingSite: Bool)
  }

  package let association: Association
  package let appIDs: [String]
  package let entitlement: [String]?
  private let countsHTTP: Bool
  /// Is true if the network was allowed: then the link's site may be asked whether it redirects.
  package var mayAskTheSite = false
  private let environment: Environment

  /// What a link is held to, as a person gives it.
  package struct Settings: Sendable {
    /// The apps that are to be woken, such as Q7K2M9P4ZX.com.example.app; without any: whichever
    /// app it is.
    package var appIDs: [String] = []
    /// Lines of the app's Associated Domains; nil: not known.
    package var entitlement: [String]?
    /// The domain that will serve a file that was handed over.
    package var domain: String?
    /// Is true if a file that was handed over counts as served by the link's host.
    package var isAssumedServed = false
    /// Is true if the site's own file counts, and not what Apple's CDN gives devices.
    package var trustsSite = false
    /// Is true if http links count.
    package var countsHTTP = false

    package init() {}
  }

  /// Reads or fetches the site association, where it can be had before the link is known; nil
  /// `source`: nobody named one.
  ///
  /// Fails with `noInput`, and for a domain that is none with `badInput`; a file that cannot be
  /// fetched is no failure, the checks say so.
  package init(
    _ settings: Settings, association source: AssociationSource?, _ environment: Environment
  ) throws(BenchError) {
    (appIDs, entitlement) = (settings.appIDs, settings.entitlement)
    countsHTTP = settings.countsHTTP
    self.environment = environment
    let trusting = settings.trustsSite
    switch source {
    case nil: association = .known(nil)
    case .file(let path):
      let host = try settings.servingHost()
      association = .known(
        settings.handed(LinkCheck.Association(parsing: try Files.read(path), host: host)))
    case .address(let address):
      if let domain = SiteFetch.domain(ofPlace: address) {
        // A site's own place is asked for as its domain is.
        association = .known(
          try Network(environment).files(ofDomain: domain).association(trustingSite: trusting))
      } else {
        let host = try settings.servingHost()
        association = .known(
          settings.handed(try Network(environment).file(at: address).association(domain: host)))
      }
    case .domain(let domain):
      association = .known(
        try Network(environment).files(ofDomain: domain).association(trustingSite: trusting))
    case .linkHost: association = .ofLinkHost(try Network(environment), trustingSite: trusting)
    }
    if case .file = source { return }
    mayAskTheSite = source != nil
  }

  /// `check`, and where the network was allowed whether the site redirects the link.
  package func checkWithSite(_ reading: BackgroundReading) throws(BenchError) -> LinkCheck {
    var check = check(reading)
    guard mayAskTheSite, case .webLink = reading.handler, let link = reading.link else {
      return check
    }
    if let redirection = try Network(environment).redirection(of: link) {
      check.add([redirection.finding(for: link)])
    }
    return check
  }

  /// What `reading` comes to; fetches, when the link's host is to be asked.
  package func check(_ reading: BackgroundReading) -> LinkCheck {
    LinkCheck(
      reading, association: association(for: reading), appIDs: appIDs, entitlement: entitlement)
  }

  /// Judges a message in which the tag may fill in a part.
  package func check(_ message: VaryingMessage, isForumTag: Bool = true) -> LinkCheck {
    let carrier = BackgroundReading.Carrier(isForumTag: isForumTag)
    let sample = BackgroundReading(parsing: message.samples[0], carrier: carrier)
    return LinkCheck(
      message, carrier: carrier, association: association(for: sample), appIDs: appIDs,
      entitlement: entitlement)
  }

  private func association(for reading: BackgroundReading) -> LinkCheck.Association? {
    if case .known(let association) = association { return settled(association) }
    guard case .webLink = reading.handler, let host = reading.link?.host else { return nil }
    return association(ofHost: host)
  }

  private func settled(_ association: LinkCheck.Association?) -> LinkCheck.Association? {
    var association = association
    association?.countsHTTP = countsHTTP
    return association
  }

  /// The association that links at `host` must match. The program fetches it when the
  /// person asked for the file of the link's own host.
  package func association(ofHost host: String) -> LinkCheck.Association? {
    settled(fetchedAssociation(ofHost: host))
  }

  private func fetchedAssociation(ofHost host: String) -> LinkCheck.Association? {
    let network: Network
    let trustingSite: Bool
    switch association {
    case .known(let association): return association
    case .ofLinkHost(let given, let trusting): (network, trustingSite) = (given, trusting)
    }
    // By a wildcard in the entitlement, devices ask for the file of the parent domain.
    let host = AssociatedDomain.fileHost(for: host, entitlement: entitlement)
    do throws(FetchError) {
      return try network.files(ofHost: host).association(trustingSite: trustingSite)
    } catch {
      return LinkCheck.Association(unavailable: "\(error)", host: host)
    }
  }
}

extension LinkPolicy.Settings {
  /// The host that `domain` names, in ASCII.
  fileprivate func servingHost() throws(BenchError) -> String? { try Self.host(of: domain) }

  /// The host that `domain` names, in ASCII.
  static func host(of domain: String?) throws(BenchError) -> String? {
    guard let domain else { return nil }
    guard let host = SiteFetcher.host(ofDomain: domain) else {
      throw BenchError(
        .badInput, "\u{201C}\(domain)\u{201D} is not a domain name.", [.nameDomain])
    }
    return host
  }

  /// A file that somebody handed over is at no host, unless somebody says so.
  fileprivate func handed(_ association: LinkCheck.Association) -> LinkCheck.Association {
    var association = association
    association.isPlaced = association.host != nil
    association.isAssumed = isAssumedServed
    return association
  }
}

extension LinkCheck {
  /// Why a command fails that was to show that an app is woken; nil where one is.
  package var code: BenchError.Code? { wakesApp ? nil : isUndecided ? .noTag : .badInput }

  /// How to say what is missing for a verdict; nil where nothing is.
  package var remedy: BenchError.Remedy? {
    findings.contains { $0.code == .unplacedAssociation } ? .placeAssociation : nil
  }

  /// Fails, and says why, where no app would be woken: with `badInput`, or with `noTag` when that
  /// could not be found out.
  /// `consequence`: a sentence that says what was not done.
  package func insist(otherwise consequence: String) throws(BenchError) {
    guard let refusal else { return }
    throw BenchError(
      code ?? .badInput, refusal, [remedy].compactMap(\.self), consequence: consequence)
  }
}
