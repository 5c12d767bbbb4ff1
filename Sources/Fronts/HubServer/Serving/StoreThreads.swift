import Foundation
import HTTPServing
import Synchronization

/// Threads for what blocks: reading a journal, asking a database, checking a list. They are none of
/// those that serve connections, nor of those on which Swift runs its tasks: however long a list
/// is, the hub answers.
package final class StoreThreads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
    var idle = 0
    var isOver = false
  }

  /// What the threads share: they hold no `StoreThreads`, and so end with it.
  private final class Work: Sendable {
    let state = Mutex(State())
    let something = DispatchSemaphore(value: 0)
  }

  private let count: Int
  private let isLongWork: Bool
  private let work = Work()
  /// How many may wait for a thread.
  private static let longestQueue = 400

  /// `isLongWork`: the other threads of this machine go first.
  package init(count: Int = 6, isLongWork: Bool = false) {
    (self.count, self.isLongWork) = (count, isLongWork)
  }

  deinit {
    let threads = work.state.withLock { state in
      state.isOver = true
      return state.threads
    }
    for _ in 0..<threads { work.something.signal() }
  }

  /// Runs `body` on one of the threads. Throws `busy` where too many wait for one.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = add { continuation.resume(with: Result { try body() }) }
      if !isTaken {
        continuation.resume(
          throwing: Problem(
            .busy, "The hub has too much to do at the moment.", retryAfter: 2))
      }
    }
  }

  /// False: too many wait.
  private func add(_ body: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, isNew) = work.state.withLock { state in
      guard state.waiting.count < Self.longestQueue else { return (false, false) }
      state.waiting.append(body)
      let isNew = state.waiting.count > state.idle && state.threads < count
      if isNew {
        state.threads += 1
        state.idle += 1
      }
      return (true, isNew)
    }
    if isNew {
      Thread.detachNewThread { [work, isLongWork] in
        if isLongWork { Self.stepBack() }
        Self.serve(work)
      }
    }
    if isTaken { work.something.signal() }
    return isTaken
  }

  private static func serve(_ work: Work) {
    while true {
      work.something.wait()
      let next = work.state.withLock { state -> (@Sendable () -> Void)? in
        guard !state.waiting.isEmpty else { return nil }
        state.idle -= 1
        return state.waiting.removeFirst()
      }
      if let next {
        next()
        work.state.withLock { $0.idle += 1 }
      } else if work.state.withLock(\.isOver) {
        return
      }
    }
  }

  /// On Linux each thread has a priority of its own (setpriority(2)); elsewhere a quality of
  /// service.
  private static func stepBack() {
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #else
      Thread.current.qualityOfService = .utility
    #endif
  }
}
