import TagMemory

/// Whether a tag holds the message that a job was to put on it.
public enum NewMessage: Hashable, Sendable {
  /// It does not: what would have switched the message on was never sent, or the tag was read since and holds
  /// something else.
  case absent
  /// It may: what switches the message on was sent, and what came of it was not seen.
  case possible
  /// It does: this was read back.
  case present

  /// After `program` stopped in its middle; `before` is how it stood before it was begun.
  init(_ before: NewMessage, _ program: TagProgram, stoppedAt failure: Execution.Failure) {
    let isSent = failure.step.isWrite && failure.trouble != .stopped
    let sent = program.steps.prefix(failure.index + (isSent ? 1 : 0))
    // A reader finds the message after the last of these: its length, then what makes the tag an NDEF tag.
    let last = program.steps.lastIndex(where: \.switchesOn)
    let isOn = last.map { $0 < sent.endIndex } ?? sent.contains(where: \.isWrite)
    // Where nothing has to be written for it, it may be there already.
    let isThere = program.phases.contains { $0.kind == .message && $0.steps.isEmpty }
    if case .differs(let found) = failure.trouble, failure.step.misses(found) {
      self = .absent
    } else if isOn || isThere {
      self = .possible
    } else {
      self = before
    }
  }
}

extension TagProgram.Step {
  /// Whether a reader may find the new message after this write and not before.
  fileprivate var switchesOn: Bool {
    purpose == .switchOn || purpose == .capabilityContainer || purpose == .directory
  }

  /// Whether a check that found `found` shows that the message is not there. The last unit does not count: behind
  /// the message's end it may hold anything.
  fileprivate func misses(_ found: [UInt8]) -> Bool {
    guard let (place, expected) = checked,
      place == .page(.capabilityContainer) || place == .page(.firstOfArea)
    else { return false }
    let container = place == .page(.firstOfArea) ? 0 : Page.byteCount
    let range = container..<max(container, expected.count - Page.byteCount)
    return found.count == expected.count
      && range.contains { expected[$0] != nil && expected[$0] != found[$0] }
  }
}
