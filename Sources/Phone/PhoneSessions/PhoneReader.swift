import Bench
import PN532Simulator
import Readers
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reader that sessions share, by its name: one session at a time, as on a phone.
///
/// A process has one, and a test may have its own. Virtual tags lie on their board for as long as
/// this lives: what one session writes, the next one reads.
package final class PhoneReader: Sendable {
  /// The process's.
  package static let shared = PhoneReader()

  let gate = SessionGate()
  private let state = Mutex(State())

  package init() {}

  /// Opens the reader called `name`; nil: NFCPROG_READER, else the only one found.
  package func open(_ name: String?) throws(BenchError) -> ReaderSession {
    let choice = try Self.choice(name)
    guard case .simulated = choice.place else { return try ReaderSession(opening: choice) }
    let port = try board(of: choice).port
    return try ReaderSession(opening: ReaderChoice(named: port))
  }

  /// Returns whether the reader can be had: found and, where it is a real one, opened a moment ago.
  /// Never disturbs a session.
  package func isAvailable(_ name: String?) -> Bool {
    if gate.isTaken { return true }
    let now = ContinuousClock.now
    if let known = state.withLock({ $0.answers[name ?? ""] }), known.until > now {
      return known.isAvailable
    }
    let isAvailable: Bool
    do throws(BenchError) {
      let choice = try Self.choice(name)
      if case .simulated = choice.place {
        _ = try board(of: choice)
      } else {
        try ReaderSession(opening: choice).close()
      }
      isAvailable = true
    } catch {
      isAvailable = false
    }
    state.withLock { $0.answers[name ?? ""] = (isAvailable, .now + Self.answerAge) }
    return isAvailable
  }

  /// Takes the virtual tags called `name` off their board and forgets them: the next session finds
  /// new ones.
  package func forget(_ name: String) {
    guard let choice = try? Self.choice(name) else { return }
    state.withLock { _ = $0.boards.removeValue(forKey: choice) }
  }

  /// Is true if a session with this reader is active.
  package var hasSession: Bool { gate.isTaken }

  /// Is true if a phone reads tags by itself on this reader.
  package var isReadingByItself: Bool { gate.hasBackground }

  /// The turn of a phone that reads tags by itself, to be ended; nil while a session is active or
  /// another turn lasts.
  package func beginBackground() -> BackgroundTurn? { gate.beginBackground() }

  private static let answerAge = Duration.seconds(2)

  private static func choice(_ name: String?) throws(BenchError) -> ReaderChoice {
    if let name { return try ReaderChoice(named: name) }
    if let name = unsafe getenv("NFCPROG_READER").map({ unsafe String(cString: $0) }), !name.isEmpty
    {
      return try ReaderChoice(named: name)
    }
    return try ReaderChoice.only()
  }

  /// A board runs on a thread of its own; its path is all that is asked of it here.
  private final class Board: @unchecked Sendable {
    let reader: SimulatedReader
    init(_ reader: SimulatedReader) { self.reader = reader }
    var port: String { reader.port }
  }

  private struct State {
    var boards: [ReaderChoice: Board] = [:]
    var answers: [String: (isAvailable: Bool, until: ContinuousClock.Instant)] = [:]
  }

  private func board(of choice: ReaderChoice) throws(BenchError) -> Board {
    guard case .simulated(let specs) = choice.place else { throw BenchError(.bug, "No board.") }
    return try state.withLock { state throws(BenchError) in
      if let board = state.boards[choice] { return board }
      let board = Board(try SimulatedReader(specs))
      state.boards[choice] = board
      return board
    }
  }
}
