import TagMemory

/// What a run has sent to the memory of one tag: a later pass knows its own bytes by it.
///
/// A unit that does not hold what was sent last holds a write of this run that went wrong, never
/// somebody's data.
struct SentWrites: Hashable, Sendable {
  /// The bytes last sent to each place, whatever came of it.
  private(set) var all: [Place: [UInt8]] = [:]

  /// The bytes last sent to `place`, whatever came of it; nil where nothing was sent.
  subscript(place: Place) -> [UInt8]? { all[place] }

  /// Takes note of what `step` is about to write.
  mutating func note(_ step: TagProgram.Step) {
    guard let (place, bytes) = step.written else { return }
    all[place] = bytes
  }
}
