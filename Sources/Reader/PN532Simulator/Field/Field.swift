/// What lies on the antenna now, and what is laid down next.
///
/// A presentation is what a person lays down at one go: one tag, or several together. A field holds
/// a series of them; the first lies there from the start. `next`, `place` and `remove` are the
/// person's hand. With `automatic` the field is its own person: it takes a tag away once the host,
/// having worked with it, merely looks for it `patience` times more, answers one look with an empty
/// field, and then lays down the next. A tag that the host never works with is taken away four
/// looks later.
package final class Field {
  /// Who changes the tags.
  package enum Hand: Hashable, Sendable {
    /// The test or the program, by calling `place`, `remove` and `next`.
    case manual
    /// The field itself: after this many looks at a tag that has been worked with, and not before
    /// it has lain there for `stay` since the last exchange. Every `pull`-th presentation is taken
    /// away once in the middle of its work, and laid down again after `stay`, or after a second.
    case automatic(patience: Int, pull: Int? = nil, stay: Duration = .zero)
  }

  /// So many exchanges are in the middle of a job.
  static let pulledAfter = 8

  /// How long a tag lies there at least that was not seen yet.
  static let leastStay = Duration.seconds(3)

  /// The tags on the antenna.
  package private(set) var present: [any VirtualTag] = []
  /// How many presentations have been laid down.
  package private(set) var presentationCount = 0
  /// How many are left in the series.
  package private(set) var remaining: Int

  /// The presentation of a number, counted from 0.
  private let presentation: (Int) -> [any VirtualTag]
  private var position = 0
  private let hand: Hand
  /// The host has exchanged data with one of the tags present.
  private var isWorkedWith = false
  /// Activations since the last exchange of data.
  private var idleLooks = 0
  /// Looks since then that could not see what lies there.
  private var blindLooks = 0
  /// Who holds a field of its own to the board while the board plays a tag.
  package var initiator: (any Initiator)?
  /// Exchanges of data with what lies there.
  private var exchanges = 0
  /// What was pulled, and is laid down again.
  private var pulled: [any VirtualTag] = []
  private var lastPulled = 0
  private let now: () -> ContinuousClock.Instant
  /// When data last went to and fro, or the tags came.
  private var lastWork: ContinuousClock.Instant
  /// Told of every change, so that a pending command can look again.
  var onChange: () -> Void = {}
  /// Prepares a tag for the field: faults reach its memory through here.
  var onArrival: (any VirtualTag) -> Void = { _ in }
  /// Told of every tag that goes, once its power is off.
  var onDeparture: (any VirtualTag) -> Void = { _ in }

  /// A series of `count` presentations, each made by `presentation` when it is laid down; the first
  /// is at once. `now`: the time by which tags stay.
  package init(
    count: Int, hand: Hand = .manual, now: @escaping () -> ContinuousClock.Instant = { .now },
    presentation: @escaping (_ index: Int) -> [any VirtualTag]
  ) {
    (self.presentation, self.now, lastWork) = (presentation, now, now())
    remaining = count
    self.hand = hand
    next()
  }

  /// A series of presentations that exist already.
  package convenience init(_ presentations: [[any VirtualTag]] = [], hand: Hand = .manual) {
    self.init(count: presentations.count, hand: hand) { presentations[$0] }
  }

  /// One tag, lying there from the start.
  package convenience init(_ tag: any VirtualTag) { self.init([[tag]]) }

  /// Is true if the field changes nothing by itself any more: the series is over, and what lies
  /// there stays.
  package var isSpent: Bool {
    remaining == 0 && pulled.isEmpty && (hand == .manual || present.isEmpty)
  }

  /// Takes everything away and lays `tags` down.
  package func place(_ tags: [any VirtualTag]) {
    takeAll()
    add(tags)
    presentationCount += 1
    onChange()
  }

  /// Takes everything away. Tags lose their power.
  package func remove() {
    takeAll()
    onChange()
  }

  /// Takes everything away and lays the next presentation of the series down, if there is one.
  package func next() {
    guard remaining > 0 else { return remove() }
    remaining -= 1
    position += 1
    place(presentation(position - 1))
  }

  /// Takes one tag away; others stay.
  func take(_ tag: any VirtualTag) {
    present.removeAll { $0 === tag }
    tag.powerOff()
    onDeparture(tag)
    onChange()
  }

  /// Lays a tag beside those that are there.
  func join(_ tag: any VirtualTag) {
    add([tag])
    onChange()
  }

  private func add(_ tags: [any VirtualTag]) {
    for tag in tags {
      tag.powerOff()
      onArrival(tag)
    }
    present += tags
    isWorkedWith = false
    (idleLooks, blindLooks, exchanges, lastWork) = (0, 0, 0, now())
  }

  private func takeAll() {
    for tag in present {
      tag.powerOff()
      onDeparture(tag)
    }
    present = []
  }

  // MARK: What the host does, for the automatic hand

  /// Data went to and fro.
  func hostExchanged() {
    isWorkedWith = true
    (idleLooks, blindLooks, lastWork) = (0, 0, now())
    exchanges += 1
    guard case .automatic(_, let pull?, _) = hand, exchanges == Self.pulledAfter,
      position % pull == 0, lastPulled != position
    else { return }
    (pulled, lastPulled) = (present, position)
    remove()
  }

  /// The host is about to look for tags: for those of one technology, or of any. A look that cannot
  /// see what lies there counts little: whoever looks for everything in turn looks for each tag
  /// once a round, and a line that has had tags of one type looks for others only seconds later.
  func hostLooks(for technology: TagTechnology? = nil) {
    guard case .automatic(let patience, _, let stay) = hand else { return }
    if !pulled.isEmpty {
      guard lastWork.duration(to: now()) >= max(stay, .seconds(1)) else { return }
      let again = pulled
      pulled = []
      place(again)
    } else if present.isEmpty {
      if remaining > 0 { next() }
    } else if lastWork.duration(to: now()) < stay {
      return
    } else if let technology, !present.contains(where: { $0.technology == technology }) {
      blindLooks += 1
      guard isWorkedWith || lastWork.duration(to: now()) >= Self.leastStay else { return }
      if blindLooks > 5 * (patience + 4) { remove() }
    } else {
      idleLooks += 1
      if idleLooks > (isWorkedWith ? patience : patience + 4) { remove() }
    }
  }
}
