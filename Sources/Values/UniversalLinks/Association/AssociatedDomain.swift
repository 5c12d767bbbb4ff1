import WebAddress

/// One line of an app's Associated Domains entitlement: `applinks:example.com`.
///
/// developer.apple.com, com.apple.developer.associated-domains.
package struct AssociatedDomain: Hashable, Sendable {
  /// `applinks`, `appclips`, `webcredentials` or `activitycontinuation`.
  package let service: String
  /// ASCII and lower case, without the `*.`.
  package let host: String
  /// Is true if it stands for the sub-domains of `host`, and not for `host` itself.
  package let isWildcard: Bool
  /// `developer` or `managed`, where the line has `?mode=`.
  package let mode: String?

  private static let services = ["applinks", "appclips", "webcredentials", "activitycontinuation"]

  /// Reads a line; nil when it is not `service:host`, with nothing but a mode behind the host.
  package init?(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    service = String(line[..<colon])
    guard Self.services.contains(service) else { return nil }
    let parts = line[line.index(after: colon)...].split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    isWildcard = parts[0].hasPrefix("*.")
    let name = String(isWildcard ? parts[0].dropFirst(2) : parts[0])
    guard let ascii = try? DomainName.ascii(name), !ascii.isEmpty, !ascii.hasSuffix(".") else {
      return nil
    }
    host = ascii
    switch parts.dropFirst().first {
    case nil: mode = nil
    case "mode=developer": mode = "developer"
    case "mode=managed": mode = "managed"
    default: return nil
    }
  }

  /// Returns whether links to `name` are meant.
  package func covers(host name: String) -> Bool {
    isWildcard ? name.hasSuffix("." + host) : name == host
  }
}
