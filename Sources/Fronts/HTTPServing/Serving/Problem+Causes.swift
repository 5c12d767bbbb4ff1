import Hummingbird

/// An error that says why a request has no other answer.
package protocol ProblemCause: Error {
  var problem: Problem { get }
}

extension Problem {
  /// Why the framework does not take a request; nil: the error says nothing about the request.
  private init?(_ error: any HTTPResponseError) {
    switch error.status {
    case .notFound: self.init(.notFound, "There is nothing at this address.")
    case .contentTooLarge: self.init(.tooLarge, "The request's body is larger than it may be.")
    case .badRequest: self.init(.badRequest, "The request is not understood.")
    case .unsupportedMediaType: self.init(.mediaType, "The content type is not taken here.")
    default: return nil
    }
  }

  /// Whatever was thrown while a request was answered by the server of this name.
  init(any error: any Error, of server: String) {
    if let problem = error as? Problem {
      self = problem
    } else if let error = error as? any ProblemCause {
      self = error.problem
    } else if let error = error as? any HTTPResponseError, let problem = Problem(error) {
      self = problem
    } else if error is CancellationError {
      self.init(
        .givenUp, "The client has closed its side of the connection, or the \(server) is ending.")
    } else {
      self.init(.failed, "The \(server) failed to answer: \(type(of: error)).")
    }
  }
}
