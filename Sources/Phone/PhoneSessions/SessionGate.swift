import Dispatch
import Synchronization

/// One session at a time with a reader, as on a phone; the phone reads by itself while there is
/// none.
final class SessionGate: Sendable {
  private struct State: Sendable {
    var holder: ObjectIdentifier?
    var background: BackgroundTurn?
  }

  private let state = Mutex(State())

  /// Returns whether `session` is the active one now. A phone that reads by itself is asked to
  /// stop.
  func enter(_ session: PhoneSession) -> Bool {
    state.withLock { state in
      guard state.holder == nil else { return false }
      state.holder = ObjectIdentifier(session)
      state.background?.stop()
      return true
    }
  }

  func leave(_ session: PhoneSession) {
    state.withLock { state in
      if state.holder == ObjectIdentifier(session) { state.holder = nil }
    }
  }

  /// Is true if any session is active.
  var isTaken: Bool { state.withLock { $0.holder != nil } }

  var hasBackground: Bool { state.withLock { $0.background != nil } }

  /// The turn of a phone that reads by itself; nil while a session is active, and while another
  /// such turn lasts.
  func beginBackground() -> BackgroundTurn? {
    state.withLock { state in
      guard state.holder == nil, state.background == nil else { return nil }
      let turn = BackgroundTurn(self)
      state.background = turn
      return turn
    }
  }

  func end(_ turn: BackgroundTurn) {
    state.withLock { state in
      if state.background === turn { state.background = nil }
    }
    turn.markEnded()
  }

  /// Waits until a phone that reads by itself has let go of the reader.
  func waitForBackground() { state.withLock(\.background)?.waitForEnd() }
}

/// While it lasts, a phone reads tags by itself and has the reader; a session that begins ends it.
package final class BackgroundTurn: Sendable {
  private let gate: SessionGate
  private let isStopped = Mutex(false)
  private let ended = DispatchGroup()

  init(_ gate: SessionGate) {
    self.gate = gate
    ended.enter()
  }

  /// Is true if a session wants the reader.
  package var isUnwanted: Bool { isStopped.withLock { $0 } }

  /// Gives the reader up.
  package func end() { gate.end(self) }

  func stop() { isStopped.withLock { $0 = true } }
  func markEnded() { ended.leave() }
  func waitForEnd() { ended.wait() }
}
