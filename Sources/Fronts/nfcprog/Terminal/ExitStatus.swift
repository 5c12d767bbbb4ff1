import Bench

/// What the exit status says, after sysexits.h; scripts depend on the numbers.
enum ExitStatus: Int32 {
  /// Every tag asked for is in its wanted state, verified by reading it back.
  case success = 0
  case usage = 64
  /// A URL, a message, a key file or the like is not what it should be, or does not fit the tag.
  case badInput = 65
  /// An input file cannot be read.
  case noInput = 66
  /// No reader, or it is busy, forbidden or not answering.
  case unavailable = 69
  /// A mistake in nfcprog.
  case bug = 70
  /// An output file cannot be written.
  case cannotCreate = 73
  /// The tag was lost, removed, swapped or answered with errors, or several lay in the field.
  case tagTrouble = 74
  /// No tag was presented in time; or what was to be asked could not be, and may be another time.
  case noTag = 75
  /// What was read back is not what was written.
  case mismatch = 76
  /// The tag refused: authentication, locks, read-only, a password.
  case refused = 77
  /// The environment or a configuration file says something impossible.
  case configuration = 78
  /// Somebody asked for the run to end.
  case interrupted = 130
}

extension ExitStatus {
  /// How a command ends that failed with `code`.
  init(_ code: BenchError.Code) {
    self =
      switch code {
      case .usage: .usage
      case .badInput: .badInput
      case .noInput: .noInput
      case .unavailable: .unavailable
      case .bug: .bug
      case .cannotCreate: .cannotCreate
      case .tagTrouble: .tagTrouble
      case .noTag: .noTag
      case .mismatch: .mismatch
      case .refused: .refused
      case .configuration: .configuration
      case .interrupted: .interrupted
      }
  }

  /// Makes the status of a command that failed with `code`; nil: it succeeded.
  init(failing code: BenchError.Code?) { self = code.map(ExitStatus.init) ?? .success }
}

extension BenchError {
  /// How a command ends that failed so.
  var status: ExitStatus { ExitStatus(code) }

  /// What happened and what to do next, in one line.
  var message: String {
    ([reason] + remedies.map(RemedyText.sentence) + [consequence].compactMap(\.self))
      .joined(separator: " ")
  }
}

extension FailureJSON {
  init(_ error: BenchError) { self.init(code: error.status.rawValue, message: error.message) }
}
