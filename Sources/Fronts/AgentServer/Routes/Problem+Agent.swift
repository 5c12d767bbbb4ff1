import HTTPServing
import Hummingbird

extension Problem.Kind {
  static let noReader = Self("no-reader", .notFound, "There is no such reader")
  static let readerBusy = Self("reader-busy", .conflict, "The reader is at work")
  static let readerAway = Self(
    "reader-away", .serviceUnavailable, "The reader does not answer")
  static let unconfirmed = Self(
    "unconfirmed", .init(code: 428, reasonPhrase: "Precondition Required"),
    "This cannot be undone, and nobody has said yes to it")
  static let otherPlan = Self(
    "other-plan", .conflict, "What was confirmed is not what would be done")
  static let noTag = Self("no-tag", .notFound, "No tag was presented in time")
  static let siteAway = Self(
    "site-away", .badGateway, "The site that names its apps does not answer")
  static let badInput = Self(
    "bad-input", .unprocessableContent, "What was given does not do, or does not fit the tag")
  static let tagTrouble = Self(
    "tag-trouble", .conflict, "The tag was lost, or answered with errors")
  static let refused = Self("refused", .unprocessableContent, "The tag refused")
  static let mismatch = Self(
    "mismatch", .internalServerError, "What was read back is not what was written")
  static let notKnown = Self(
    "not-known", .conflict, "Nobody knows how the request with this key has ended")

  /// Those that an agent answers with beside those of every server.
  static let ofAgent: [Self] =
    shared + [
      .noReader, .readerBusy, .readerAway, .unconfirmed, .otherPlan, .noTag, .siteAway, .badInput,
      .tagTrouble, .refused, .mismatch, .notKnown,
    ]

  /// What a command ended with, by its exit status.
  init(exitStatus: Int32) {
    self =
      switch exitStatus {
      case 64: .badRequest
      case 65, 66: .badInput
      case 69: .readerAway
      case 74: .tagTrouble
      case 75: .noTag
      case 76: .mismatch
      case 77: .refused
      case 130: .busy
      default: .failed
      }
  }
}

extension Problem {
  /// A command that has failed so; `report` is its document.
  init(exitStatus: Int32, _ message: String, report: String? = nil) {
    let kind = Kind(exitStatus: exitStatus)
    self.init(kind, message, retryAfter: kind == .readerAway || kind == .busy ? 2 : nil)
    (code, self.report) = (exitStatus, report)
  }
}
