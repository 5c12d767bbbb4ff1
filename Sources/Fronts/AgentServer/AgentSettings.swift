import HTTPServing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What an agent was started with.
package struct AgentSettings: Sendable {
  /// Where an agent listens: nobody on another machine can reach it there.
  package enum Place: Sendable, Equatable {
    case loopback(ListenAddress)
    /// A socket in the file system, which its owner alone may open.
    case socket(String)

    package static let usual = Place.loopback(ListenAddress(host: "127.0.0.1", port: 8411))

    /// `unix:PATH`, or an address that only this machine can reach: `127.0.0.1:8411`, `[::1]:8411`,
    /// `:8411`. Throws for any other.
    package init(parsing text: String) throws(ServerMistake) {
      if text.hasPrefix("unix:") {
        let path = String(text.dropFirst(5))
        let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard !path.isEmpty, path.utf8.count <= longest else {
          throw ServerMistake(
            .usage, "--listen: the path of a socket has 1 to \(longest) bytes: unix:PATH.")
        }
        self = .socket(path)
        return
      }
      guard let address = ListenAddress(parsing: text, usualPort: 8411) else {
        throw ServerMistake(
          .usage, "--listen takes 127.0.0.1:PORT, [::1]:PORT, :PORT or unix:PATH.")
      }
      guard ["127.0.0.1", "::1"].contains(address.host) else {
        throw ServerMistake(
          .usage,
          "--listen: an agent does not listen at \(address.text), but at 127.0.0.1, at [::1] and at unix:PATH alone."
        )
      }
      self = .loopback(address)
    }

    /// For people.
    package var text: String {
      switch self {
      case .loopback(let address): "http://\(address.text)/"
      case .socket(let path): "unix:\(path)"
      }
    }
  }

  package var place: Place
  package var token: AccessToken
  /// The folder for what it remembers: answers, and where commands find it.
  package var folder: String
  /// The file of the pages that were paired, beside that of the token.
  package var pairings: String
  /// Pages that may be paired without a question.
  package var origins: Set<Origin>
  package var pairing: any PairingJudge

  package init(
    place: Place = .usual, token: AccessToken, origins: Set<Origin> = [],
    folder: String, tokenFile: String? = nil, pairing: any PairingJudge = NoPairing()
  ) {
    pairings = (tokenFile ?? TokenFile.usual(in: folder)) + ".origins"
    (self.place, self.token, self.origins) = (place, token, origins)
    (self.folder, self.pairing) = (folder, pairing)
  }
}
