import UniversalLinks

/// How files are fetched. Only tests have reason to leave the standard.
public struct FetchConfiguration: Sendable {
  /// For one file, from the name's look-up to its last byte.
  package var timeLimit = Duration.seconds(10)
  /// For one file, in bytes.
  package var byteLimit = SiteAssociation.byteLimit
  /// Where the servers listen, where that is not 443.
  package var port: Int?
  /// Addresses of hosts, instead of what the domain name system says.
  package var addresses: [String: String] = [:]
  /// PEM text of the root certificates to trust, instead of the system's.
  package var trustedRoots: [UInt8]?

  /// As a device fetches.
  public static let standard = FetchConfiguration()
}
