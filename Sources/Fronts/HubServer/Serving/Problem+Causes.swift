import HTTPServing
import HubKit

extension Problem.Kind {
  static let noBatch = Self("no-batch", .notFound, "There is no such batch")
  static let noJob = Self("no-job", .notFound, "There is no such job")
  static let exists = Self("exists", .conflict, "There is such a batch already")
  static let closed = Self("closed", .conflict, "The batch is closed")
  static let oneJournal = Self("one-journal", .conflict, "The hub shows a journal's file")
  static let badList = Self("bad-list", .unprocessableContent, "The list has mistakes")
  static let away = Self(
    "away", .serviceUnavailable, "The journal or the database does not answer")

  /// All that a hub answers with.
  static let ofHub: [Self] =
    shared + [.noBatch, .noJob, .exists, .closed, .oneJournal, .badList, .away]
}

extension HubError: ProblemCause {
  /// Why the store does not answer.
  package var problem: Problem {
    switch self {
    case .away: Problem(.away, "\(self)", retryAfter: 5)
    case .noBatch: Problem(.noBatch, "\(self)")
    case .badList(let mistakes):
      Problem(
        .badList, "The list was not taken. Correct the rows and send it again.",
        mistakes: mistakes)
    case .exists: Problem(.exists, "\(self)")
    case .closed: Problem(.closed, "\(self)")
    case .reusedKey: Problem(.reusedKey, "\(self)")
    case .oneJournal: Problem(.oneJournal, "\(self)")
    case .notAllowed: Problem(.notAllowed, "\(self)")
    case .failed: Problem(.failed, "\(self)")
    }
  }
}
