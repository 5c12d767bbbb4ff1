import TagProgramming
import Wording

extension JobFailure {
  /// All of it in sentences.
  var message: String { message { _ in nil } }

  var isPasswordRefused: Bool {
    if case .type2(.passwordRefused) = cause { true } else { false }
  }
}

extension Remedy {
  /// Whether it asks for the operator's leave to give up what is on the tag.
  var permits: Bool {
    switch self {
    case .permitOverwrite, .permitForce, .permitGuessedSize, .rewriteMessage, .runAgainInDoubt: true
    default: false
    }
  }
}
