import TagMemory

/// Says whether a tag holds the message that a job was to put on it.
package enum NewMessage: Hashable, Sendable {
  /// It does not: what would have switched the message on was never sent, or the tag was read since
  /// and holds something else.
  case absent
  /// It may: what switches the message on was sent, and what came of it was not seen.
  case possible
  /// It does: this was read back.
  case present

  /// After `program` stopped in its middle; `before` is how it stood before it was begun. What was
  /// read of a tag that `mayBeAnother` with the same UID shows nothing of the one that was written.
  init(
    _ before: NewMessage, _ program: TagProgram, stoppedAt failure: Execution.Failure,
    mayBeAnother: Bool
  ) {
    let isSent = failure.step.isWrite && failure.trouble != .stopped
    let sentCount = failure.index + (isSent ? 1 : 0)
    if case .differs(let found) = failure.trouble, !mayBeAnother, failure.step.misses(found) {
      self = .absent
    } else if program.mayShowNewMessage(havingSent: sentCount) {
      self = .possible
    } else {
      self = before
    }
  }
}

extension TagProgram {
  /// Returns whether readers may find the new message when the first `count` steps were sent: by
  /// what the phases say, or as it was there before.
  func mayShowNewMessage(havingSent count: Int) -> Bool {
    let hasSent = steps.prefix(count).contains(where: \.isWrite)
    return phases.contains { phase in
      // Where nothing has to be written for the message, it may be there already.
      if phase.kind == .message, phase.steps.isEmpty || phase.showing?.before == .newMessage {
        return true
      }
      guard let showing = phase.showing else { return hasSent }
      return showing.first(.newMessage).map { $0 < count } ?? false
    }
  }
}

extension TagProgram.Step {
  /// Returns whether a check that found `found` shows that the message is not there. The last unit
  /// does not count: behind the message's end it may hold anything.
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
