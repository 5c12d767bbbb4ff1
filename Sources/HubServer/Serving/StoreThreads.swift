import Foundation
import HubKit

/// Threads for what blocks: reading a journal, asking a database. The threads that serve
/// connections never wait for a disk.
package struct StoreThreads: Sendable {
  private let queue: OperationQueue
  /// How many may wait for a thread.
  private static let longestQueue = 400

  package init(count: Int = 6) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = count
  }

  /// Runs `body` on one of the threads. Throws `busy` where too many wait for one.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard queue.operationCount < Self.longestQueue else {
      throw Problem(.busy, "The hub has too much to do at the moment.", retryAfter: 2)
    }
    return try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result { try body() }) }
    }
  }
}
