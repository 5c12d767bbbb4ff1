import TagMemory

/// What a tag holds after a program stopped in its middle, by what the phase says that was being
/// carried out.
extension Holds {
  /// `before` is what the tag held when it was begun.
  init(_ program: TagProgram, stoppedAt failure: Execution.Failure, before: Holds) {
    let done = program.steps[..<failure.index].filter(\.isWrite)
    let isWriting = failure.step.isWrite && failure.trouble != .stopped
    if done.isEmpty, !isWriting {
      self = before
    } else {
      self = .stopped(
        writing: isWriting ? Torn(failure.step, in: program) : nil,
        Self.difference(program, failure)
          ?? Self.progress(program, stoppedAt: failure.index, isWriting: isWriting))
    }
  }

  /// What follows from bytes that were read back and are others than were written; nil where those
  /// have nothing to do with the message, and more was to be written.
  private static func difference(_ program: TagProgram, _ failure: Execution.Failure) -> Progress? {
    guard case .differs = failure.trouble else { return nil }
    let phase = program.phase(of: failure.index)
    if phase?.kind == .message || phase?.kind == .format {
      return phase?.shows(before: failure.index) == .newMessage ? .messageDiffers : nil
    }
    return program.steps[failure.index...].contains(where: \.isWrite) ? nil : .notAllStored
  }

  /// How far `program` had come when it stopped at step `index`.
  private static func progress(
    _ program: TagProgram, stoppedAt index: Int, isWriting: Bool
  ) -> Progress {
    func writes(_ range: Range<Int>) -> Int { program.steps[range].count(where: \.isWrite) }
    let end = program.steps.count
    guard writes(index..<end) > 0 else { return .allWritten }
    guard let phase = program.phase(of: index) else {
      return .writes(writes(0..<index), of: writes(0..<end))
    }
    let isLastOfPhase = writes(index..<phase.steps.upperBound) == 1
    let isMessageWhole = phase.kind == .message || phase.steps.upperBound == end
    if isWriting, isLastOfPhase, isMessageWhole { return .allBefore }
    let begun = phase.steps.lowerBound..<index
    let (done, all) = (writes(begun), writes(phase.steps))
    let followsMessage = writes(0..<phase.steps.lowerBound) > 0
    switch phase.kind {
    case .protection where program.steps[phase.steps].contains(where: \.isOfApplication):
      return .keys(done, of: all, followsMessage: followsMessage)
    case .protection: return .password(done, of: all, followsMessage: followsMessage)
    case .locks: return .locks(done, of: all, followsMessage: followsMessage)
    case .restore: return .dump(done, of: all)
    case .raw: return .writes(done, of: all)
    case .reset:
      return .sectorsReset(trailers(program, begun), of: trailers(program, phase.steps))
    case .format, .message: break
    }
    let next = isWriting ? phase.shows(before: index + 1) : phase.shows(before: index)
    if next == .halfDirectory { return .halfDirectory }
    switch phase.shows(before: index) {
    // The write that makes it an NDEF tag may be done.
    case .notNDEF where next != .notNDEF: return .writes(done, of: all)
    case .oldMessage: return .oldMessage
    case .emptyMessage: return .emptyMessage(done, of: all)
    case .noMessage: return .noMessage
    case .halfDirectory: return .halfDirectory
    case .notNDEF where trailers(program, phase.steps) > 0:
      return .sectorsFormatted(trailers(program, begun), of: trailers(program, phase.steps))
    case .notNDEF: return .notFormatted
    case .newMessage: return .newMessage(done, of: all)
    case nil: return .writes(done, of: all)
    }
  }

  private static func trailers(_ program: TagProgram, _ range: Range<Int>) -> Int {
    program.steps[range].count { $0.purpose == .trailer }
  }
}

extension TagProgram.Step {
  /// Says whether it is about an application's keys or settings.
  fileprivate var isOfApplication: Bool { if case .application = place { true } else { false } }
}

extension Holds.Torn {
  /// What `step` of `program` writes; nil for a step that writes no bytes.
  init?(_ step: TagProgram.Step, in program: TagProgram) {
    guard let (place, bytes) = step.written else { return nil }
    self.place = place
    soleCopy = program.soleCopies.contains(place) ? bytes : nil
  }
}
