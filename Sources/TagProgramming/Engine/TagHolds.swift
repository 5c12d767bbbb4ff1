import Bytes
import TagMemory

/// What a tag holds after a program stopped in its middle, as far as the program tells.
enum TagHolds {
  static func text(_ program: TagProgram?, stoppedAt failure: Execution.Failure, hasWritten: Bool)
    -> String?
  {
    guard let program else { return hasWritten ? "partly written." : "unchanged." }
    let done = program.steps[..<failure.index].filter(\.isWrite)
    let isWriting = failure.step.isWrite && failure.trouble != .stopped
    if done.isEmpty, !isWriting { return hasWritten ? "as an earlier try left it." : "unchanged." }
    var sentences: [String] = []
    if isWriting {
      sentences.append("\(failure.step.place) is old or new\(soleCopy(program, failure.step))")
    }
    sentences.append(state(program, stoppedAt: failure, isWriting: isWriting))
    return sentences.joined(separator: "; ") + "."
  }

  /// Behind the name of a block that alone tells a part of what it is to hold: that, in full.
  static func soleCopy(_ program: TagProgram?, _ step: TagProgram.Step) -> String {
    guard let (place, bytes) = step.written, program?.soleCopies.contains(place) == true else {
      return ""
    }
    return
      " or damaged, and nothing else on the tag tells all of what it is to hold: \(Hex.string(bytes, separator: " ").uppercased())"
  }

  /// What the part says that was being carried out; before the message it is one of its own.
  private static func state(
    _ program: TagProgram, stoppedAt failure: Execution.Failure, isWriting: Bool
  ) -> String {
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
      return "an empty message, with 0 of \(rest.count) writes done"
    }
    return state(
      rest, keepsMessage: false, begun: writes(format.steps.upperBound..<next), done: done)
  }

  private static func state(
    _ writes: [TagProgram.Step], keepsMessage: Bool, begun: [TagProgram.Step],
    done: [TagProgram.Step]
  ) -> String {
    if done.count == writes.count { return "everything is written, not all of it is verified" }
    // The message comes first, then the password, then the locks.
    let message = writes.filter { !$0.protects && !$0.locks }
    let isLast = begun.count > done.count && [message.count, writes.count].contains(begun.count)
    if isLast { return "everything before it is written" }
    if done.count < message.count {
      return keepsMessage
        ? areaState(message, begun: begun) : messageState(message, done: done)
    }
    let holds = message.isEmpty ? "" : "the message is written; "
    let protection = writes.filter(\.protects)
    let steps = done.count - message.count
    if steps < protection.count {
      return holds + "of the password \(steps) of \(protection.count) writes are done"
    }
    let locks = writes.count(where: \.locks)
    return holds + "of the locks \(steps - protection.count) of \(locks) are set"
  }

  /// While the area around a message that stays is mended.
  private static func areaState(_ writes: [TagProgram.Step], begun: [TagProgram.Step]) -> String {
    let isDirectory = { (step: TagProgram.Step) in step.purpose == .directory }
    return begun.contains(where: isDirectory) && writes.count(where: isDirectory) > 1
      ? "the message is there, but half a directory: readers may not find it yet"
      : "the message is the old one"
  }

  private static func messageState(_ writes: [TagProgram.Step], done: [TagProgram.Step]) -> String {
    let purposes = done.compactMap(\.purpose)
    let wanted = writes.compactMap(\.purpose)
    if wanted.contains(.restored) {
      return "\(done.count) of \(writes.count) writes of the dump are done"
    }
    if wanted.contains(.trailer) {
      let sectors = purposes.count { $0 == .trailer }
      let all = wanted.count { $0 == .trailer }
      let isReset = wanted.contains(.blank)
      return isReset
        ? "\(sectors) of \(all) sectors are back in the state of delivery"
        : "\(sectors) of \(all) sectors are formatted, the directory comes last, so it is no NDEF tag yet"
    }
    // A FeliCa tag answers as an NDEF tag before it has an attribute block.
    if wanted.contains(.systemCode),
      !purposes.contains(where: { $0 == .switchOff || $0 == .switchOn })
    {
      return "no message is on it yet"
    }
    if wanted.contains(.switchOn) {
      if done.isEmpty { return "the message is the old one" }
      if wanted.last == .capabilityContainer { return "the tag is not formatted for NDEF yet" }
      return "an empty message, with \(done.count) of \(writes.count) writes done"
    }
    return "\(done.count) of \(writes.count) writes are done"
  }
}

extension TagProgram.Step {
  /// Whether it writes the password or what it protects.
  fileprivate var protects: Bool { purpose == .secret || purpose == .configuration }
  /// Whether it makes something read-only for good.
  fileprivate var locks: Bool { purpose == .lock }
}
