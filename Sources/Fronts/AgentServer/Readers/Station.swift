import Bench
import Dispatch
import HTTPServing
import Readers
import Synchronization
import nfcprog

/// One reader that is held open, and those who wait for it: one has it at a time, the others get it
/// in the order in which they came.
final class Station: Sendable {
  /// As it stands in addresses.
  let id: String
  /// As people call it.
  let name: String
  let choice: ReaderChoice
  private let settings: ReaderSession.Settings
  /// The reader's own thread.
  private let thread: DispatchQueue
  private let held = Held()
  private let line = Mutex(Line())
  private let isEnding = Atomic(false)
  private let watching = Mutex<FieldWatch?>(nil)

  /// What the reader's thread alone touches.
  private final class Held: @unchecked Sendable {
    var session: ReaderSession?
    /// Is true if the reader has to be opened again.
    var isLost = false
  }

  private struct Line {
    var isTaken = false
    /// Is true if the last one could not use the reader.
    var isAway = false
    var last = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  /// How many may wait for one reader.
  private static let longestLine = 400
  /// How long one who has its turn waits for a reader that was unplugged.
  private static let patience = Duration.seconds(1)

  init(id: String, _ choice: ReaderChoice, _ settings: ReaderSession.Settings) {
    (self.id, name, self.choice, self.settings) = (
      id, choice.simulation ?? choice.name, choice, settings
    )
    thread = DispatchQueue(label: "reader \(id)")
  }

  /// `ready`, `busy` or `away`; how many wait.
  var state: (word: String, waiting: Int) {
    line.withLock { ($0.isTaken ? "busy" : $0.isAway ? "away" : "ready", $0.waiting.count) }
  }

  var isAwaited: Bool { line.withLock { !$0.waiting.isEmpty } }

  /// Asked between the steps of a job.
  var shouldStop: @Sendable () -> Bool { { [self] in isEnding.load(ordering: .relaxed) } }

  /// Looks at what lies there.
  var watch: FieldWatch {
    watching.withLock { watching in
      let watch = watching ?? FieldWatch(self)
      watching = watch
      return watch
    }
  }

  // MARK: Turns

  /// Waits for the reader and does `body` on it, on the reader's own thread, to its end: whoever
  /// asked for it may have gone. Throws `readerBusy` where others have it for longer than
  /// `patience`, `readerAway` where it does not answer, and `CancellationError` where the client
  /// goes before its turn.
  func perform<Value: Sendable>(
    for client: ClientPresence?, patience: Duration,
    _ body: @escaping @Sendable (ReaderSession) -> (Value, hasLostReader: Bool)
  ) async throws -> Value {
    try await enter(client, patience)
    return try await withCheckedThrowingContinuation { continuation in
      thread.async { [self] in
        let result = Result { try use(body) }
        leave()
        continuation.resume(with: result)
      }
    }
  }

  private func use<Value>(
    _ body: (ReaderSession) -> (Value, hasLostReader: Bool)
  ) throws -> Value {
    do throws(Problem) {
      let session = try open()
      line.withLock { $0.isAway = false }
      let (value, hasLostReader) = body(session)
      held.isLost = hasLostReader
      if hasLostReader { line.withLock { $0.isAway = true } }
      return value
    } catch {
      line.withLock { $0.isAway = true }
      throw error
    }
  }

  private func enter(_ client: ClientPresence?, _ patience: Duration) async throws {
    guard !shouldStop() else { throw Self.ending }
    let number = line.withLock { line in
      line.last += 1
      return line.last
    }
    let watch = client?.whenGone { [self] in giveUp(number, CancellationError()) }
    let clock = Task { [self] in
      try await Task.sleep(for: patience)
      giveUp(number, Self.busy)
    }
    defer {
      client?.forget(watch)
      clock.cancel()
    }
    try await withCheckedThrowingContinuation { continuation in
      let answer = line.withLock { line -> Result<Void, Problem>? in
        guard line.isTaken else {
          line.isTaken = true
          return .success(())
        }
        guard patience > .zero else { return .failure(Self.busy) }
        guard line.waiting.count < Self.longestLine else { return .failure(Self.full) }
        line.waiting.append((number, continuation))
        return nil
      }
      if let answer { continuation.resume(with: answer) }
    }
    if client?.isGone == true {
      leave()
      throw CancellationError()
    }
  }

  private static let busy = Problem(
    .readerBusy, "Another job is being done at this reader. Nothing was done.", retryAfter: 1)
  private static let full = Problem(.busy, "Too many wait for this reader.", retryAfter: 2)
  private static let ending = Problem(
    .busy, "The agent is about to end. Nothing was done.", retryAfter: 2)

  private func giveUp(_ number: Int, _ error: any Error) {
    let waiting = line.withLock { line -> CheckedContinuation<Void, any Error>? in
      guard let index = line.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return line.waiting.remove(at: index).continuation
    }
    waiting?.resume(throwing: error)
  }

  private func leave() {
    let next = line.withLock { line -> CheckedContinuation<Void, any Error>? in
      guard !line.waiting.isEmpty else {
        line.isTaken = false
        return nil
      }
      return line.waiting.removeFirst().continuation
    }
    next?.resume()
  }

  // MARK: The reader

  /// The open reader, on its thread.
  private func open() throws(Problem) -> ReaderSession {
    if let session = held.session, held.isLost {
      if session.canReturn {
        do throws(ReaderError) {
          try session.reopen(patience: Self.patience, shouldStop: shouldStop)
        } catch {
          throw Problem(exitStatus: 69, Served.sentence(BenchError(error)))
        }
        held.isLost = false
        return session
      }
      try? session.close()
      held.session = nil
    }
    if let session = held.session { return session }
    do throws(BenchError) {
      let session = try ReaderSession(opening: choice, settings)
      (held.session, held.isLost) = (session, false)
      return session
    } catch {
      throw Problem(exitStatus: Served.status(of: error), Served.sentence(error))
    }
  }

  /// Ends the job under way at its next safe point and closes the reader, which saves what virtual
  /// tags hold. Returns what went wrong.
  func close() -> String? {
    isEnding.store(true, ordering: .relaxed)
    let waiting = line.withLock { line in
      defer { line.waiting = [] }
      return line.waiting
    }
    for one in waiting { one.continuation.resume(throwing: Self.ending) }
    return thread.sync {
      defer { held.session = nil }
      do throws(BenchError) {
        try held.session?.close()
        return nil
      } catch {
        return Served.sentence(error)
      }
    }
  }
}
