import Clibcurl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FetchError {
  /// What a transfer from `host` that ended with `code` means.
  init(_ code: CURLcode, _ handle: CurlHandle, host: String, limit: Duration) {
    let proxyStatus = handle.value(CURLINFO_HTTP_CONNECTCODE)
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(host)
      case CURLE_COULDNT_RESOLVE_PROXY: .unreachable("the proxy's name has no address")
      case CURLE_COULDNT_CONNECT: .unreachable(Self.reason(handle))
      case CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK: .timedOut(limit)
      case _ where proxyStatus >= 300:
        .unreachable("the proxy answers with status \(proxyStatus)")
      // OpenSSL's verdict on the chain. libcurl itself compares the name: until it has, the verdict
      // is 0 or "unspecified", 1.
      case CURLE_PEER_FAILED_VERIFICATION:
        .certificate(handle.value(CURLINFO_SSL_VERIFYRESULT) > 1 ? .notTrusted : .otherName)
      // There is no root certificate, so nobody is trusted.
      case CURLE_SSL_CACERT_BADFILE: .certificate(.notTrusted)
      case CURLE_SSL_CONNECT_ERROR: .handshake(handle.reason(code))
      default: .broken(handle.reason(code))
      }
  }

  private static func reason(_ handle: CurlHandle) -> String {
    switch CInt(handle.value(CURLINFO_OS_ERRNO)) {
    case ECONNREFUSED: "it refuses connections"
    case ENETUNREACH, EHOSTUNREACH: "there is no route to it"
    default: handle.reason(CURLE_COULDNT_CONNECT)
    }
  }
}
