import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How a talk with a label printer failed.
enum PrinterConnectionError: Error, Hashable {
  /// No connection, and why.
  case unreachable(String)
  /// Nobody listens there now: it is off, or takes one connection at a time.
  case refused
  /// The printer ended the connection, without a word on it.
  case ended
  /// The connection broke, and why.
  case broken(String)
  /// No answer in time.
  case silent
  /// An answer that is no status.
  case otherAnswer

  /// Of an error that the system names by number.
  init(_ problem: CInt) {
    self =
      switch problem {
      case ECONNREFUSED: .refused
      case ECONNRESET, EPIPE: .ended
      case ETIMEDOUT: .unreachable("it does not answer")
      case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN:
        .unreachable("there is no way to it in the network")
      default: .unreachable("error \(problem) of the system")
      }
  }

  /// Is true if it may be otherwise in a moment: many printers serve one connection at a time.
  var isPassing: Bool { self == .refused || self == .ended }

  /// Is true if an answer may still come, when nobody expects it.
  var leavesAnswers: Bool { self == .silent || self == .otherAnswer }

  /// This is what stations are told of the failure.
  var obstacle: PrinterObstacle {
    switch self {
    case .unreachable(let reason), .broken(let reason): .unreachable(reason: reason)
    case .refused: .unreachable(reason: "the connection was refused")
    case .ended: .occupied
    case .silent: .silent
    case .otherAnswer: .otherAnswer
    }
  }

  /// What happened, as the part of a sentence.
  var what: String {
    switch self {
    case .unreachable(let reason), .broken(let reason): "the printer failed (\(reason))"
    case .refused: "the printer failed (the connection was refused)"
    case .ended: "the printer failed (it ended the connection)"
    case .silent: "the printer did not answer"
    case .otherAnswer: "the printer gave an answer that is no status"
    }
  }
}
