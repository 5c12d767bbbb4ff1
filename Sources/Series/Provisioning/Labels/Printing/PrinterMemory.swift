/// Labels that a printer has taken and that are not known to be printed: they lie in its memory.
///
/// A printer prints labels in the order in which they come, and says how many wait (`~HS`). Labels
/// of other benches may be among them, so a label counts as waiting as long as it may be one of
/// them. What waits while the printer has no paper is gone when it is switched off.
package struct PrinterMemory<Label: Sendable>: Sendable {
  private struct Entry {
    let label: Label
    /// By whatever clock `take` hears the time of.
    let sent: Duration
    /// How many labels at most are printed before this one is, itself included.
    var ahead = Int.max
  }

  private var entries: [Entry] = []
  /// How many labels of anybody wait, as the printer last said.
  package private(set) var waiting = 0

  /// A label may have left the memory and still be under the print head for so long.
  package static var settling: Duration { .milliseconds(500) }

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The printer has taken a label, the whole of it.
  package mutating func add(_ label: Label, at now: Duration) {
    entries.append(Entry(label: label, sent: now))
  }

  /// Takes in what the printer says of itself; returns the labels that are printed.
  package mutating func take(
    _ status: PrinterStatus, at now: Duration
  ) -> [Label] {
    let printed = max(0, waiting - status.formatsWaiting)
    waiting = status.formatsWaiting
    for index in entries.indices {
      entries[index].ahead = min(entries[index].ahead - printed, waiting)
    }
    guard status.obstacle == nil else { return [] }
    let done = entries.prefix { $0.ahead <= 0 && $0.sent + Self.settling <= now }
    entries.removeFirst(done.count)
    return done.map(\.label)
  }

  /// The printer was away, perhaps switched off: returns the labels of which nothing will be known.
  package mutating func lose() -> [Label] {
    defer { (entries, waiting) = ([], 0) }
    return entries.map(\.label)
  }
}
