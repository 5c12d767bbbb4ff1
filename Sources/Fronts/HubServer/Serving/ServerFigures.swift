import Synchronization

/// What the server counts of itself.
final class ServerFigures: Sendable {
  private let answers = Mutex<[Int: Int]>([:])

  func count(_ status: Int) { answers.withLock { $0[status, default: 0] += 1 } }

  /// Answers by status.
  var byStatus: [Int: Int] { answers.withLock(\.self) }
}
