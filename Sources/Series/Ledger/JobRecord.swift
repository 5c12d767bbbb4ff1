/// Where a job stands, and what its tag was given: what its events make of it, one after the other
/// (`apply`), and nothing else.
package struct JobRecord: Hashable, Sendable {
  /// The tag that has the job, or may have it.
  package struct OnTag: Hashable, Sendable {
    /// The bench that said so last.
    package let bench: String
    /// The tag's UID.
    package let tag: [UInt8]
    /// Its type, as `sim:` calls it.
    package let type: String?
    package let message: MessageFacts

    package init(bench: String, tag: [UInt8], type: String?, message: MessageFacts) {
      (self.bench, self.tag, self.type, self.message) = (bench, tag, type, message)
    }
  }

  package enum State: Hashable, Sendable {
    /// No tag has it. A bench may have claimed it: that is no event.
    case pending
    case bound(OnTag)
    case held(OnTag)
    case written(OnTag, TagLocks)
    case failed
  }

  package var state: State
  /// The one in which it got there.
  package var epoch: Int64
  /// See `JobStanding.recalled`.
  package var recalled: Int64?

  package init(_ state: State = .pending, epoch: Int64 = 0, recalled: Int64? = nil) {
    (self.state, self.epoch, self.recalled) = (state, epoch, recalled)
  }

  /// The tag that has the job, or may have it.
  package var onTag: OnTag? {
    switch state {
    case .pending, .failed: nil
    case .bound(let tag), .held(let tag), .written(let tag, _): tag
    }
  }

  package var isPending: Bool { state == .pending }
  package var isWritten: Bool { if case .written = state { true } else { false } }
  package var isHeld: Bool { if case .held = state { true } else { false } }
  package var locks: TagLocks? { if case .written(_, let locks) = state { locks } else { nil } }
}

extension JobRecord {
  /// Takes in what happened to the job. False, and nothing changes: the event contradicts what
  /// happened before.
  package mutating func apply(_ event: Event) -> Bool {
    guard event.what.changesJob else { return true }
    guard let next = next(event) else { return false }
    self = JobRecord(next, epoch: event.epoch ?? event.number, recalled: event.recalled)
    return true
  }

  private func next(_ event: Event) -> State? {
    func same(_ tag: [UInt8]) -> OnTag? { onTag?.tag == tag ? onTag : nil }
    func again(_ known: OnTag, _ message: MessageFacts) -> OnTag {
      OnTag(
        bench: event.bench ?? known.bench, tag: known.tag, type: event.tagType ?? known.type,
        message: message)
    }
    switch event.what {
    case .reserved(_, let tag, let message):
      guard isPending || same(tag) != nil else { return nil }
      return .bound(
        OnTag(
          bench: event.bench ?? "", tag: tag, type: event.tagType ?? onTag?.type,
          message: message))
    case .resumed(_, let tag): return same(tag).map { .bound(again($0, $0.message)) }
    case .written(_, let tag, let digest, let locks):
      guard let known = same(tag), known.message.digest == digest, !isWritten else { return nil }
      return .written(again(known, known.message), locks)
    case .held(_, let tag):
      guard let known = same(tag), !isWritten else { return nil }
      return .held(again(known, known.message))
    case .returned(_, let tag, _), .released(_, let tag):
      return same(tag) == nil || isWritten ? nil : .pending
    case .refused: return isPending ? .failed : nil
    case .retried: return state == .failed ? .pending : nil
    case .passed, .unknown: return state
    }
  }
}

extension JobStanding {
  /// What the rules know of a record.
  package init(_ record: JobRecord) {
    func binding(_ tag: JobRecord.OnTag) -> Binding {
      Binding(bench: tag.bench, tag: tag.tag, message: tag.message.digest)
    }
    let state: JobState =
      switch record.state {
      case .pending: .pending
      case .bound(let tag): .bound(binding(tag))
      case .held(let tag): .held(binding(tag))
      case .written(let tag, _): .written(binding(tag))
      case .failed: .failed
      }
    self.init(state, epoch: record.epoch, recalled: record.recalled)
  }
}
