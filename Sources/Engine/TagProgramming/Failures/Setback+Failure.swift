import Readers
import TagMemory

extension Setback {
  /// Is true if surveying and planning again may help.
  var isWorthAnotherPass: Bool {
    switch self {
    case .failure: false
    case .reader(let error): error.isPassing
    case .execution(let failure):
      switch failure.trouble {
      case .reader(let error): error.isPassing
      case .keyRefused, .differs, .unprotected, .answered: true
      case .stopped: false
      }
    }
  }

  /// What the run ends with, if this is its end. `program` is the last that was begun; `holds` is
  /// what the tag holds since this run has sent a write, nil before.
  func failure(in program: TagProgram?, holding holds: Holds?) -> JobFailure {
    switch self {
    case .failure(var failure):
      switch failure.holds {
      // What a planner refuses to change may have been changed by an earlier pass.
      case nil, .passwordCounted:
        failure.holds = holds ?? failure.holds ?? .unchanged
      default: break
      }
      return failure
    case .reader(let error):
      return JobFailure(
        .reader(error), holds: holds ?? .unchanged,
        remedy: error.remedy(after: program) ?? error.remedy)
    case .execution(let failure):
      let program = program ?? TagProgram()
      let step = StepFailure(failure, in: program)
      return JobFailure(
        .step(step), holds: holds ?? .unchanged, remedy: remedy(for: step.trouble, program))
    }
  }

  private func remedy(for trouble: StepFailure.Trouble, _ program: TagProgram) -> Remedy {
    switch trouble {
    case .stopped: .runAgainOnTag
    case .keyRefused: .giveKey
    case .writeRefused, .answered: .readTagInfo
    case .repairRefused, .repairAnswered, .passwordIgnored: .useAnotherTag
    case .newKeyUnknown, .newPasswordUnknown, .otherAcknowledge, .pageDiffers, .pagesMissing,
      .differs:
      .runAgainOnce
    case .reader(let error):
      error.remedy(after: program)
        ?? (error.isOfTag ? .putTagBack : error.remedy ?? .runAgain)
    }
  }
}

extension TagProgram {
  /// Takes note of where the program stopped.
  mutating func note(_ failure: Execution.Failure) {
    torn = failure.trouble == .stopped ? nil : Holds.Torn(failure.step, in: self)
  }

  /// Where the write that failed may have left what the same command cannot tell from somebody's
  /// data; nil where there is no doubt.
  fileprivate var doubt: Place? { torn?.place == blindSpot ? blindSpot : nil }
}

extension JobFailure {
  /// What a wait for a tag ends with.
  package init(waiting error: ReaderError) {
    self =
      error == .noTag
      ? JobFailure(.noTagInTime, remedy: .presentTag)
      : JobFailure(
        .reader(error), holds: error.isOfTag ? .unchanged : nil, remedy: error.remedy)
  }
}

extension ReaderError {
  /// Is true if the same exchange may succeed a moment later.
  fileprivate var isPassing: Bool {
    switch self {
    case .exchangeFailed, .wrongAnswerLength, .boardSilent, .boardGarbled, .boardRefused: true
    case .tagLost(_, let found): found == nil
    case .cannotOpen, .busy, .boardLost, .agentLost, .interrupted, .noTag, .severalTags,
      .feliCaStatus, .notRecorded, .notCarried:
      false
    }
  }

  /// Is true if it is the tag's rather than the reader's.
  fileprivate var isOfTag: Bool { kind == .tagTrouble }

  /// What to do where `program` has left a place in doubt; nil where it has not, and where the same
  /// command would get the same answers.
  fileprivate func remedy(after program: TagProgram?) -> Remedy? {
    if case .notRecorded = self { return nil }
    return program?.doubt.map(Remedy.runAgainInDoubt)
  }

  /// What a person can do about it; nil where the reason itself says that.
  var remedy: Remedy? {
    switch self {
    case .cannotOpen, .busy, .notCarried: nil
    case .boardSilent, .boardLost, .boardGarbled, .boardRefused: .checkReader
    case .interrupted, .agentLost: .runAgain
    case .notRecorded: .compareWithTrace
    case .noTag: .presentTag
    case .severalTags: .leaveOneTag
    case .tagLost(let expected, let found?) where expected.isRandom && found.isRandom:
      .layOneRandomTag
    case .tagLost(_, nil): .putTagBack
    case .tagLost: .putFirstTagBack
    case .exchangeFailed, .wrongAnswerLength: .layTagFlat
    case .feliCaStatus: .readTagInfo
    }
  }
}
