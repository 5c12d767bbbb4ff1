import HTTPServing

extension ListenAddress {
  package static let usual = ListenAddress(host: "127.0.0.1", port: 8410)

  package init?(parsing text: String) {
    self.init(parsing: text, usualPort: Self.usual.port)
  }
}

/// What a hub was started with.
package struct HubSettings: Sendable {
  package var address: ListenAddress
  package var token: AccessToken?
  /// Is true if a proxy stands in front, which does TLS and says who asks.
  package var isBehindProxy: Bool
  /// Further names under which the hub answers.
  package var hosts: [String]

  /// What is to be said at the start to whoever runs the hub; nil: nothing. `takesBatches`: whether
  /// the hub changes what it shows.
  package func remark(takesBatches: Bool) -> String? {
    guard token == nil else { return nil }
    let rights = takesBatches ? "see and change everything here" : "see everything here"
    return
      "every user of this machine can \(rights), as there is no token: --token-file FILE asks for one"
  }

  /// Throws where others than this machine could reach the hub without a token, or could listen to
  /// what is said.
  package init(
    address: ListenAddress = .usual, token: AccessToken? = nil, isBehindProxy: Bool = false,
    hosts: [String] = []
  ) throws(ServerMistake) {
    (self.address, self.token, self.isBehindProxy) = (address, token, isBehindProxy)
    self.hosts = hosts
    if isBehindProxy, token == nil {
      throw ServerMistake(
        .configuration,
        "Behind a proxy others can reach the hub: give it a token, --token-file FILE.")
    }
    if let host = hosts.first(where: { !ListenAddress.isLoopback($0) }), token == nil {
      throw ServerMistake(
        .configuration,
        "Under the name \(host) others can reach the hub: give it a token, --token-file FILE.")
    }
    guard !address.isLoopback else { return }
    guard token != nil else {
      throw ServerMistake(
        .configuration,
        "Others can reach the hub at \(address.text): give it a token, --token-file FILE, or listen at 127.0.0.1."
      )
    }
    guard isBehindProxy else {
      throw ServerMistake(
        .configuration,
        "At \(address.text) everybody in the network can read the token: let a proxy with TLS stand in front, and start the hub with --behind-proxy. Docs/Hub.md has the settings of nginx and Caddy."
      )
    }
  }
}
