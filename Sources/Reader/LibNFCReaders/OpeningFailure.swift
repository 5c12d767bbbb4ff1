import Readers

/// The reason why a link does not open: an error for the caller, and the obstacle if it is known.
struct OpeningFailure: Error {
  let error: ReaderError
  let obstacle: Obstacle?

  init(_ error: ReaderError) { (self.error, obstacle) = (error, nil) }

  /// `obstacle` in the way of `reader`; `consequence`, a clause, follows its description.
  init(_ obstacle: Obstacle, reader: String, consequence: String? = nil) {
    self.obstacle = obstacle
    if case .held(let holder) = obstacle {
      error = .busy(reader: reader, holder: holder)
    } else {
      let parts = [obstacle.description, consequence].compactMap(\.self)
      error = .cannotOpen(reader: reader, reason: parts.joined(separator: "; "))
    }
  }
}

extension OpeningFailure {
  /// Runs `body`, whose failures are no known obstacles.
  static func of<Result>(
    _ body: () throws(ReaderError) -> Result
  ) throws(OpeningFailure) -> Result {
    do throws(ReaderError) { return try body() } catch { throw OpeningFailure(error) }
  }
}
