import PN532
import TagMemory

/// What kept one of the operator's own commands from being answered well; commands are counted from
/// 1.
package enum RawCause: Hashable, Sendable {
  /// Somebody asked for the end before this command.
  case interrupted(command: Int, count: Int)
  /// The tag does not speak ISO-DEP, and APDUs were to be sent to it.
  case noISODEP
  /// The command, or what it asks for, is longer than what passes the reader; `reason` is a clause.
  case notCarried(command: Int, count: Int, reason: String)
  case noAnswer(command: Int, count: Int)
  /// The tag refused the command, or its answer was damaged: the chip cannot tell.
  case refused(command: Int, count: Int, StatusCode)
  /// A FeliCa tag answered with status flags that are no success.
  case flags(command: Int, count: Int, FeliCaStatus)
  /// The tag answered with a status that is no success.
  case status(command: Int, count: Int, StatusWord)
  /// The tag answered to an APDU with fewer bytes than a status has.
  case noStatus(command: Int, count: Int, byteCount: Int)

  var kind: JobFailure.Kind {
    switch self {
    case .interrupted: .interrupted
    case .noISODEP, .notCarried: .badInput
    case .noAnswer: .tagTrouble
    case .refused, .flags, .status, .noStatus: .refused
    }
  }
}
