import BenchKit
import Provisioning
import SiteFetching
import UniversalLinks

/// What links are held to: a site association, the apps that are to be woken, their entitlement.
struct Claim {
  enum Association {
    /// Nil when none was named.
    case known(LinkCheck.Association?)
    /// To be fetched from the host of the link.
    case ofLinkHost(Network, trustingSite: Bool)
  }

  let association: Association
  let appIDs: [String]
  let entitlement: [String]?
  /// Whether the network was allowed: then the link's site may be asked whether it redirects.
  var mayAskTheSite = false

  init(association: Association, appIDs: [String], entitlement: [String]?) {
    (self.association, self.appIDs, self.entitlement) = (association, appIDs, entitlement)
  }

  /// `check`, and where the network was allowed whether the site redirects the link.
  func checkWithSite(_ reading: BackgroundReading) throws(BenchError) -> LinkCheck {
    var check = check(reading)
    guard mayAskTheSite, case .webLink = reading.handler, let link = reading.link else {
      return check
    }
    if let redirection = try Network().redirection(of: link) {
      check.add([redirection.finding(for: link)])
    }
    return check
  }

  /// What `reading` comes to; fetches, when the link's host is to be asked.
  func check(_ reading: BackgroundReading) -> LinkCheck {
    LinkCheck(
      reading, association: association(for: reading), appIDs: appIDs, entitlement: entitlement)
  }

  /// The same for all links of a job list; each of their hosts is asked once.
  var wakeCheck: WakeCheck {
    WakeCheck(appIDs: appIDs, entitlement: entitlement, association: association(ofHost:))
  }

  private func association(for reading: BackgroundReading) -> LinkCheck.Association? {
    if case .known(let association) = association { return association }
    guard case .webLink = reading.handler, let host = reading.link?.host else { return nil }
    return association(ofHost: host)
  }

  private func association(ofHost host: String) -> LinkCheck.Association? {
    let network: Network
    let trustingSite: Bool
    switch association {
    case .known(let association): return association
    case .ofLinkHost(let given, let trusting): (network, trustingSite) = (given, trusting)
    }
    // By a wildcard in the entitlement, devices ask for the file of the parent domain.
    let host = AssociatedDomain.fileHost(for: host, entitlement: entitlement)
    do throws(FetchFailure) {
      return try network.files(ofHost: host).association(trustingSite: trustingSite)
    } catch {
      return LinkCheck.Association(unavailable: "\(error)", host: host)
    }
  }
}

extension LinkCheck {
  /// How to say what is missing for a verdict; nil where nothing is.
  var hint: String? {
    findings.contains { $0.code == .unplacedAssociation }
      ? "Give --domain DOMAIN or --entitlement LINE, or use --assume-served to assume it."
      : nil
  }

  /// How a command ends that was to show that an app is woken.
  var status: ExitStatus { wakesApp ? .success : isUndecided ? .noTag : .badInput }
}
