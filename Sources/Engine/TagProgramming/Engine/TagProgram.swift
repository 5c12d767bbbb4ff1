import TagMemory

/// A program says what will be done to a tag, as a value: print it, cost it, test it, run it.
///
/// The planners alone decide what is written; a program holds their decision, the reading back
/// included. Run again on a tag that holds what was wanted, planning gives a program without
/// writes.
public struct TagProgram: Hashable, Sendable {
  /// All steps, in their order.
  public internal(set) var steps: [Step] = []
  /// What a program of one piece is for; the parts of a joined one have their own.
  var kind = Phase.Kind.raw
  /// The parts that it was joined of; none where it is of one piece.
  var parts: [Phase] = []
  /// Writes that were left out because the tag holds those bytes already.
  public internal(set) var unchanged = 0
  /// What the tag shows while a program of one piece is carried out; nil where its planner leaves
  /// the message alone, or where that cannot be known.
  var showing: Showing?
  /// Where a write that is cut short leaves what the same job, run again, takes for somebody's
  /// data: on a blank tag the first write of all. Nil for nowhere.
  var blindSpot: Place?
  /// The write in which the program stopped, which may have damaged what was there.
  var torn: Holds.Torn?
  /// What the program writes and what alone tells a part of what it holds: another's TLV, another's
  /// entry of the directory. Torn, the rest of the tag does not tell it.
  var soleCopies: Set<Place> = []
  /// So many of the first steps write what is there already: only to see that the tag takes it.
  var probes = 0
  /// Where this run has written before and the tag holds something else.
  var repairs: Set<Place> = []
  /// What it writes that the tag never shows, and that nothing proves either.
  var unproven: [Place] = []
  /// The commands of all steps, in their order, as the tag's family says them; none before it was
  /// asked.
  var exchanges: [PlannedExchange] = []
  /// Says whether it ends that the tag shows its UID or counter in its message.
  var switchesMirrorOff = false
  /// The last page of a message that it leaves bytes behind which are not ours; nil for none.
  var keepsBehind: Place?

  /// Nothing to do yet, for what `kind` says.
  init(_ kind: Phase.Kind = .raw) { self.kind = kind }

  /// Adds the steps of `other` behind these.
  mutating func append(_ other: TagProgram) {
    steps += other.steps
    unchanged += other.unchanged
    soleCopies.formUnion(other.soleCopies)
    unproven += other.unproven
  }

  /// Returns whether any of the steps writes there.
  func writes(_ place: Place) -> Bool { steps.contains { $0.written?.place == place } }

  /// Is true if there is anything to write.
  public var changesTag: Bool { steps.contains(where: \.isWrite) }

  /// The steps that can never be undone.
  public var irreversibleSteps: [Step] { steps.filter(\.isIrreversible) }
}
