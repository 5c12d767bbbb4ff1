import Bench
import JSON

/// What a served command says when it has ended.
package enum ServedAnswer: Sendable {
  /// The document of `--json`, and the status with which the command would end.
  case ended(Ending)
  /// The tag loses something for good, and nobody has said yes to that: nothing was written.
  case unconfirmed
  /// What was said yes to is not what would be done to this tag: nothing was written.
  case otherPlan

  /// Is true if the command has ended, and did not only ask for a yes.
  package var isAboutTag: Bool { if case .ended = self { true } else { false } }

  /// Is true if the reader does not answer, and has to be opened again.
  package var hasLostReader: Bool {
    if case .ended(let ending) = self { ending.hasLostReader } else { false }
  }

  /// The end of a command on a tag, or of one that has found none.
  package struct Ending: Sendable {
    /// The exit status.
    package var status: Int32
    package var document: String
    /// What went wrong; nil: nothing did.
    package var message: String?
    /// Is true if the reader does not answer, and has to be opened again.
    package var hasLostReader = false
  }
}

/// A document with what an agent alone says beside it.
struct ServedDocument<Document: OutputDocument>: OutputDocument {
  static var schema: Int { Document.schema }

  var document: Document
  /// Of a plan that somebody has to say yes to.
  var confirm: String?
  /// Of a dump, in Base64.
  var data: String?

  private enum CodingKeys: String, CodingKey { case confirm, data }

  func encode(to encoder: any Encoder) throws {
    try document.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(confirm, forKey: .confirm)
    try container.encodeIfPresent(data, forKey: .data)
  }
}
