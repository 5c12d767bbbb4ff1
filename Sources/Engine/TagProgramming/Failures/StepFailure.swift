import Readers
import TagMemory

/// A step of a plan that was not carried out as planned.
package struct StepFailure: Hashable, Sendable {
  /// Why not.
  package enum Trouble: Hashable, Sendable {
    /// Somebody asked for the end before it; every step so far is complete.
    case stopped
    /// The exchange failed.
    case reader(ReaderError)
    /// The tag refused a key that it should have had from the start.
    case keyRefused
    /// The sector does not open with the key that this program has written to its trailer, this
    /// block.
    case newKeyUnknown(Block)
    /// The tag does not know the password that was written there.
    case newPasswordUnknown(Place?)
    /// The tag acknowledges the password with other bytes than were written there.
    case otherAcknowledge(Place?)
    /// The tag took a write that should have needed the password.
    case passwordIgnored
    /// The tag is there and refuses the write, by its answer or by none.
    case writeRefused(ReaderError)
    /// This run has written there before, the tag holds something else, and it refuses to have it
    /// written again.
    case repairRefused(Place, ReaderError)
    /// The tag answered with a status that says it was not carried out.
    case answered(StatusWord)
    /// The tag answered with a status that says it was not carried out, where this run has written
    /// before and the tag holds something else.
    case repairAnswered(Place, StatusWord)
    /// A page holds something else than was written.
    case pageDiffers(Page, found: [UInt8], wanted: [UInt8])
    /// The tag shows fewer pages than were written.
    case pagesMissing
    /// What was read back is not what was written.
    case differs

    var readerError: ReaderError? { if case .reader(let error) = self { error } else { nil } }
  }

  package let step: TagProgram.Step
  /// Its number, from 1, and how many the program has.
  package let number: Int
  package let count: Int
  package let trouble: Trouble

  var kind: JobFailure.Kind {
    switch trouble {
    case .stopped: .interrupted
    case .reader(let error): error.kind
    case .keyRefused, .writeRefused, .answered: .refused
    case .newKeyUnknown, .newPasswordUnknown, .otherAcknowledge, .passwordIgnored, .repairRefused,
      .repairAnswered, .pageDiffers, .pagesMissing, .differs:
      .mismatch
    }
  }
}

extension StepFailure {
  /// Says what `failure` means in `program`, which it ended.
  init(_ failure: Execution.Failure, in program: TagProgram) {
    step = failure.step
    number = failure.index + 1
    count = program.steps.count
    trouble = Self.trouble(failure, in: program)
  }

  private static func trouble(_ failure: Execution.Failure, in program: TagProgram) -> Trouble {
    switch failure.trouble {
    case .stopped: return .stopped
    case .unprotected: return .passwordIgnored
    case .keyRefused:
      if case .authenticate(.password) = failure.step.action {
        return .newPasswordUnknown(program.secretPlaces.first)
      }
      return program.trailer(writtenBefore: failure).map(Trouble.newKeyUnknown) ?? .keyRefused
    case .answered(let status):
      if let place = failure.step.written?.place, program.repairs.contains(place) {
        return .repairAnswered(place, status)
      }
      return .answered(status)
    case .differs(let found): return difference(failure.step, found, program)
    case .reader(let error):
      guard error.mayRefuse, failure.step.isWrite else { return .reader(error) }
      if let place = failure.step.written?.place, program.repairs.contains(place) {
        return .repairRefused(place, error)
      }
      return .writeRefused(error)
    }
  }

  /// What a check has found, and where.
  private static func difference(
    _ step: TagProgram.Step, _ found: [UInt8], _ program: TagProgram
  ) -> Trouble {
    switch step.action {
    case .check(let expected):
      guard let first = step.place.page else { return .differs }
      for (index, unit) in AreaUpdate.units(of: found, size: Page.byteCount).enumerated() {
        let wanted = expected.dropFirst(index * Page.byteCount).prefix(Page.byteCount)
        guard !zip(unit, wanted).allSatisfy({ $1 == nil || $0 == $1 }) else { continue }
        let bytes = zip(unit, wanted).map { $1 ?? $0 }
        return .pageDiffers(first.advanced(by: index), found: unit, wanted: bytes)
      }
      return .pagesMissing
    case .authenticate(.password): return .otherAcknowledge(program.secretPlaces.last)
    default: return .differs
    }
  }
}

extension ReaderError {
  /// Is true if a tag that is there answers a write so that it refuses.
  fileprivate var mayRefuse: Bool {
    switch self {
    case .exchangeFailed, .feliCaStatus: true
    default: false
    }
  }
}

extension TagProgram {
  /// The places of the password and its acknowledge, as the program writes them.
  fileprivate var secretPlaces: [Place] { steps.filter { $0.purpose == .secret }.map(\.place) }

  /// The trailer whose new keys the failed step asked for: of the sector that it opens, written
  /// before it.
  fileprivate func trailer(writtenBefore failure: Execution.Failure) -> Block? {
    guard let sector = failure.step.place.sector else { return nil }
    let isWritten = steps[..<failure.index].contains {
      $0.written?.place == .block(sector.trailer)
    }
    return isWritten ? sector.trailer : nil
  }
}
