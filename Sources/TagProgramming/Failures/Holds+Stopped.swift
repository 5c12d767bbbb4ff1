import TagMemory

/// What a tag holds after a program stopped in its middle, as far as the program tells.
extension Holds {
  init(_ program: TagProgram, stoppedAt failure: Execution.Failure, hasWritten: Bool) {
    let done = program.steps[..<failure.index].filter(\.isWrite)
    let isWriting = failure.step.isWrite && failure.trouble != .stopped
    if done.isEmpty, !isWriting {
      self = hasWritten ? .earlierTry : .unchanged
    } else {
      self = .stopped(
        writing: isWriting ? Torn(failure.step, in: program) : nil,
        Self.progress(program, stoppedAt: failure, isWriting: isWriting))
    }
  }

  /// What the part says that was being carried out; before the message it is one of its own.
  private static func progress(
    _ program: TagProgram, stoppedAt failure: Execution.Failure, isWriting: Bool
  ) -> Progress {
    func writes(_ range: Range<Int>) -> [TagProgram.Step] {
      program.steps[range].filter(\.isWrite)
    }
    let next = failure.index + (isWriting ? 1 : 0)
    guard let format = program.preparation else {
      let all = program.steps.indices
      return state(
        writes(all), keepsMessage: program.keepsMessage, begun: writes(0..<next),
        done: writes(0..<failure.index))
    }
    if format.steps.contains(failure.index) {
      let all = writes(format.steps)
      return format.keepsMessage
        ? areaState(all, begun: writes(0..<next))
        : messageState(all, done: writes(0..<failure.index))
    }
    let rest = writes(format.steps.upperBound..<program.steps.count)
    let done = writes(format.steps.upperBound..<failure.index)
    if done.isEmpty, !format.keepsMessage, !rest.isEmpty {
      return .emptyMessage(0, of: rest.count)
    }
    return state(
      rest, keepsMessage: false, begun: writes(format.steps.upperBound..<next), done: done)
  }

  private static func state(
    _ writes: [TagProgram.Step], keepsMessage: Bool, begun: [TagProgram.Step],
    done: [TagProgram.Step]
  ) -> Progress {
    if done.count == writes.count { return .allWritten }
    // The message comes first, then the password, then the locks.
    let message = writes.filter { !$0.protects && !$0.locks }
    let isLast = begun.count > done.count && [message.count, writes.count].contains(begun.count)
    if isLast { return .allBefore }
    if done.count < message.count {
      return keepsMessage
        ? areaState(message, begun: begun) : messageState(message, done: done)
    }
    let protection = writes.filter(\.protects)
    let steps = done.count - message.count
    if steps < protection.count {
      return .password(steps, of: protection.count, followsMessage: !message.isEmpty)
    }
    let locks = writes.count(where: \.locks)
    return .locks(steps - protection.count, of: locks, followsMessage: !message.isEmpty)
  }

  /// While the area around a message that stays is repaired.
  private static func areaState(
    _ writes: [TagProgram.Step], begun: [TagProgram.Step]
  ) -> Progress {
    let isDirectory = { (step: TagProgram.Step) in step.purpose == .directory }
    return begun.contains(where: isDirectory) && writes.count(where: isDirectory) > 1
      ? .halfDirectory : .oldMessage
  }

  private static func messageState(
    _ writes: [TagProgram.Step], done: [TagProgram.Step]
  ) -> Progress {
    let purposes = done.compactMap(\.purpose)
    let wanted = writes.compactMap(\.purpose)
    if wanted.contains(.restored) {
      return .dump(done.count, of: writes.count)
    }
    let isRaw = wanted.contains { if case .raw = $0 { true } else { false } }
    if wanted.contains(.trailer), !isRaw {
      let sectors = purposes.count { $0 == .trailer }
      let all = wanted.count { $0 == .trailer }
      let isReset = wanted.contains(.blank)
      return isReset
        ? .sectorsReset(sectors, of: all) : .sectorsFormatted(sectors, of: all)
    }
    // A FeliCa tag answers as an NDEF tag before it has an attribute block.
    if wanted.contains(.systemCode),
      !purposes.contains(where: { $0 == .switchOff || $0 == .switchOn })
    {
      return .noMessage
    }
    if wanted.contains(.switchOn) {
      if done.isEmpty { return .oldMessage }
      if wanted.last == .capabilityContainer { return .notFormatted }
      return .emptyMessage(done.count, of: writes.count)
    }
    return .writes(done.count, of: writes.count)
  }
}

extension TagProgram.Step {
  /// Whether it writes the password or what it protects.
  fileprivate var protects: Bool { purpose == .secret || purpose == .configuration }
  /// Whether it makes something read-only for good.
  fileprivate var locks: Bool { purpose == .lock }
}

extension Holds.Torn {
  /// What `step` of `program` writes; nil for a step that writes no bytes.
  init?(_ step: TagProgram.Step, in program: TagProgram) {
    guard let (place, bytes) = step.written else { return nil }
    self.place = place
    soleCopy = program.soleCopies.contains(place) ? bytes : nil
  }
}
