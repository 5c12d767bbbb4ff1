import Synchronization

/// What the server counts of itself.
package final class ServerFigures: Sendable {
  private let answers = Mutex<[Int: Int]>([:])

  package init() {}

  package func count(_ status: Int) { answers.withLock { $0[status, default: 0] += 1 } }

  /// Answers by status.
  package var byStatus: [Int: Int] { answers.withLock(\.self) }
}
