import JSON

/// What the lines of an app's entitlement say of one host.
///
/// developer.apple.com, Supporting associated domains; TN3155: for `*.example.com` devices ask
/// example.com for the file of all its sub-domains, and `*.example.com` is not for example.com
/// itself.
struct Entitling {
  /// Is true if lines were given.
  let isKnown: Bool
  /// Is true if lines were given and none is for the host.
  let excludesHost: Bool
  /// The hosts whose files devices ask for when they meet the host.
  let fileHosts: [String]
  private(set) var findings: [Finding] = []

  init(_ lines: [String]?, host: String) {
    guard let lines else {
      (isKnown, excludesHost, fileHosts) = (false, false, [host])
      return
    }
    isKnown = true
    let domains = lines.compactMap { AssociatedDomain($0) }
    let covering = domains.filter { $0.service == "applinks" && $0.covers(host: host) }
    excludesHost = covering.isEmpty
    fileHosts =
      covering.contains { !$0.isWildcard } || covering.isEmpty ? [host] : covering.map(\.host)
    findings = lines.filter { AssociatedDomain($0) == nil }.map(Self.malformed)
    if covering.isEmpty {
      findings.append(
        Self.missing(host, isBareDomain: domains.contains { $0.isWildcard && $0.host == host }))
    } else if let mode = covering.first?.mode, covering.allSatisfy({ $0.mode != nil }) {
      findings.append(Self.limited(to: mode, host))
    }
  }

  private static func malformed(_ line: String) -> Finding {
    Finding(
      .entitlementMalformed, .entitlement,
      """
      \(JSONText.quoted(line)) is not an associated domain: service, colon and host, without scheme, \
      path and port, as in applinks:example.com or applinks:*.example.com.
      """)
  }

  private static func missing(_ host: String, isBareDomain: Bool) -> Finding {
    Finding(
      .notEntitled, .entitlement,
      """
      The app's entitlement does not have \(host), so the app gets no links of it. Add \
      applinks:\(host)\(isBareDomain ? "; the *. form is for sub-domains only" : "").
      """)
  }

  private static func limited(to mode: String, _ host: String) -> Finding {
    let phones =
      mode == "developer"
      ? "phones with developer mode and Associated Domains Development switched on, for apps signed for development"
      : "phones that a device management has set up for it"
    return Finding(
      .entitlementMode, .entitlement,
      """
      Every line for \(host) has ?mode=\(mode): it works on \(phones) only. Add applinks:\(host) without \
      it for all other phones.
      """)
  }
}

extension AssociatedDomain {
  /// The host whose file devices ask for when they meet `host`, by the lines of an entitlement;
  /// `host` itself where they say nothing else. Of several wildcards, the longest.
  package static func fileHost(for host: String, entitlement lines: [String]?) -> String {
    let hosts = Entitling(lines, host: host).fileHosts
    return hosts.contains(host) ? host : hosts.max { $0.utf8.count < $1.utf8.count } ?? host
  }
}
