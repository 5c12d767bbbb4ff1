import Ledger

/// How far the clock of a bench is from that of the store, as far as its events tell: nobody may
/// have set it. Times that are a minute off at most are taken as they are.
struct BenchClock: Hashable {
  /// The store's clock less the bench's, in milliseconds; nil: not known.
  private var lead: Int64?
  private static let least: Int64 = 60_000

  /// When the event was over, by the store's clock: never later than the store has heard of it.
  /// If the database was away, the bench told it late: the event keeps its own time.
  mutating func time(of event: NamedEvent) -> Int64 {
    guard let told = event.told else { return event.end }
    let delay = told - event.end
    // Of a clock that is behind the shortest delay tells most; one that is ahead cannot be late.
    if let lead, lead >= 0, delay >= 0 { self.lead = min(lead, delay) } else { lead = delay }
    return min(told, corrected(event.end))
  }

  /// A time of the bench by the store's clock.
  func corrected(_ time: Int64) -> Int64 {
    guard let lead, abs(lead) > Self.least else { return time }
    return time + lead
  }
}
