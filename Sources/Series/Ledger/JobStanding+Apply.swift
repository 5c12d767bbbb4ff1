extension JobStanding {
  /// Takes in what happened to the job. False, and nothing changes: the event contradicts what
  /// happened before.
  package mutating func apply(_ event: Event) -> Bool {
    guard event.what.changesJob else { return true }
    guard let next = next(event) else { return false }
    self = JobStanding(next, epoch: event.epoch ?? event.number, recalled: event.recalled)
    return true
  }

  /// Where the job stands once this has happened; nil: it contradicts what happened before.
  package func taking(_ event: Event) -> JobStanding? {
    var standing = self
    return standing.apply(event) ? standing : nil
  }

  private func next(_ event: Event) -> JobState? {
    func same(_ tag: [UInt8]) -> Binding? { binding?.tag == tag ? binding : nil }
    func again(_ known: Binding) -> Binding {
      Binding(
        bench: event.bench ?? known.bench, tag: known.tag, type: event.tagType ?? known.type,
        message: known.message)
    }
    switch event.what {
    case .reserved(_, let tag, let message):
      guard isPending || same(tag) != nil else { return nil }
      return .bound(
        Binding(
          bench: event.bench ?? "", tag: tag, type: event.tagType ?? binding?.type,
          message: message))
    case .resumed(_, let tag): return isWritten ? nil : same(tag).map { .bound(again($0)) }
    case .written(_, let tag, let digest, let locks):
      guard let known = same(tag), known.message.digest == digest, !isWritten else { return nil }
      return .written(again(known), locks)
    case .held(_, let tag):
      guard let known = same(tag), !isWritten else { return nil }
      return .held(again(known))
    case .returned(_, let tag, _), .released(_, let tag):
      return same(tag) == nil || isWritten ? nil : .pending
    case .refused: return isPending ? .failed : nil
    case .retried: return state == .failed ? .pending : nil
    case .passed, .unknown: return state
    }
  }
}

/// A part of what the rules make of a command.
package enum JobStep: Hashable, Sendable {
  /// The job, which is on no tag, changes hands or is kept for longer: so it stands then. That is
  /// no event.
  case handed(JobStanding)
  /// This happens to the job. Who says so where, when and why is not known here.
  case happened(Event)
}

extension JobStanding {
  /// Where the job stands after these steps.
  package func after(_ steps: [JobStep]) -> JobStanding {
    var standing = self
    for step in steps {
      switch step {
      case .handed(let next): standing = next
      case .happened(let event): _ = standing.apply(event)
      }
    }
    return standing
  }
}
