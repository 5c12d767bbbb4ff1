import RecordText
import TagProgramming

extension BenchError.Code {
  /// The code of a failure of a tag, or of a reader at work.
  package init(_ kind: JobFailure.Kind) {
    self =
      switch kind {
      case .badInput: .badInput
      case .readerUnavailable: .unavailable
      case .internalError: .bug
      case .tagTrouble: .tagTrouble
      case .noTag: .noTag
      case .mismatch: .mismatch
      case .refused: .refused
      case .configuration: .configuration
      case .interrupted: .interrupted
      }
  }
}

extension BenchError {
  /// A record that cannot be made of its text.
  package init(_ error: RecordTextError) {
    self.init(error.kind == .noInput ? .noInput : .badInput, error.message)
  }
}
