import Provisioning
import SiteFetching
import UniversalLinks

/// What links are held to: a site association, the apps that are to be woken, their entitlement.
struct Claim {
  enum Association {
    /// Nil when none was named.
    case known(LinkCheck.Association?)
    /// To be fetched from the host of the link.
    case ofLinkHost(Network)
  }

  let association: Association
  let appIDs: [String]
  let entitlement: [String]?

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
    switch association {
    case .known(let association): return association
    case .ofLinkHost(let given): network = given
    }
    do throws(FetchFailure) {
      return try network.files(ofHost: host).association
    } catch {
      return LinkCheck.Association(unavailable: "\(error)", host: host)
    }
  }
}
