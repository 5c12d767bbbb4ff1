import UniversalLinks
import WebAddress

/// The file at one address.
package struct AddressFetch: Sendable {
  package let address: String
  /// Whose links it is for, as far as the address says.
  package let host: String?
  let file: Result<Download, FetchError>

  package var bytes: [UInt8]? { (try? file.get())?.bytes }
  /// The media type that it is served as; nil where none is named, and without a file.
  package var mediaType: String? { (try? file.get())?.mediaType }
  /// Why there is no file; nil with one.
  package var failure: FetchError? {
    if case .failure(let failure) = file { failure } else { nil }
  }

  /// Why there is no file, or what is odd about its delivery.
  package var findings: [Finding] {
    switch file {
    case .failure(let failure):
      [Finding(failure.code, .address(address), failure.description)]
    case .success(let file):
      file.contentTypeFinding(at: address).map { [$0] } ?? []
    }
  }

  /// Is true if devices get the file from there: from Apple's CDN. What is at any other address was
  /// merely handed over.
  package var isFromCDN: Bool {
    (try? Address(parsing: address))?.host == SiteFetch.Place.cdnHost
  }

  /// For `LinkCheck`; for `domain` where somebody says that it will be served there.
  package func association(domain: String? = nil) -> LinkCheck.Association {
    let owner = domain ?? (isFromCDN ? host : nil)
    if let failure {
      // Elsewhere than at the CDN it says nothing of what devices get.
      guard isFromCDN, failure.isAbsence else {
        return LinkCheck.Association(
          unknown: findings, host: owner, site: nil, mayBeKnownLater: failure.mayPass)
      }
      return LinkCheck.Association(
        unavailable: "No site association is available from \(address).", host: owner,
        findings: findings)
    }
    var association = LinkCheck.Association(parsing: bytes ?? [], host: owner, findings: findings)
    association.isPlaced = owner != nil
    return association
  }
}

extension SiteFetch {
  /// The domain whose own place `address` is; nil for any other address.
  package static func domain(ofPlace address: String) -> String? {
    guard let link = try? Address(parsing: address), link.scheme == "https", let host = link.host,
      link.port == nil, link.userInfo == nil, link.query == nil
    else { return nil }
    let places = [Place.wellKnown, .root].map { $0.address(of: host).path }
    return places.contains(link.path) ? host : nil
  }
}
