import Bytes
import TagProgramming

extension RawCause {
  var sentence: String {
    switch self {
    case .interrupted(let command, let count):
      "Interrupted before command \(command) of \(count)."
    case .noISODEP: "The tag does not speak ISO-DEP (ISO/IEC 14443-4), so it takes no APDUs."
    case .notCarried(let command, let count, let reason):
      "Command \(command) of \(count) does not pass the reader: \(reason). Nothing was sent."
    case .noAnswer(let command, let count):
      "Command \(command) of \(count): the tag did not answer in time."
    case .refused(let command, let count, let status):
      "Command \(command) of \(count): the tag refused it, or its answer was damaged (\(status))."
    case .flags(let command, let count, let status):
      "Command \(command) of \(count): the tag refused it (status flags \(status))."
    case .noStatus(let command, let count, let byteCount):
      "Command \(command) of \(count): the tag answered with \(counted(byteCount, "byte")), and an APDU is answered with two or more: it has commands of its own."
    case .status(let command, let count, let status):
      "Command \(command) of \(count): the tag answered "
        + "\(Hex.string([status.sw1, status.sw2]).uppercased()), \(status)."
    }
  }
}
