import HTTPServing
import HTTPTypes
import Hummingbird

/// What every request passes before anything is read for it: for which host it is, whose page sends
/// it, whose program, and whether it has shown a token.
struct AgentGate: RouterMiddleware {
  typealias Context = ServingContext
  let settings: AgentSettings
  let paired: PairedOrigins
  /// Nil at a socket in the file system, which no browser can reach.
  let hosts: HostNames?
  let guesses = RateLimit(perSecond: 0.2, burst: 10)
  /// Whose program is at the address and port, connected to our port.
  let owner: @Sendable (String, Int, Int) -> Peer

  init(
    _ settings: AgentSettings, _ paired: PairedOrigins,
    owner: @escaping @Sendable (String, Int, Int) -> Peer = Peer.owner
  ) {
    (self.settings, self.paired, self.owner) = (settings, paired, owner)
    hosts =
      switch settings.place {
      case .loopback(let address): HostNames(address, others: [])
      case .socket: nil
      }
  }

  func handle(
    _ request: Request, context: ServingContext,
    next: (Request, ServingContext) async throws -> Response
  ) async throws -> Response {
    guard request.headers[values: .host].isEmpty, request.headers[values: .origin].count <= 1 else {
      throw Problem(.badRequest, "The request has a header Host or Origin more than once.")
    }
    guard let host = request.head.authority, hosts?.contains(host) != false else {
      throw Problem(
        .otherHost, "The agent answers under 127.0.0.1, [::1] and localhost, and no other name.")
    }
    if request.uri.path == AgentPages.library { return try await next(request, context) }
    let origin = try page(request, host: host)
    if request.method == .options, request.headers[.requestMethod] != nil {
      guard case .paired = origin else { throw Self.stranger }
      return CrossOrigin.preflight(request)
    }
    var context = context
    context.isSameUser = try isSameUser(context)
    if Self.isOpen(request) { return try await next(request, context) }
    if case .stranger = origin { throw Self.stranger }
    if AgentPages.bodies[request.uri.path] != nil { return try await next(request, context) }
    try checkToken(request, origin)
    context.isSignedIn = true
    return try await next(request, context)
  }

  // MARK: Pages

  /// Whose page sends a request.
  private enum Page {
    /// A program's request, or one of a page of the agent's own.
    case none
    case paired(Origin)
    case stranger
  }

  private static let stranger = Problem(
    .notAllowed,
    "A page sent this request that is not paired: ask with POST /v1/pairing, or start the agent with --origin."
  )

  private func page(_ request: Request, host: String) throws(Problem) -> Page {
    let ours = "http://\(host.lowercased())"
    // A browser leaves the header Origin out where a page only loads something. Only what a person
    // opens by hand is nobody's page.
    let site = request.headers[.secFetchSite]?.lowercased() ?? "none"
    guard let text = request.headers[.origin] ?? (site == "same-origin" ? ours : nil) else {
      guard site == "none" else { throw Self.stranger }
      return .none
    }
    if let origin = Origin(text), paired.contains(origin) { return .paired(origin) }
    return text == ours ? .none : .stranger
  }

  /// Returns whether a request needs no token: it says nothing of readers and tags.
  private static func isOpen(_ request: Request) -> Bool {
    request.uri.path == "/health" && request.headers[.origin] == nil
      || request.uri.path == "/v1/pairing"
  }

  // MARK: Users

  /// Nil: it is not known. Throws for a program of another user of this machine, be its token the
  /// right one.
  private func isSameUser(_ context: ServingContext) throws(Problem) -> Bool? {
    guard hosts != nil else { return true }
    guard let port = context.peerPort, let ours = context.port else { return nil }
    let owner = owner(context.peer, port, ours)
    guard owner != .notKnown else { return nil }
    guard owner.isOurs else {
      throw Problem(.notAllowed, "The agent answers to programs of its own user alone.")
    }
    return true
  }

  private func checkToken(_ request: Request, _ page: Page) throws(Problem) {
    let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    if words.count == 2, words[0].lowercased() == "bearer" {
      if settings.token.accepts(words[1]) { return }
      if case .paired(let origin) = page, paired.accepts(words[1], from: origin) { return }
      if let seconds = guesses.wait("") {
        throw Problem(.tooMany, "Too many wrong tokens were sent.", retryAfter: seconds)
      }
    }
    throw Problem(.notSignedIn, "Send the header `Authorization: Bearer TOKEN`.")
  }
}
