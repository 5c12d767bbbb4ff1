import Readers
import TagMemory
import TagProgramming

extension StepFailure {
  /// At which step, and why it was not carried out as planned.
  var sentence: String {
    if trouble == .stopped { return "Interrupted before step \(number) of \(count)." }
    return "Step \(number) of \(count), \(words), failed: \(trouble.clause)."
  }
}

extension StepFailure {
  /// The step as a plan prints it, without the gap before what it is for.
  private var words: String {
    step.description.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}

extension StepFailure.Trouble {
  fileprivate var clause: String {
    switch self {
    case .stopped: "interrupted"
    case .reader(let error): error.words
    case .keyRefused: "the tag refused the key"
    case .newKeyUnknown(let block):
      "the sector does not open with the key that was written to \(block)"
    case .newPasswordUnknown(let place):
      "the tag does not know the password that was written\(Self.behind(place))"
    case .otherAcknowledge(let place):
      "the tag acknowledges the password with other bytes than were written\(Self.behind(place))"
    case .passwordIgnored:
      "the tag accepted the write without the password, so this chip ignores its password"
    case .writeRefused(let error):
      "the tag is present but refuses the command\(error.reason.map { ": \($0)" } ?? "")"
    case .repairRefused(let place, let error):
      "\(place) does not hold what was written before, and the tag refuses to write it again\(error.reason.map { " (\($0))" } ?? "")"
    case .pageDiffers(let page, let found, let wanted):
      Type2Cause.difference(page, found, wanted)
    case .pagesMissing: "the tag shows fewer pages than were written"
    case .answered(let status): "the tag answered \(status.code), \(status)"
    case .repairAnswered(let place, let status):
      "\(place) does not hold what was written before, and the tag answered \(status.code), \(status), when it was written again"
    case .differs: "what was read back is not what was written"
    }
  }

  private static func behind(_ place: Place?) -> String { place.map { " (\($0))" } ?? "" }
}

extension ReaderError {
  /// What the chip told of an exchange that failed; nil where the tag has refused it by itself.
  fileprivate var reason: String? {
    switch self {
    case .exchangeFailed(let status): status.words
    case .feliCaStatus: nil
    default: words
    }
  }
}

extension StepFailure.Trouble {
  /// The reader's error behind it; nil: it has another cause.
  var readerError: ReaderError? {
    switch self {
    case .reader(let error), .writeRefused(let error), .repairRefused(_, let error): error
    default: nil
    }
  }
}
