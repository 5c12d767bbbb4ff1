import Readers
import TagMemory

/// The sentences of a failed job: what happened and where, what the tag holds now, what to do next.
enum FailureText {
  static func whileWaiting(_ error: ReaderError) -> ProgramFailure {
    switch error {
    case .noTag:
      ProgramFailure(
        .noTag, "No tag was presented in time.", next: "lay a tag on the reader and run it again.")
    default: text(of: .reader(error), program: nil, hasWritten: false)
    }
  }

  /// Whether surveying and planning anew may help.
  static func isWorthAnotherPass(_ setback: Setback) -> Bool {
    switch setback {
    case .failure: false
    case .reader(let error): isPassing(error)
    case .execution(let failure):
      switch failure.trouble {
      case .reader(let error): isPassing(error)
      case .keyRefused, .differs, .unprotected: true
      case .stopped: false
      }
    }
  }

  /// Whether the same exchange may succeed a moment later.
  private static func isPassing(_ error: ReaderError) -> Bool {
    switch error {
    case .exchangeFailed, .wrongAnswerLength, .boardSilent, .boardGarbled, .boardRefused: true
    case .tagLost(_, let found): found == nil
    case .cannotOpen, .busy, .boardLost, .interrupted, .noTag, .severalTags: false
    }
  }

  /// Why a pass failed, for verbose output.
  static func reason(_ setback: Setback) -> String {
    switch setback {
    case .reader(let error): "\(error)"
    case .failure(let failure): failure.what
    case .execution(let failure): "\(failure.step): \(words(failure.trouble))"
    }
  }

  private static func words(_ trouble: Execution.Trouble) -> String {
    switch trouble {
    case .reader(let error): "\(error)"
    case .keyRefused: "the tag refused the key"
    case .unprotected: "the tag let itself be written without its password"
    case .differs: "the tag holds something else than was written"
    case .stopped: "interrupted"
    }
  }

  /// `cause` is what failed first, where `setback` says only that the tag has not come back since.
  static func text(
    of setback: Setback, program: TagProgram?, hasWritten: Bool, after cause: Setback? = nil
  ) -> ProgramFailure {
    switch setback {
    // What a planner refuses to change may have been changed by an earlier pass.
    case .failure(let failure) where hasWritten && failure.tagHolds == untouched:
      ProgramFailure(
        failure.kind, failure.what, tagHolds: "as an earlier try left it.", next: failure.next)
    case .failure(let failure): failure
    case .reader(let error):
      readerFailure(
        error, what: "\(error)", holds: hasWritten ? partly : untouched,
        next: cause.flatMap { doubt(after: $0, program) })
    case .execution(let failure):
      executionFailure(failure, program: program, hasWritten: hasWritten)
    }
  }

  private static let untouched = "unchanged."
  private static let partly =
    "some of it is written; it is left in a state that the same command finishes."

  private static func executionFailure(
    _ failure: Execution.Failure, program: TagProgram?, hasWritten: Bool
  ) -> ProgramFailure {
    let count = program?.steps.count ?? 0
    let place = "Step \(failure.index + 1) of \(count), \(failure.step), failed"
    let holds = TagHolds.text(program, stoppedAt: failure, hasWritten: hasWritten)
    let again = "put the tag back and run the same command again; it goes on from there."
    switch failure.trouble {
    case .stopped:
      return ProgramFailure(
        .interrupted, "Interrupted before step \(failure.index + 1) of \(count).", tagHolds: holds,
        next: "run the same command on this tag again; it goes on from there.")
    case .keyRefused:
      if case .enterPassword = failure.step {
        return ProgramFailure(
          .mismatch, "\(place): the tag does not know the password that was written.",
          tagHolds: holds, next: "run the same command again; if it fails again, use another tag.")
      }
      if let block = program?.trailer(writtenBefore: failure) {
        return ProgramFailure(
          .mismatch,
          "\(place): the sector does not open with the key that was written to \(block).",
          tagHolds: holds, next: "run the same command again; if it fails again, use another tag.")
      }
      return ProgramFailure(
        .refused, "\(place): the tag refused the key.", tagHolds: holds,
        next: "pass the right key with --key or --key-file.")
    case .unprotected:
      return ProgramFailure(
        .mismatch, "\(place): the tag took the write, so its password protects nothing.",
        tagHolds: holds, next: "use another tag; this chip does not keep its promise.")
    case .differs:
      return ProgramFailure(
        .mismatch, "\(place): what was read back is not what was written.", tagHolds: holds,
        next: "run the same command again; if it fails again, use another tag.")
    case .reader(.exchangeFailed(let status)) where failure.step.isWrite:
      return ProgramFailure(
        .refused, "\(place): the tag is there and refuses it (\(status)).", tagHolds: holds,
        next: "see what `nfcprog info` says of locks and passwords, or use another tag.")
    case .reader(let error):
      return readerFailure(
        error, what: "\(place): \(error)", holds: holds,
        next: doubt(after: .execution(failure), program) ?? again)
    }
  }

  /// What to do where the write that failed may have left what the same command cannot tell from somebody's data; nil elsewhere.
  private static func doubt(after setback: Setback, _ program: TagProgram?) -> String? {
    guard case .execution(let failure) = setback, let block = program?.blindSpot,
      case .writeBlock(block, _, _) = failure.step
    else { return nil }
    return
      "put the tag back and run the same command again; if it then finds data in \(block), the write was torn: add "
      + "--overwrite."
  }

  private static func readerFailure(
    _ error: ReaderError, what: String, holds: String?, next: String? = nil
  ) -> ProgramFailure {
    let kind: ProgramFailure.Kind
    let advice: String?
    switch error {
    case .cannotOpen, .busy: (kind, advice) = (.readerUnavailable, nil)
    case .boardSilent, .boardLost, .boardGarbled, .boardRefused:
      (kind, advice) = (
        .readerUnavailable, "check the reader's cable and power, then run the same command again."
      )
    case .interrupted: (kind, advice) = (.interrupted, "run the same command again.")
    case .noTag: (kind, advice) = (.tagTrouble, "lay the tag on the reader and run it again.")
    case .severalTags:
      (kind, advice) = (.tagTrouble, "leave one tag on the reader and run it again.")
    case .tagLost(let expected, let found?) where expected.isRandom && found.isRandom:
      (kind, advice) = (.tagTrouble, "lay one tag on the reader and run the same command again.")
    case .tagLost(_, let found):
      (kind, advice) = (
        .tagTrouble,
        found == nil
          ? "put the tag back and run the same command again; it goes on from there."
          : "put the first tag back and run the same command again; the other one was not written."
      )
    case .exchangeFailed, .wrongAnswerLength:
      (kind, advice) = (
        .tagTrouble, "lay the tag flat on the reader and run the same command again."
      )
    }
    let sentence = what.hasSuffix(".") ? what : what + "."
    let isAboutTag = kind == .tagTrouble || kind == .readerUnavailable || kind == .interrupted
    return ProgramFailure(
      kind, sentence.prefix(1).uppercased() + sentence.dropFirst(),
      tagHolds: isAboutTag ? holds : nil, next: next ?? advice)
  }
}

extension TagProgram {
  /// The trailer whose new keys the failed step asked for: of the sector that it opens, written before it.
  fileprivate func trailer(writtenBefore failure: Execution.Failure) -> Block? {
    guard case .authenticate(let sector, _) = failure.step else { return nil }
    let isWritten = steps[..<failure.index].contains { step in
      if case .writeBlock(sector.trailer, _, _) = step { true } else { false }
    }
    return isWritten ? sector.trailer : nil
  }
}
