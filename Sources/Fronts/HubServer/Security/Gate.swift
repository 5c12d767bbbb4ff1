import HTTPServing
import HTTPTypes
import Hummingbird

/// What every request passes before anything is read for it: for which host it is, how often its
/// client asks, whether it is signed in, and whether another site's page sends it.
struct Gate: RouterMiddleware {
  typealias Context = ServingContext
  let settings: HubSettings
  let hosts: HostNames
  let sessions: Sessions?
  let limit = RateLimit(perSecond: 50, burst: 300)

  init(_ settings: HubSettings, _ sessions: Sessions?) {
    (self.settings, self.sessions) = (settings, sessions)
    hosts = HostNames(settings.address, others: settings.hosts)
  }

  func handle(
    _ request: Request, context: ServingContext,
    next: (Request, ServingContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    guard request.headers[values: .host].isEmpty else {
      throw Problem(.badRequest, "The request has more than one header Host.")
    }
    guard let host = request.head.authority, hosts.contains(host) else {
      throw Problem(
        .otherHost,
        "The hub does not answer under this name. Start it with --host NAME where it is right.")
    }
    // What another site's page sends is the page's asking, and not the client's.
    try Self.checkSite(request, host: host)
    if settings.token == nil { try Self.checkNoProxy(request) }
    let client = context.client(request, isBehindProxy: settings.isBehindProxy)
    if let seconds = limit.wait(client) {
      throw Problem(.tooMany, "This client asks too often.", retryAfter: seconds)
    }
    context.isSignedIn = isSignedIn(request)
    // Only a session can end while its request is answered.
    if settings.token != nil, request.headers[.authorization] == nil, let sessions,
      let cookie = request.cookies[settings.cookieName]?.value
    {
      context.isStillSignedIn = { sessions.isSignedIn(cookie) }
    }
    guard context.isSignedIn || Self.isOpen(request.uri.path) else {
      if request.uri.path == "/", [.get, .head].contains(request.method) {
        return .redirect(to: Hub.loginAddress(returningTo: request.uri.string))
      }
      throw Problem(
        .notSignedIn, "Send the header `Authorization: Bearer TOKEN`, or sign in at /login.")
    }
    return try await next(request, context)
  }

  private func isSignedIn(_ request: Request) -> Bool {
    guard let token = settings.token else { return true }
    if let header = request.headers[.authorization] {
      let parts = header.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[0].lowercased() == "bearer" && token.accepts(parts[1])
    }
    guard let sessions, let cookie = request.cookies[settings.cookieName] else { return false }
    return sessions.isSignedIn(cookie.value)
  }

  /// Returns what says nothing about the line: whoever runs the hub looks whether it is there, and
  /// the page for signing in has a style.
  private static func isOpen(_ path: String) -> Bool {
    ["/health", "/ready", "/login"].contains(path) || path.hasPrefix("/assets/")
  }

  /// A browser says which site's page sends a request; other programs say nothing. Another site may
  /// link to the hub's pages, and has no other business here.
  private static func checkSite(_ request: Request, host: String) throws(Problem) {
    let site = request.headers[.secFetchSite]?.lowercased()
    let origin = request.headers[.origin]?.lowercased()
    let isOurs = origin.map { ["http://\(host)", "https://\(host)"].contains($0.lowercased()) }
    let isReading = request.method == .get || request.method == .head
    let isHere = site == nil || site == "same-origin" || site == "none" && origin == nil
    let isLink =
      isReading && request.headers[.secFetchMode]?.lowercased() == "navigate"
      && Self.isPage(request.uri.path)
    guard isHere || isLink, isOurs != false || isLink else {
      throw Problem(.notAllowed, "Another site's page sent this request.")
    }
  }

  /// What is opened by a link: the page, its form for signing in and what says that the hub is
  /// there.
  private static func isPage(_ path: String) -> Bool {
    ["/", "/login", "/logout", "/health", "/ready"].contains(path)
  }

  /// Without a token, whoever reaches the hub may do everything: it is not to be reached from other
  /// machines, which a proxy would let in. A proxy says that it is one.
  private static func checkNoProxy(_ request: Request) throws(Problem) {
    let isForwarded = request.headers.contains { field in
      let name = field.name.canonicalName
      return name.hasPrefix("x-forwarded") || proxyFields.contains(name)
    }
    guard !isForwarded else {
      throw Problem(
        .notAllowed,
        "A proxy has passed this request on, and the hub has no token: start it with --token-file FILE and --behind-proxy."
      )
    }
  }

  /// By which proxies make themselves known, beside `X-Forwarded-…`.
  private static let proxyFields: Set<String> = [
    "forwarded", "via", "x-real-ip", "x-original-host", "x-original-forwarded-for", "x-client-ip",
    "true-client-ip", "cf-connecting-ip", "x-cluster-client-ip", "x-envoy-external-address",
  ]
}

extension ServingContext {
  /// Whose request it is. A proxy adds the address that it sees to the end of the header.
  func client(_ request: Request, isBehindProxy: Bool) -> String {
    guard isBehindProxy, let header = request.headers[.forwardedFor],
      let last = header.split(separator: ",").last
    else { return peer }
    let address = last.trimmingPrefix { $0 == " " }
    return ListenAddress.isAddress(String(address)) ? String(address) : peer
  }
}
