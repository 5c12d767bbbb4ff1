import Provisioning

extension HubEvent {
  /// When it was over, by the bench's clock. Milliseconds since 1970.
  var end: Int64 { event.started + event.duration / 1000 }

  /// What it says of the tag; nil: nothing yet, or it is no matter of a station.
  var verdict: TagOutcome.Verdict? {
    switch event.kind {
    case "written": .passed
    case "returned": .failed
    case "held": .held
    // Of a tag that was set aside because the pool contradicts its bench.
    case "passed" where event.cause == "conflict": .failed
    case "passed": .left
    default: nil
    }
  }

  /// Whether the pool contradicts what the bench says of the tag. That is said of each thing that
  /// the bench did with it.
  var isContradiction: Bool { event.kind == "passed" && event.cause == "conflict" }

  /// Whether a bench begins to write the tag.
  var beginsWork: Bool { event.kind == "reserved" || event.kind == "resumed" }
}
