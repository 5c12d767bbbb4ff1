import PN532
import PN532Simulator
import Readers
import Synchronization
import Traces

/// Has a simulated board answer as a trace says.
package final class ReplayScript: ChipScript, Sendable {
  private struct State {
    var board: ReplayBoard
    /// The rest of an answer that was longer than a frame; the host asks for it next.
    var rest: [UInt8] = []
    var time = ReplayTime()
    /// When an exchange of the trace was asked for last.
    var lastProgress = Duration.zero

    /// The time of the recorded run.
    mutating func now() -> Duration { time.look(board.nextStart) }
  }

  /// A run that asks for nothing of the trace for this long does not follow it any more.
  private static let patience = Duration.seconds(5)

  private let state: Mutex<State>
  private let isTimed: Bool

  package init(_ session: RecordedSession, keys: [[UInt8]] = [], isTimed: Bool) {
    state = Mutex(State(board: ReplayBoard(session, keys: keys)))
    self.isTimed = isTimed
  }

  /// The place where the run parted from the trace; nil while it follows the trace.
  package var divergence: ReplayBoard.Divergence? { state.withLock { $0.board.divergence } }

  /// The time of the recorded run. What a reader does because time has passed (it looks again for
  /// what else lies there, say) it does where it did it then, however slow this machine is.
  package var clock: HostClock {
    HostClock(
      now: { [self] in state.withLock { $0.now() } },
      sleep: { [self] duration in
        state.withLock { $0.time.sleep(duration, $0.board.nextStart) }
        if isTimed { HostClock.pause(duration) }
      })
  }

  /// Is true if all of the trace was asked for, or nothing of it for a while: no tag will come.
  package var isSpent: Bool {
    state.withLock { $0.board.remaining == 0 || $0.now() - $0.lastProgress > Self.patience }
  }

  /// Counts the exchanges so far.
  package var summary: ReplaySummary { state.withLock { ReplaySummary($0.board) } }

  /// Takes a key that the host is about to prove for the tag's, whose own the trace masks.
  package func learn(_ key: [UInt8]) { state.withLock { $0.board.learn(key) } }

  /// Goes on with a part of a report; false where it has none of this name.
  package func begin(part name: String) -> Bool {
    state.withLock { $0.board.begin(part: name) }
  }

  /// Fails with `configuration` where the run has parted from the trace.
  package func check() throws(BenchError) {
    guard let divergence else { return }
    throw BenchError(.configuration, sentence(divergence.text))
  }

  package func outcome(of command: [UInt8], own: () -> ChipOutcome) -> ScriptedOutcome {
    let code = (command.first ?? 0) &+ 1
    let rest = state.withLock { state -> [UInt8]? in
      guard command.count == 2, command[0] == CommandCode.inDataExchange.rawValue,
        !state.rest.isEmpty
      else {
        state.rest = []
        return nil
      }
      return Self.part(of: &state.rest)
    }
    if let rest { return ScriptedOutcome(.answer([code] + rest)) }
    let reply = state.withLock { state in
      state.time.passExchange()
      let before = state.board.remaining
      defer { if state.board.remaining != before { state.lastProgress = state.now() } }
      return state.board.answer(command)
    }
    // The simulated board carries out commands that set it up, though the trace gives their answer.
    let genuine = ReplayBoard.concernsBoard(command) ? own() : nil
    func wait(_ duration: Duration?) -> Duration? { isTimed ? duration : nil }
    switch reply {
    case .answer(let bytes, let duration):
      var rest = bytes
      if bytes.count > Self.longestPart, command.first == CommandCode.inDataExchange.rawValue {
        rest.removeFirst()
        let first = Self.part(of: &rest)
        state.withLock { $0.rest = rest }
        return ScriptedOutcome(.answer([code] + first), delay: wait(duration))
      }
      return ScriptedOutcome(
        .answer([code] + bytes.prefix(Self.longestPart)), delay: wait(duration))
    case .refused(let duration): return ScriptedOutcome(.syntaxError, delay: wait(duration))
    case .silence: return ScriptedOutcome(.hung)
    case .damaged: return ScriptedOutcome(.answer([code, 0x00]), fault: .damaged)
    case .board: return ScriptedOutcome(genuine ?? own())
    // The trace has no answer: the host finds the board unplugged, so that the run ends.
    case .lost, .notRecorded: return ScriptedOutcome(.syntaxError, fault: .unplugged)
    }
  }

  /// With the status, and the answer code before it.
  private static let longestPart = Frame.longestPayload - 1

  /// The next part, its status first: bit 6 says that more follow (UM0701-02, 7.3.8).
  private static func part(of rest: inout [UInt8]) -> [UInt8] {
    let part = rest.prefix(longestPart - 1)
    rest.removeFirst(part.count)
    return [rest.isEmpty ? 0x00 : 0x40] + part
  }
}
