import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FetchFailure {
  /// What an error of the client means.
  init(_ error: any Error, host: String, limit: Duration) {
    switch error {
    case let error as NIOConnectionError: self = Self.connection(error, host: host)
    case let error as NIOSSLError: self = Self.tls(error)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      self = .certificate(.otherName)
    case let error as NIOSSLExtraError: self = .handshake("\(error)")
    case is NIOTooManyBytesError: self = .tooLarge
    case is CancellationError: self = .timedOut(limit)
    case is ChannelError, is HTTPParserError: self = .broken("\(error)")
    case let error as HTTPClientError:
      let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout, .cancelled,
      ]
      self = timeouts.contains(error) ? .timedOut(limit) : .broken(error.shortDescription)
    case let error as IOError: self = Self.system(error) ?? .broken("\(error)")
    default: self = .broken("\(error)")
    }
  }

  private static func connection(_ error: NIOConnectionError, host: String) -> FetchFailure {
    guard let failure = error.connectionErrors.first else { return .unknownHost(host) }
    return (failure.error as? IOError).flatMap(system) ?? .unreachable("\(failure.error)")
  }

  /// Errors of the system that come from connecting only.
  private static func system(_ error: IOError) -> FetchFailure? {
    switch error.errnoCode {
    case ECONNREFUSED: .unreachable("it refuses connections")
    case ENETUNREACH, EHOSTUNREACH: .unreachable("there is no route to it")
    default: nil
    }
  }

  private static func tls(_ error: NIOSSLError) -> FetchFailure {
    switch error {
    case .handshakeFailed(let cause):
      let text = "\(cause)"
      return text.contains("CERTIFICATE_VERIFY_FAILED")
        ? .certificate(.notTrusted) : .handshake(text)
    case .unableToValidateCertificate, .noCertificateToValidate: return .certificate(.notTrusted)
    case .uncleanShutdown: return .broken("the connection was closed in its midst")
    default: return .handshake("\(error)")
    }
  }
}
