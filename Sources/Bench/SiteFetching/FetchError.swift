import UniversalLinks

/// Why a file could not be had over the network.
package enum FetchError: Error, Hashable, Sendable {
  /// The text is no name of a public domain.
  case notADomain(String)
  /// The address is not an https URL; iOS asks over nothing else.
  case notHTTPS(String)
  /// libcurl is not on this computer, or cannot be loaded; what the system said.
  case noLibrary(String)
  /// The domain name system has no address for the host.
  case unknownHost(String)
  /// No connection came about; what the system said.
  case unreachable(String)
  /// It was not all there in time.
  case timedOut(Duration)
  /// The server's certificate was not accepted.
  case certificate(CertificateFault)
  /// TLS broke down before a certificate was judged.
  case handshake(String)
  /// The server sends on to somewhere else, which iOS does not follow.
  case redirect(status: Int, location: String?)
  /// Any other status than 200.
  case status(Int)
  /// Apple's CDN has no file, and says why (`Apple-Failure-Reason`).
  case refusedByCDN(status: Int, CDNRefusal)
  /// More bytes than iOS takes.
  case tooLarge
  /// The content is encoded, although nobody asked for that.
  case encoded(String)
  /// The answer broke off, or is no HTTP.
  case broken(String)

  /// What is wrong with a certificate.
  package enum CertificateFault: Hashable, Sendable {
    /// Expired, not yet valid, self-signed, or no chain leads to a root that is trusted.
    case notTrusted
    /// It is for other names.
    case otherName
  }

  /// Is true if the server said clearly that it has no such file.
  var isAbsence: Bool {
    switch self {
    case .status(let status): [403, 404, 410].contains(status)
    case .refusedByCDN: true
    default: false
    }
  }

  /// Says whether a device, too, takes no file from such a server, today or tomorrow.
  package var isFinal: Bool {
    switch self {
    case .certificate, .redirect, .tooLarge: true
    case .status(let status): 400..<500 ~= status && status != 408 && status != 429
    default: isAbsence
    }
  }

  /// Is true if the server may answer another time.
  var mayPass: Bool {
    switch self {
    case .notADomain, .notHTTPS: false
    default: !isFinal
    }
  }

  package var code: Finding.Code {
    switch self {
    case .notADomain: .hostMalformed
    case .notHTTPS: .fetchNotHTTPS
    case .unknownHost: .fetchUnknownHost
    case .unreachable, .noLibrary: .fetchUnreachable
    case .timedOut: .fetchTimeout
    case .certificate(.notTrusted): .fetchCertificate
    case .certificate(.otherName): .fetchCertificateName
    case .handshake: .fetchTLS
    case .redirect: .fetchRedirect
    case .refusedByCDN: .cdnRefused
    case .status(let status): status == 404 || status == 410 ? .fetchNotFound : .fetchStatus
    case .tooLarge: .fileTooLarge
    case .encoded: .fetchEncoded
    case .broken: .fetchBroken
    }
  }
}

extension FetchError: CustomStringConvertible {
  /// For iPhones.
  package var description: String { text(for: "iOS") }

  /// Whole sentences: what happened, what follows for `system`, iOS or Android, and how to repair
  /// it.
  package func text(for system: String) -> String {
    switch self {
    case .notADomain(let text):
      "\u{201C}\(text)\u{201D} is not the name of a public domain such as example.com."
    case .notHTTPS(let address):
      "\(address) is not an https address, and \(system) fetches over https only."
    case .noLibrary(let reason):
      """
      This computer cannot fetch files: libcurl does not load (\(reason)). Install it: libcurl4 with apt, \
      or curl with Homebrew.
      """
    case .unknownHost(let host):
      "The domain name system has no address for \(host). Check its spelling and its DNS records."
    case .unreachable(let reason):
      "The connection to the server failed: \(reason). Check the server and the firewalls between."
    case .timedOut(let limit):
      "The file did not arrive completely within \(limit.components.seconds) s. Serve it as a static file."
    case .certificate(.notTrusted):
      """
      The server's certificate is not trusted: it is expired, self-signed, or sent without its \
      intermediate certificates. \(system) refuses a file over that connection: renew or complete it.
      """
    case .certificate(.otherName):
      """
      The server's certificate is for other names. \(system) refuses a file over that connection: get a certificate \
      that has this host among its names.
      """
    case .handshake(let reason):
      "The TLS connection failed: \(reason). Offer TLS 1.2 or later on port 443."
    case .redirect(let status, let location):
      """
      The server redirects (\(status))\(location.map { " to \($0)" } ?? ""). \(system) does not follow redirects: \
      serve the file at this very address.
      """
    case .refusedByCDN(_, let refusal): "\(refusal)"
    case .status(404), .status(410): "There is no such file on the server."
    case .status(let status) where status == 401 || status == 403:
      "The server refuses the file (\(status)). Everyone must be able to read it, without login."
    case .status(let status): "The server answers with status \(status), not with the file."
    case .tooLarge:
      "The file has more than \(SiteAssociation.byteLimit) bytes; \(system) ignores a larger one."
    case .encoded(let name):
      "The server sends the file \(name)-encoded, but the program did not ask for that. Serve it without encoding."
    case .broken(let reason):
      "The server's answer broke off or is not HTTP: \(reason)."
    }
  }
}
