import Bench
import Dispatch
import Synchronization

/// A session with tags as a phone's app has it: polling, delivery, one connected tag, an end.
///
/// Any thread may call. What happens is reported through `deliver`, on the session's own thread,
/// which alone uses the reader. `ended` comes once and last.
package final class PhoneSession: Sendable {
  /// What is looked for, and how it is delivered.
  package enum Kind: Hashable, Sendable {
    /// Whatever can hold a message.
    case ndef
    case tag(Polling)
    /// What no PN532 does; the session ends with this reason.
    case unsupported(String)
  }

  /// What a session goes by.
  package struct Settings: Sendable {
    package var mode = SessionMode.phone
    package var grants = AppGrants.all
    /// How long the session may last from the time it is active; nil: as long as it likes.
    package var timeLimit: Duration?
    /// Is true if the first message that is read ends the session.
    package var endsAfterFirstRead = false
    /// What the session takes its turns with.
    package var reader = PhoneReader.shared
    /// Opens the reader, on the session's thread.
    package var open: @Sendable () throws(BenchError) -> ReaderSession
    /// Is true if nobody is left who could be told of tags: such a session ends.
    package var isAbandoned: @Sendable () -> Bool = { false }
    /// Gets what the app's developer should know.
    package var remark: @Sendable (Remark) -> Void = { _ in }

    package init(open: @escaping @Sendable () throws(BenchError) -> ReaderSession) {
      self.open = open
    }

    /// An iPhone's (Apple, Core NFC: 60 seconds).
    package static let phoneTimeLimit = Duration.seconds(60)
  }

  /// What happens.
  package enum Event: Sendable {
    /// The reader is open and its field is on.
    case active
    /// Tags were found; none is connected yet.
    case detected([PhoneTag])
    /// The messages on the tags that were found, as bytes.
    case messages([[UInt8]])
    case ended(SessionError)
  }

  /// What one round of polling looks for.
  package struct Round: Sendable {
    package let kind: Kind
    package let grants: AppGrants

    package init(_ polling: Polling, _ grants: AppGrants) {
      (kind, self.grants) = (.tag(polling), grants)
    }
  }

  /// Something to do on the session's thread; nil where the session has ended.
  typealias Post = @Sendable (SessionWorker?) -> Void

  private struct State {
    enum Phase { case new, running, ended }
    var phase = Phase.new
    var end: SessionError?
    var generation = 0
    var posts: [Post] = []
    var connected: PhoneTag?
    var isActive = false
    /// A connect has failed since polling began.
    var needsRestart = false
    /// The app leaves it to the session to read.
    var readsByItself = false
    /// What this round of polling looks for; nil: what the session began with.
    var round: Round?
  }

  let kind: Kind
  let settings: Settings
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let deliver: @Sendable (Event) -> Void

  /// `deliver` is called on the session's thread, or on that of the caller who ends it before it
  /// runs.
  package init(_ kind: Kind, _ settings: Settings, deliver: @escaping @Sendable (Event) -> Void) {
    (self.kind, self.settings, self.deliver) = (kind, settings, deliver)
  }

  /// Begins; `active` or `ended` follows. Has no effect on a session that was begun before.
  package func begin() {
    let isFirst = state.withLock { state in
      guard state.phase == .new else { return false }
      state.phase = .running
      return true
    }
    guard isFirst else { return settings.remark(.began(again: true)) }
    for text in settings.grants.unusable { settings.remark(.unusableDeclaration(text)) }
    if settings.grants.formats.contains("NDEF") { settings.remark(.refusedAtUpload) }
    if let refusal = refusal(of: kind, settings.grants) { return finish(refusal) }
    guard settings.reader.gate.enter(self) else { return finish(SessionError(.systemIsBusy)) }
    DispatchQueue(label: "nfc-session").async { [self] in SessionWorker(self).run() }
  }

  /// Why a phone, or this program, does not look for that; nil where it does.
  private func refusal(of kind: Kind, _ grants: AppGrants) -> SessionError? {
    switch kind {
    case .unsupported(let reason): return SessionError(.unsupportedFeature, reason)
    case .tag(let polling):
      if polling.contains(.iso15693) {
        guard polling != .iso15693 else {
          return SessionError(
            .unsupportedFeature, "A PN532 cannot look for ISO 15693 tags.")
        }
        settings.remark(.noVicinity)
      }
      if polling.contains(.pace), polling != .pace { settings.remark(.noPACE) }
      if polling == .pace, settings.mode == .phone {
        return SessionError(.unsupportedFeature, "PACE polling is not done here.")
      }
    case .ndef: break
    }
    guard settings.mode == .phone, let refusal = grants.refusal(of: kind) else {
      return nil
    }
    settings.remark(.missingDeclaration(refusal.reason))
    return refusal
  }

  /// Ends the session once the exchange under way is over; `ended` follows. Has no effect on one
  /// that has ended.
  package func invalidate(_ reason: SessionError = SessionError(.userCanceled)) {
    let wasNew = state.withLock { state in
      if state.phase == .running, state.end == nil { state.end = reason }
      // Whoever comes first ends it, and nobody begins it afterwards.
      guard state.phase == .new else { return false }
      state.phase = .ended
      return true
    }
    if wasNew { finish(reason) } else { wake.signal() }
  }

  /// Looks for tags again; those that were delivered are no longer valid. Has no effect
  /// on a session that reads by itself: it polls again once the tags have gone (Apple, Core NFC,
  /// `restartPolling()`). `round`: what is looked for until polling is restarted once more; nil:
  /// what the session began with.
  package func restartPolling(_ round: Round? = nil) {
    if let round, let refusal = refusal(of: round.kind, round.grants) { return invalidate(refusal) }
    let isDone = state.withLock { state in
      guard !state.readsByItself else { return false }
      state.round = round
      state.generation += 1
      state.connected = nil
      state.needsRestart = false
      return true
    }
    if isDone { post { $0?.restart() } }
  }

  /// Connects to `tag`, one of those that were delivered last.
  package func connect(
    to tag: PhoneTag, completion: @escaping @Sendable (SessionError?) -> Void
  ) {
    post { worker in
      guard let worker else { return completion(SessionError(.sessionInvalidated)) }
      completion(worker.connect(to: tag))
    }
  }

  /// Does `work` with the connected `tag`.
  package func perform<Value: Sendable>(
    on tag: PhoneTag, _ work: @escaping @Sendable (TagWork) throws(SessionError) -> Value,
    completion: @escaping @Sendable (Result<Value, SessionError>) -> Void
  ) {
    if state.withLock({ $0.needsRestart }) { settings.remark(.noRestart) }
    post { worker in
      guard let worker else { return completion(.failure(SessionError(.sessionInvalidated))) }
      completion(worker.perform(on: tag, work))
    }
  }

  /// Reads the messages of the tags that were delivered last, and goes on polling once they have
  /// gone, or ends.
  package func readMessages() {
    state.withLock { $0.readsByItself = true }
    post { $0?.readMessages() }
  }

  /// The tag that is connected.
  package var connectedTag: PhoneTag? { state.withLock { $0.connected } }

  /// Is true if the reader is open and the session has not ended.
  package var isActive: Bool { state.withLock { $0.isActive } }

  /// Returns whether `tag` is connected and was there at the last exchange. Never blocks.
  package func isAvailable(_ tag: PhoneTag) -> Bool {
    !tag.hasGone && state.withLock { $0.phase == .running && $0.end == nil && $0.connected === tag }
  }

  private func post(_ post: @escaping Post) {
    let isTaken = state.withLock { state in
      guard state.phase == .running else { return false }
      state.posts.append(post)
      return true
    }
    if isTaken { wake.signal() } else { post(nil) }
  }
}

// MARK: The session's thread

extension PhoneSession {
  /// Why the session is to end; nil while it goes on.
  var wantedEnd: SessionError? { state.withLock { $0.end } }

  /// Is true if somebody waits for the thread.
  var hasWork: Bool { state.withLock { $0.end != nil || !$0.posts.isEmpty } }

  var generation: Int { state.withLock { $0.generation } }

  /// What is looked for now, and what the app may get of it.
  var sought: (kind: Kind, grants: AppGrants) {
    state.withLock { ($0.round?.kind ?? kind, $0.round?.grants ?? settings.grants) }
  }

  func nextPost() -> Post? {
    state.withLock { $0.posts.isEmpty ? nil : $0.posts.removeFirst() }
  }

  /// Waits until somebody wants something, or `deadline`.
  func wait(until deadline: ContinuousClock.Instant?) {
    guard let deadline else { return wake.wait() }
    let (seconds, attoseconds) = (deadline - .now).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = wake.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
  }

  func tell(_ event: Event) {
    if case .active = event { state.withLock { $0.isActive = true } }
    deliver(event)
  }

  func setConnected(_ tag: PhoneTag?) {
    state.withLock { state in
      guard let tag else {
        state.connected = nil
        return
      }
      if tag.generation == state.generation { state.connected = tag }
    }
  }

  func noteFailedConnect() { state.withLock { $0.needsRestart = true } }

  /// Says what was not done before the session ended.
  func remarkOnEnd() {
    if state.withLock({ $0.needsRestart && $0.end?.code == .sessionTimeout }) {
      settings.remark(.noRestart)
    }
  }

  /// The end: whoever waits is told first, the delegate last.
  func finish(_ reason: SessionError) {
    let posts = state.withLock { state in
      state.phase = .ended
      state.end = reason
      state.generation += 1
      (state.connected, state.isActive) = (nil, false)
      defer { state.posts = [] }
      return state.posts
    }
    for post in posts { post(nil) }
    settings.reader.gate.leave(self)
    deliver(.ended(reason))
  }
}
