import HubKit
import Hummingbird

extension Problem {
  /// Why the store does not answer.
  init(_ error: HubError) {
    switch error {
    case .away: self.init(.away, "\(error)", retryAfter: 5)
    case .noBatch: self.init(.noBatch, "\(error)")
    case .badList(let mistakes):
      self.init(
        .badList, "The list was not taken. Correct the rows and send it again.",
        mistakes: mistakes)
    case .exists: self.init(.exists, "\(error)")
    case .closed: self.init(.closed, "\(error)")
    case .reusedKey: self.init(.reusedKey, "\(error)")
    case .oneJournal: self.init(.oneJournal, "\(error)")
    case .notAllowed: self.init(.notAllowed, "\(error)")
    case .failed: self.init(.failed, "\(error)")
    }
  }

  /// Why the framework does not take a request; nil: the error says nothing about the request.
  init?(_ error: any HTTPResponseError) {
    switch error.status {
    case .notFound: self.init(.notFound, "There is nothing at this address.")
    case .contentTooLarge: self.init(.tooLarge, "The request's body is larger than it may be.")
    case .badRequest: self.init(.badRequest, "The request is not understood.")
    case .unsupportedMediaType: self.init(.mediaType, "The content type is not taken here.")
    default: return nil
    }
  }

  /// Whatever was thrown while a request was answered.
  init(any error: any Error) {
    if let problem = error as? Problem {
      self = problem
    } else if let error = error as? HubError {
      self.init(error)
    } else if let error = error as? any HTTPResponseError, let problem = Problem(error) {
      self = problem
    } else {
      self.init(.failed, "The hub failed to answer: \(type(of: error)).")
    }
  }
}
