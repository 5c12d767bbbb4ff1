import Bytes
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
    case .cannotOpen, .busy, .boardLost, .interrupted, .noTag, .severalTags, .feliCaStatus: false
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
        error, what: "\(error)", holds: hasWritten ? partly(program, cause) : untouched,
        next: cause.flatMap { doubt(after: $0, program) } ?? doubt(program))
    case .execution(let failure):
      executionFailure(failure, program: program, hasWritten: hasWritten)
    }
  }

  private static let untouched = "unchanged."
  private static func partly(_ program: TagProgram?, _ cause: Setback?) -> String {
    guard let page = program?.doubtfulPage else {
      if case .execution(let failure)? = cause,
        case let copy = TagHolds.soleCopy(program, failure.step), !copy.isEmpty
      {
        return "some of it is written; \(failure.step.place) is old or new\(copy)."
      }
      return "some of it is written; it is left in a state that the same command finishes."
    }
    return "\(page) is old, new or damaged; what was written before it stands."
  }

  /// What to do next where the same command may take a damaged page for somebody's data; nil elsewhere.
  private static func doubt(_ program: TagProgram?) -> String? {
    program?.doubtfulPage.map { page in
      "put the tag back and run the same command again; if it is refused as not blank, \(page) was damaged when the write was cut "
        + "short, and --overwrite finishes it."
    }
  }

  private static func executionFailure(
    _ failure: Execution.Failure, program: TagProgram?, hasWritten: Bool
  ) -> ProgramFailure {
    let count = program?.steps.count ?? 0
    let what = "Step \(failure.index + 1) of \(count), \(failure.step), failed"
    let holds = TagHolds.text(program, stoppedAt: failure, hasWritten: hasWritten)
    let again =
      doubt(program)
      ?? "put the tag back and run the same command again; it goes on from there."
    switch failure.trouble {
    case .stopped:
      return ProgramFailure(
        .interrupted, "Interrupted before step \(failure.index + 1) of \(count).", tagHolds: holds,
        next: "run the same command on this tag again; it goes on from there.")
    case .keyRefused:
      if case .authenticate(.password) = failure.step.action {
        return ProgramFailure(
          .mismatch,
          "\(what): the tag does not know the password that was written\(secretPage(program, first: true)).",
          tagHolds: holds, next: "run the same command again; if it fails again, use another tag.")
      }
      if let block = program?.trailer(writtenBefore: failure) {
        return ProgramFailure(
          .mismatch,
          "\(what): the sector does not open with the key that was written to \(block).",
          tagHolds: holds, next: "run the same command again; if it fails again, use another tag.")
      }
      return ProgramFailure(
        .refused, "\(what): the tag refused the key.", tagHolds: holds,
        next: "pass the right key with --key or --key-file.")
    case .unprotected:
      return ProgramFailure(
        .mismatch, "\(what): the tag took the write, so its password protects nothing.",
        tagHolds: holds, next: "use another tag; this chip does not keep its promise.")
    case .differs(let found):
      return ProgramFailure(
        .mismatch, "\(what): \(difference(failure.step, found, program)).", tagHolds: holds,
        next: "run the same command again; if it fails again, use another tag.")
    case .reader(.exchangeFailed(let status)) where failure.step.isWrite:
      if let place = failure.step.written?.place, program?.repairs.contains(place) == true {
        return ProgramFailure(
          .mismatch,
          "\(what): \(place) does not hold what was written before, and the tag refuses to have it written again (\(status)).",
          tagHolds: holds, next: "use another tag.")
      }
      return ProgramFailure(
        .refused, "\(what): the tag is there and refuses it (\(status)).", tagHolds: holds,
        next: "see what `nfcprog info` says of locks and passwords, or use another tag.")
    case .reader(let error):
      return readerFailure(
        error, what: "\(what): \(error)", holds: holds,
        next: doubt(after: .execution(failure), program) ?? again)
    }
  }

  /// What to do where the write that failed may have left what the same command cannot tell from somebody's data; nil elsewhere.
  private static func doubt(after setback: Setback, _ program: TagProgram?) -> String? {
    guard case .execution(let failure) = setback, let block = program?.blindSpot,
      failure.step.written?.place == .block(block)
    else { return nil }
    return
      "put the tag back and run the same command again; if it then finds data in \(block), the write was torn: add "
      + "--overwrite."
  }

  /// What a check has found, and where.
  private static func difference(
    _ step: TagProgram.Step, _ found: [UInt8], _ program: TagProgram?
  ) -> String {
    switch step.action {
    case .check(let expected):
      guard let first = step.place.page else { break }
      for (index, unit) in AreaUpdate.units(of: found, size: Page.byteCount).enumerated() {
        let wanted = expected.dropFirst(index * Page.byteCount).prefix(Page.byteCount)
        guard !zip(unit, wanted).allSatisfy({ $1 == nil || $0 == $1 }) else { continue }
        let bytes = zip(unit, wanted).map { $1 ?? $0 }
        return mismatch(first.advanced(by: index), found: unit, wanted: bytes)
      }
      return "the tag shows fewer pages than were written"
    case .authenticate(.password):
      return
        "the tag acknowledges the password with other bytes than were written\(secretPage(program, first: false))"
    default: break
    }
    return "what was read back is not what was written"
  }

  /// What a page holds, and what it was given.
  static func mismatch(_ page: Page, found: [UInt8], wanted: [UInt8]) -> String {
    "\(page) holds \(Hex.string(found, separator: " ").uppercased()) where "
      + "\(Hex.string(wanted, separator: " ").uppercased()) was written"
  }

  /// The page of the password, or of its acknowledge, as `program` writes them.
  private static func secretPage(_ program: TagProgram?, first: Bool) -> String {
    let pages = program?.steps.filter { $0.purpose == .secret }.map(\.place)
    return (first ? pages?.first : pages?.last).map { " (\($0))" } ?? ""
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
    case .feliCaStatus: (kind, advice) = (.refused, nil)
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
    guard let sector = failure.step.place.sector else { return nil }
    let isWritten = steps[..<failure.index].contains {
      $0.written?.place == .block(sector.trailer)
    }
    return isWritten ? sector.trailer : nil
  }
}
