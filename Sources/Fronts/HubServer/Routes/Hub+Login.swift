import Foundation
import HTTPServing
import Hummingbird

extension Hub {
  /// Signing in with the token, for browsers.
  func addLogin(_ routes: ServedRoutes, _ sessions: Sessions?) {
    // A token cannot be guessed; this keeps somebody who tries from filling the line.
    let tries = RateLimit(perSecond: 0.2, burst: 5)
    let (settings, room) = (settings, room)
    routes.get("/login") { request, context in
      let path = Self.wanted(request)
      return context.isSignedIn ? .redirect(to: path) : Self.loginPage(.ok, nil, path)
    }
    routes.post("/login") { request, context in
      let path = Self.wanted(request)
      guard let sessions, let token = settings.token else { return .redirect(to: path) }
      let client = context.client(request, isBehindProxy: settings.isBehindProxy)
      if let seconds = tries.wait(client) {
        var response = Self.loginPage(
          .tooManyRequests, "Too many attempts: wait \(seconds) s.", path)
        response.headers[.retryAfter] = "\(seconds)"
        return response
      }
      guard try await token.accepts(Self.sentToken(request, context, room)) else {
        return Self.loginPage(.unauthorized, "This is not the token.", path)
      }
      return Self.redirect(
        settings.cookie(sessions.begin(), lifetime: Sessions.lifetime), to: path)
    }
    let logout: @Sendable (Request, ServingContext) async throws -> Response = { request, _ in
      if let cookie = request.cookies[settings.cookieName] { sessions?.end(cookie.value) }
      return Self.redirect(settings.cookie("", lifetime: 0), to: "/login")
    }
    routes.post("/logout", logout)
    routes.get("/logout") { _, context in
      Self.page(
        .ok, "Sign out", "<form method=\"post\" action=\"/logout\"><button>Sign out</button></form>"
      )
    }
  }

  /// Where the form for signing in is, for somebody who wanted `path`.
  static func loginAddress(returningTo path: String) -> String {
    path == "/" || !isLocal(path) ? "/login" : "/login?to=\(escaped(path))"
  }

  /// Where somebody goes who has signed in: the parameter `to`, or the page.
  private static func wanted(_ request: Request) -> String {
    guard let path = try? Query(request, takes: ["to"]).template("to"), isLocal(path) else {
      return "/"
    }
    return path
  }

  /// Returns whether it is an address of this site. A browser takes `//NAME` for another site, a
  /// `\` for a `/`, and leaves spaces and control characters out.
  private static func isLocal(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.hasPrefix("//") && path.utf8.count <= 2000
      && path.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
  }

  /// The field `token` of the form.
  private static func sentToken(
    _ request: Request, _ context: ServingContext, _ room: BodyRoom
  ) async throws -> String {
    let type = request.headers[.contentType]?.lowercased() ?? ""
    guard type.hasPrefix("application/x-www-form-urlencoded") else {
      throw Problem(.mediaType, "Send the form of /login.")
    }
    let bytes = try await CollectedBody.bytes(request, context, room.share(), upTo: 4096)
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: "&")
    for field in fields where field.hasPrefix("token=") {
      return try Query.decode(field.dropFirst("token=".count))
    }
    return ""
  }

  private static func redirect(_ cookie: String, to path: String) -> Response {
    var response = Response.redirect(to: path)
    response.headers[.setCookie] = cookie
    return response
  }

  private static func loginPage(
    _ status: HTTPResponse.Status, _ trouble: String?, _ path: String
  ) -> Response {
    page(
      status, "Sign in",
      """
      \(trouble.map { "<p role=\"alert\" class=\"error\">\($0)</p>" } ?? "")
      <form class="new" method="post" action="\(loginAddress(returningTo: path))">
      <p class="field"><label for="token">Token</label>
      <input id="token" name="token" type="password" required autocomplete="current-password"></p>
      <p><button>Sign in</button></p>
      </form>
      """)
  }

  private static func page(
    _ status: HTTPResponse.Status, _ title: String, _ content: String
  ) -> Response {
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) – nfcprog hub</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/assets/hub.css">
      </head>
      <body class="login">
      <main id="main"><h1>\(title)</h1>
      \(content)
      </main>
      </body>
      </html>

      """
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HubSettings {
  /// What a browser's session is called.
  var cookieName: String { isBehindProxy ? Sessions.secureCookie : Sessions.cookie }

  /// The header that gives a browser its session, or takes it away.
  func cookie(_ value: String, lifetime: Int) -> String {
    "\(cookieName)=\(value); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict"
      + (isBehindProxy ? "; Secure" : "")
  }
}
