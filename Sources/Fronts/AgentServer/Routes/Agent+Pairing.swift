import HTTPServing
import HTTPTypes
import Hummingbird
import JSON
import Synchronization

extension Agent {
  /// How a page gets a token of its own.
  func addPairing(_ routes: ServedRoutes) {
    routes.post("/v1/pairing") { request, context in
      let code = try Query(request, takes: ["code"]).text("code")
      guard let text = request.headers[.origin], let origin = Origin(text) else {
        throw Problem(
          .badRequest, "Pages are paired: the request has no header Origin of one on the web.")
      }
      // A program of another user says what it likes in a header: a page that is allowed
      // beforehand is so for this user's own browser.
      let isKnown = paired.contains(origin) && context.isSameUser == true
      if !isKnown { try await ask(origin, code: code, for: await context.client()) }
      do throws(PrivateFile.Failure) {
        try paired.insert(origin)
      } catch {
        throw Problem(.failed, "The pairing could not be kept: \(error.reason).")
      }
      return Agent.json(
        text: JSONLine.text(PairingJSON(origin: text, token: paired.pageToken(of: origin))))
    }
  }

  /// Asks the person at the terminal. Throws where the answer is no, or nobody is there.
  private func ask(_ origin: Origin, code: String?, for client: ClientPresence?) async throws {
    guard settings.pairing.isPossible else {
      throw Problem(
        .notAllowed,
        "Nobody at a terminal can be asked whether this page may use the readers: start the agent with --origin \(origin)."
      )
    }
    guard let code, (1...6).contains(code.utf8.count),
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw Problem(
        .badRequest,
        "A page that is not known shows a code of up to 6 digits to its reader: ?code=123456.")
    }
    guard questions.begin(origin) else {
      throw Problem(
        .tooMany, "Another page is waiting for an answer, or this one got a no.", retryAfter: 60)
    }
    let isThere: @Sendable () -> Bool = { client?.isGone != true }
    let isAllowed =
      await settings.pairing.allows(origin, code: code, while: isThere) && isThere()
    // A page that has gone got no answer.
    questions.end(origin, isRefused: !isAllowed && isThere())
    guard isAllowed else {
      throw Problem(.notAllowed, "The person at the terminal did not say yes to this page.")
    }
  }
}

/// Questions to a person: one at a time, and a page that got a no is quiet for a while.
final class Questions: Sendable {
  private struct State {
    var isAsking = false
    var refused: [Origin: ContinuousClock.Instant] = [:]
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant
  private static let quiet = Duration.seconds(60)

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// False: nobody is asked now.
  func begin(_ origin: Origin) -> Bool {
    let now = now()
    return state.withLock { state in
      state.refused = state.refused.filter { now - $0.value < Self.quiet }
      guard !state.isAsking, state.refused[origin] == nil else { return false }
      state.isAsking = true
      return true
    }
  }

  func end(_ origin: Origin, isRefused: Bool) {
    let now = now()
    state.withLock { state in
      state.isAsking = false
      if isRefused { state.refused[origin] = now }
    }
  }
}

/// What a page gets that was paired.
private struct PairingJSON: OutputDocument {
  var origin: String
  /// Opens the agent to pages of this origin alone.
  var token: String
}
