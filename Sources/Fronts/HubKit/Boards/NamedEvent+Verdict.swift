import Ledger
import Provisioning

extension NamedEvent {
  /// When it was over, by the bench's clock. Milliseconds since 1970.
  var end: Int64 { event.started + event.duration / 1000 }

  /// What it says of the tag; nil: nothing yet, or it is no matter of a station.
  var verdict: TagOutcome.Verdict? {
    EventKind(rawValue: event.kind)?.verdict(cause, hasJob: event.job != nil)
      .map(TagOutcome.Verdict.init)
  }

  /// How it counts in the figures of its batch.
  var count: EventCount {
    EventKind(rawValue: event.kind)?.count(cause, setsAside: isScrap) ?? .none
  }

  /// The cause; nil: none, or one that is not known here.
  var cause: TagCause? { event.cause.flatMap(TagCause.init) }

  /// Is true if the pool contradicts what the bench says of the tag. That is said of each thing
  /// that the bench did with it.
  var isContradiction: Bool { event.kind == EventKind.passed.rawValue && cause == .conflict }

  /// Is true if a bench begins to write the tag.
  var beginsWork: Bool { event.kind == "reserved" || event.kind == "resumed" }
}
