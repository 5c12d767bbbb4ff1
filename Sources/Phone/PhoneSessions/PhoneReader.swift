import Bench
import PN532Simulator
import Readers
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reader that a process's sessions share, by its name.
///
/// Virtual tags lie on their board for as long as the process lives: what one session writes, the
/// next one reads.
package enum PhoneReader {
  /// Opens the reader called `name`; nil: NFCPROG_READER, else the only one found.
  package static func open(_ name: String?) throws(BenchError) -> ReaderSession {
    let choice = try choice(name)
    guard case .simulated = choice.place else { return try ReaderSession(opening: choice) }
    let port = try board(of: choice).port
    return try ReaderSession(opening: ReaderChoice(named: port))
  }

  /// Returns whether the reader can be had: found and, where it is a real one, opened a moment ago.
  /// Never disturbs a session.
  package static func isAvailable(_ name: String?) -> Bool {
    if SessionGate.isTaken { return true }
    let now = ContinuousClock.now
    if let known = state.withLock({ $0.answers[name ?? ""] }), known.until > now {
      return known.isAvailable
    }
    let isAvailable: Bool
    do throws(BenchError) {
      let choice = try choice(name)
      if case .simulated = choice.place {
        _ = try board(of: choice)
      } else {
        try ReaderSession(opening: choice).close()
      }
      isAvailable = true
    } catch {
      isAvailable = false
    }
    state.withLock { $0.answers[name ?? ""] = (isAvailable, .now + answerAge) }
    return isAvailable
  }

  /// Takes the virtual tags called `name` off their board and forgets them: the next session finds
  /// new ones.
  package static func forget(_ name: String) {
    guard let choice = try? choice(name) else { return }
    state.withLock { _ = $0.boards.removeValue(forKey: choice) }
  }

  /// Is true if a session of this process is active.
  package static var hasSession: Bool { SessionGate.isTaken }

  /// Is true if a phone of this process reads tags by itself.
  package static var isReadingByItself: Bool { SessionGate.hasBackground }

  /// The turn of a phone that reads tags by itself, to be ended; nil while a session is active or
  /// another turn lasts.
  package static func beginBackground() -> BackgroundTurn? { SessionGate.beginBackground() }

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

  private static let state = Mutex(State())

  private static func board(of choice: ReaderChoice) throws(BenchError) -> Board {
    guard case .simulated(let specs) = choice.place else { throw BenchError(.bug, "No board.") }
    return try state.withLock { state throws(BenchError) in
      if let board = state.boards[choice] { return board }
      let board = Board(try SimulatedReader(specs))
      state.boards[choice] = board
      return board
    }
  }
}
