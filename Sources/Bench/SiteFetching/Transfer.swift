import Clibcurl
import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One request over https and its answer; nothing is followed and nothing kept.
final class Transfer {
  /// What is asked for.
  struct Request: Sendable {
    let host: String
    let url: String
    var headers: [String] = []
    /// Asks by HEAD.
    var isHead = false
    /// The body is not wanted: the answer ends with its head.
    var endsWithHead = false
  }

  private let request: Request
  private let configuration: FetchConfiguration
  private let cancellation: Cancellation
  private(set) var head = AnswerHead()
  private(set) var body: [UInt8] = []
  /// Why the rest of the answer is not taken.
  private var refusal: FetchError?

  /// Whoever waits for the answer gives up.
  final class Cancellation: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
  }

  private init(
    _ request: Request, _ configuration: FetchConfiguration, _ cancellation: Cancellation
  ) {
    (self.request, self.configuration) = (request, configuration)
    self.cancellation = cancellation
  }

  /// Runs on a thread of its own, within the limits of time and size.
  static func run<T: Sendable>(
    _ request: Request, _ configuration: FetchConfiguration,
    _ result: @escaping @Sendable (Transfer) -> T
  ) async -> Result<T, FetchError> {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A queue that is not global has a thread however many others block theirs.
        DispatchQueue(label: "nfcprog.fetch").async {
          let transfer = Transfer(request, configuration, cancellation)
          continuation.resume(returning: transfer.perform().map { result(transfer) })
        }
      }
    } onCancel: {
      cancellation.set()
    }
  }

  private func perform() -> Result<Void, FetchError> {
    // OpenSSL writes to a socket that may be closed: an error then, not the end of the process.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    switch Curl.shared {
    case .failure(let failure): return .failure(failure)
    case .success(let curl):
      let handle = CurlHandle(curl)
      configure(handle)
      handle.deliver(to: self)
      let code = handle.perform()
      if request.endsWithHead, head.isWhole { return .success(()) }
      if let refusal { return .failure(refusal) }
      guard code == CURLE_OK else {
        return .failure(
          FetchError(code, handle, host: request.host, limit: configuration.timeLimit))
      }
      // RFC 9110, 4.3.4: a subject's common name is no host's name, whatever older clients make of
      // it.
      return handle.hasAlternativeNames ? .success(()) : .failure(.certificate(.otherName))
    }
  }

  private func configure(_ handle: CurlHandle) {
    handle.set(CURLOPT_URL, request.url)
    handle.set(CURLOPT_PATH_AS_IS, 1)
    handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    handle.set(CURLOPT_HTTPHEADER, ["User-Agent: nfcprog"] + request.headers)
    if request.isHead { handle.set(CURLOPT_NOBODY, 1) }
    // A library takes no signals for itself; the time limit includes the look-up of names all the
    // same.
    handle.set(CURLOPT_NOSIGNAL, 1)
    handle.set(CURLOPT_TIMEOUT_MS, max(1, Int(configuration.timeLimit / .milliseconds(1))))
    // What the environment says of proxies is the caller's to heed.
    handle.set(CURLOPT_PROXY, configuration.proxy.map { "http://\($0.host):\($0.port)" } ?? "")
    handle.set(CURLOPT_NOPROXY, "")
    handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    handle.set(CURLOPT_CONNECT_TO, configuration.addresses.map { "\($0)::\($1):" })
    handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    handle.set(CURLOPT_CERTINFO, 1)
    if let roots = configuration.trustedRoots {
      handle.set(CURLOPT_CAINFO_BLOB, roots)
      handle.set(CURLOPT_CAPATH, nil)
    }
  }

  var isCancelled: Bool { cancellation.isSet }

  /// Takes a line of the head. False ends the transfer.
  func takeHead(_ line: [UInt8]) -> Bool {
    guard head.take(line) else {
      refusal = .broken("its head has more than \(AnswerHead.byteLimit) bytes")
      return false
    }
    guard head.isWhole else { return true }
    if request.endsWithHead { return request.isHead }
    refusal = head.failure
    if let count = head.announcedByteCount, count > configuration.byteLimit {
      refusal = refusal ?? .tooLarge
    }
    return refusal == nil
  }

  /// Takes bytes of the body. False ends the transfer.
  func takeBody(_ bytes: [UInt8]) -> Bool {
    guard body.count + bytes.count <= configuration.byteLimit else {
      refusal = .tooLarge
      return false
    }
    body += bytes
    return true
  }
}
