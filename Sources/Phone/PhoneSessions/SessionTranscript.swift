import Bytes
import Dispatch
import NDEF
import Synchronization
import TagMemory

/// A session as a simple app has it, callback by callback: it connects to what is found, asks for
/// the status, reads the message, and ends, or restarts polling first. With `endsAfterFirstRead` it
/// leaves reading to the session.
package final class SessionTranscript: Sendable {
  /// A callback, or what a handler was given.
  package struct Line: Hashable, Sendable {
    /// The method of the delegate or of the tag, such as `didDetect`.
    package var callback: String
    package var text: String
    /// The tags of `didDetect`.
    package var tags: [TagLine] = []
    package var status: String?
    package var capacity: Int?
    /// The bytes of each message.
    package var messages: [[UInt8]] = []
    /// The number of an error, and what it says.
    package var error: SessionError?
  }

  /// A tag as the app sees it.
  package struct TagLine: Hashable, Sendable {
    /// `miFare`, `iso7816`, `feliCa`.
    package var kind: String
    package var identifier: String
    /// `ultralight` and the like; of a card the selected application, of FeliCa the system code.
    package var detail: String
  }

  /// How the app restarts polling once it is done with a tag.
  package struct Restart: Sendable {
    /// What is looked for then, for people to read.
    package var text: String
    /// Nil: what the session began with.
    package var round: PhoneSession.Round?

    package init(text: String, round: PhoneSession.Round?) {
      (self.text, self.round) = (text, round)
    }
  }

  private struct State {
    var session: PhoneSession?
    var end: SessionError?
    var hasFound = false
    /// What the app will do before it ends the session.
    var restarts: [Restart] = []
  }

  private let tell: @Sendable (Line) -> Void
  private let ended = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  /// `tell` gets each line as it comes, on the session's thread.
  package init(tell: @escaping @Sendable (Line) -> Void) { self.tell = tell }

  /// Runs a session to its end. `restarts`: polling is restarted so, once for each, when the app is
  /// done with a tag. `shouldStop` is asked often; true ends it.
  package func run(
    _ kind: PhoneSession.Kind, _ settings: PhoneSession.Settings, restarts: [Restart] = [],
    shouldStop: () -> Bool
  ) -> (end: SessionError, hasFound: Bool) {
    let session = PhoneSession(kind, settings) { [self] event in take(event) }
    state.withLock { ($0.session, $0.restarts) = (session, restarts) }
    session.begin()
    while ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if shouldStop() { session.invalidate() }
    }
    return state.withLock { state in
      state.session = nil
      return (state.end ?? SessionError(.terminatedUnexpectedly), state.hasFound)
    }
  }

  private func take(_ event: PhoneSession.Event) {
    switch event {
    case .active: tell(Line(callback: "didBecomeActive", text: "the session looks for tags"))
    case .messages(let messages):
      state.withLock { $0.hasFound = true }
      tell(
        Line(
          callback: "didDetectNDEFs", text: counted(messages.count, "message"), messages: messages))
    case .detected(let tags):
      let session = state.withLock { state in
        if let session = state.session, !session.settings.endsAfterFirstRead {
          state.hasFound = true
        }
        return state.session
      }
      // An app without the method for tags hears of messages alone.
      if let session, session.settings.endsAfterFirstRead { return session.readMessages() }
      tell(
        Line(
          callback: "didDetect", text: "\(counted(tags.count, "tag"))",
          tags: tags.map(TagLine.init)))
      guard let session, let tag = tags.first else { return }
      session.connect(to: tag) { [self] error in
        tell(Line(callback: "connect", text: error.map(\.reason) ?? "connected", error: error))
        guard error == nil else { return goOn(session) }
        query(tag, in: session)
      }
    case .ended(let error):
      tell(Line(callback: "didInvalidateWithError", text: error.reason, error: error))
      state.withLock { $0.end = error }
      ended.signal()
    }
  }

  private func query(_ tag: PhoneTag, in session: PhoneSession) {
    session.perform(on: tag) { work throws(SessionError) in
      let found = try work.status()
      return Found(status: found.status, capacity: found.capacity)
    } completion: { [self] result in
      switch result {
      case .failure(let error):
        tell(Line(callback: "queryNDEFStatus", text: error.reason, error: error))
        goOn(session)
      case .success(let found):
        tell(
          Line(
            callback: "queryNDEFStatus",
            text: "\(found.status.rawValue), \(found.capacity) bytes",
            status: found.status.rawValue,
            capacity: found.capacity))
        guard found.status != .notSupported else { return goOn(session) }
        read(tag, in: session)
      }
    }
  }

  private struct Found: Sendable {
    var status: NDEFStatus
    var capacity: Int
  }

  private func read(_ tag: PhoneTag, in session: PhoneSession) {
    session.perform(on: tag) { work throws(SessionError) in
      try work.message()
    } completion: { [self] result in
      switch result {
      case .failure(let error):
        tell(Line(callback: "readNDEF", text: error.reason, error: error))
      case .success(let bytes):
        tell(Line(callback: "readNDEF", text: counted(bytes.count, "byte"), messages: [bytes]))
      }
      goOn(session)
    }
  }

  /// The app is done with the tag: it looks for others, or ends the session.
  private func goOn(_ session: PhoneSession) {
    let next = state.withLock { $0.restarts.isEmpty ? nil : $0.restarts.removeFirst() }
    guard let next else { return session.invalidate() }
    tell(Line(callback: "restartPolling", text: next.text))
    session.restartPolling(next.round)
  }
}

extension SessionTranscript.TagLine {
  init(_ tag: PhoneTag) {
    identifier = Hex.string(tag.identifier)
    switch tag.kind {
    case .miFare(let family): (kind, detail) = ("miFare", "\(family)")
    case .iso7816(let id): (kind, detail) = ("iso7816", Hex.string(id).uppercased())
    case .feliCa(let code): (kind, detail) = ("feliCa", Hex.string(code).uppercased())
    }
  }
}
