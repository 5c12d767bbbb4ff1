import TagMemory

/// Waiting for tags to come and to go, and selecting the same one again.
extension TagReader {
  /// Pause between two looks while no tag is there: with the looks themselves a tag is selected
  /// within 30 ms.
  static let lookPause = Duration.milliseconds(4)
  /// The pause between two looks is this short where each look at type A was followed by one at
  /// something else.
  static let turnPause = Duration.milliseconds(1)
  /// Pause between two checks whether the tag still lies there; two checks must miss it.
  static let presencePause = Duration.milliseconds(25)

  /// How often the field is taken away while no tag is found: a tag may lie there in HALT, where no
  /// look finds it.
  static let resetInterval = Duration.seconds(1)

  /// How often it is looked for a card that does not answer RATS while no tag is found.
  static let bareInterval = Duration.seconds(2)

  /// A tag that comes back within this time has slipped: nobody has put it on the reader again.
  package static let slip = Duration.seconds(1)

  /// Notes that somebody looks for the tag from now on: a report counts what follows.
  package func beginLook() { lastLook = (clock.now(), counts) }

  /// One look, which leaves exactly one tag selected. Throws `noTag` or `severalTags`.
  public func select() throws(ReaderError) -> Target {
    try Self.only(try look())
  }

  private static func only(_ found: [Target]) throws(ReaderError) -> Target {
    guard let tag = found.first else { throw .noTag }
    guard found.count == 1 else { throw .severalTags(found.map(\.uid)) }
    return tag
  }

  /// Looks until a tag is there; `.zero` is one look. Throws `noTag` when `timeout` has passed,
  /// `severalTags`, and `interrupted` when `shouldStop` says so.
  public func waitForTag(
    timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> Target {
    try Self.only(try waitForTags(timeout: timeout, shouldStop: shouldStop))
  }

  /// Looks until tags are there, and returns as many as the look finds; a single one is selected
  /// then. `.zero` is one look. Throws `noTag` when `timeout` has passed, and `interrupted` when
  /// `shouldStop` says so.
  package func waitForTags(
    timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> [Target] {
    let deadline = clock.now() + timeout
    while true {
      guard !shouldStop() else { throw .interrupted }
      let isLast = clock.now() >= deadline
      // The last look is a whole one.
      var found = isLast ? try look() : try lookInTurn()
      if found.isEmpty, isLast || clock.now() - lastBareLook >= Self.bareInterval, !awaitsTypeA {
        found = try lookWithoutRATS()
      }
      if !found.isEmpty { return found }
      if isLast { throw .noTag }
      if clock.now() - lastReset >= Self.resetInterval {
        try resetField()
      } else {
        // The look at something else has taken longer than the pause.
        let pause = technologies.count > 1 && !awaitsTypeA ? Self.turnPause : Self.lookPause
        clock.sleep(min(pause, max(.zero, deadline - clock.now())))
      }
    }
  }

  /// Selects the same tag again, halted or not, by its UID; no other tag is ever selected in its
  /// place. Throws `tagLost` when it does not answer, naming another tag that does.
  package func reselect(_ tag: Target) throws(ReaderError) {
    for _ in 1...(hasRandomUID(tag) ? Self.randomTries : 1) where try isThere(tag) { return }
    // A random UID does not outlive the field: to take that away would be to lose the tag.
    let others = try hasRandomUID(tag) ? lookForOthers() : look(like: tag)
    if others.contains(where: { $0.uid == tag.uid }) {
      // Asked for in a field that was off, it alone is woken.
      if others.count > 1, !hasRandomUID(tag) { try resetField() }
      if try isSelected(tag) { return }
    }
    forgetTarget()
    silenceCount += 1
    throw .tagLost(expected: tag.uid, found: others.first { $0.uid != tag.uid }?.uid)
  }

  /// Takes the field away, so that `tag` starts anew when it is selected again. A random UID does
  /// not outlive that: such a tag keeps its power.
  package func cutPower(of tag: Target) throws(ReaderError) {
    guard !hasRandomUID(tag) else { return }
    try resetField()
    forgetTarget()
    needsReselect = true
  }

  /// How often a tag is asked for by its random UID before it counts as gone.
  private static let randomTries = 3

  /// Returns whether a look that found `tag` alone has left it selected; if not, it is selected
  /// now.
  private func isSelected(_ tag: Target) throws(ReaderError) -> Bool {
    if let target, target.uid == tag.uid { return true }
    return try isThere(tag)
  }

  /// Waits until the tag has gone, which is noticed within 100 ms, or `timeout` has passed. True
  /// when the tag still lies there at the end, false when it has gone.
  public func waitForRemoval(
    of tag: Target, timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> Bool {
    let deadline = clock.now() + timeout
    var misses = 0
    while true {
      guard !shouldStop() else { throw .interrupted }
      let isMissed = try !isThere(tag)
      misses = isMissed ? misses + 1 : 0
      if misses == 2 {
        forgetTarget()
        return false
      }
      if misses == 0, clock.now() >= deadline { return true }
      // An ISO-DEP card that has not heard that it was let go heeds no request before it has lost
      // its power (ISO/IEC 14443-4, 8); with a random UID it would be another tag then.
      // Nor does one in HALT where the board does not wake it.
      if isMissed, tag.typeA != nil, tag.speaksISODEP || findsHalted == false, !hasRandomUID(tag) {
        try resetField()
      }
      clock.sleep(Self.presencePause)
    }
  }

  /// Looks until other tags lie there than those with `uids`, or none, or `timeout` has passed.
  /// True when it is still those.
  package func waitForChange(
    from uids: [UID], timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> Bool {
    let deadline = clock.now() + timeout
    while true {
      guard !shouldStop() else { throw .interrupted }
      // Random UIDs are others at each look, as the field is switched off for it.
      if try Self.marks(look().map(\.uid)) != Self.marks(uids) { return false }
      if clock.now() >= deadline { return true }
      clock.sleep(Self.presencePause)
    }
  }

  /// What is the same of tags from one look to the next: their UIDs, where those last.
  private static func marks(_ uids: [UID]) -> [UID?: Int] {
    uids.reduce(into: [:]) { $0[$1.isRandom ? nil : $1, default: 0] += 1 }
  }
}
