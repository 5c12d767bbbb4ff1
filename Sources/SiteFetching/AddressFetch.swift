import UniversalLinks

/// The file at one address.
public struct AddressFetch: Sendable {
  public let address: String
  /// Whose links it is for, as far as the address says.
  public let host: String?
  let file: Result<Download, FetchFailure>

  public var bytes: [UInt8]? { (try? file.get())?.bytes }

  /// Why there is no file, or what is odd about its delivery.
  public var findings: [Finding] {
    switch file {
    case .failure(let failure):
      [Finding(failure.code, .address(address), failure.description)]
    case .success(let file):
      file.contentTypeFinding(at: address).map { [$0] } ?? []
    }
  }

  /// For `LinkCheck`.
  public var association: LinkCheck.Association {
    guard let bytes else {
      return LinkCheck.Association(
        unavailable: "No site association is to be had from \(address).", host: host,
        findings: findings)
    }
    return LinkCheck.Association(parsing: bytes, host: host, findings: findings)
  }
}
