import TagMemory

extension JobPlan {
  /// Holds the tag as the plan leaves it against the dump, whose own tag shows a message: says, or
  /// refuses, that no reader finds it, as `frame` of the tag does not lead to it.
  /// `isOpen`: false where the frame itself keeps readers out.
  func showing(
    messageOf restore: Restore, by frame: Cause.Frame, isOpen: Bool = true
  ) throws(JobFailure) -> JobPlan {
    guard restore.image.message?.isEmpty == false else { return self }
    switch after.content {
    case .message where !isOpen: break
    case .message, .notLookedAt, .unreadable: return self
    case .empty, .lost, .unformatted, .blank, .foreign: break
    }
    guard !restore.mustShowMessage else {
      throw JobFailure(.dumpUnseen(frame), remedy: .useAnotherTag)
    }
    var plan = self
    let said = [TagDescription.Finding.notRestored(frame.lack)]
    plan.before.noteNotRestored(said)
    plan.after.noteNotRestored(said)
    return plan
  }

  /// Refuses a dump that does not know all of its message, where the bytes that it knows and those
  /// that the tag keeps would make a message that neither of them holds.
  func requireOneMessage(of restore: Restore) throws(JobFailure) {
    guard restore.image.message == nil, after.content.promisesMessage,
      after.content != before.content, restore.image.rows.contains(where: { $0.contains(nil) })
    else { return }
    throw JobFailure(.partOfMessage, remedy: .correctDump)
  }
}

extension Content {
  /// Is true where readers look for a message that has bytes.
  fileprivate var promisesMessage: Bool {
    switch self {
    case .message, .lost: true
    case .notLookedAt, .unreadable, .empty, .unformatted, .blank, .foreign: false
    }
  }
}

extension Cause.Frame {
  /// The sentence says that readers find no message by this frame.
  package var lack: String {
    let words =
      switch self {
      case .capabilityContainer: "capability container (page 3)"
      case .directory: "directory (MAD) with the trailers of its sectors"
      case .attributes: "memory configuration with the attribute block"
      }
    return
      "A telephone finds no message on this tag: its \(words) does not lead to the dump's message."
  }
}
