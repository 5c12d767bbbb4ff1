import PN532
import TagMemory

/// Finding tags: InListPassiveTarget (UM0701-02, 7.3.5) for type A at 106 kbit/s.
extension TagReader {
  /// Pause between two looks while no tag is there: with the looks themselves a tag is selected within 30 ms.
  static let lookPause = Duration.milliseconds(4)
  /// Pause between two checks whether the tag still lies there; two checks must miss it.
  static let presencePause = Duration.milliseconds(25)

  /// How long the field stays off at least so that every tag forgets its state (ISO/IEC 14443-3, 5: 5.1 ms).
  static let resetPause = Duration.microseconds(5100)

  /// One look with room for two tags; empty when nothing is there. A third tag cannot be seen.
  public func look() throws(ReaderError) -> [Activation] {
    try prepare()
    lastLook = (clock.now(), counts)
    // REQA does not wake a tag in HALT, where an earlier look or a refusal may have left it.
    if mayHaveHalted {
      try fieldOff()
      clock.sleep(Self.resetPause)
    }
    let found = try list(room: 2, uid: nil)
    target = found.count == 1 ? found[0] : nil
    // Having halted the first tag to look for a second, the chip need not wake the first again.
    targetMaySleep = found.count == 1
    return found
  }

  /// One look, which leaves exactly one tag selected. Throws `noTag` or `severalTags`.
  public func select() throws(ReaderError) -> Activation {
    let found = try look()
    guard let tag = found.first else { throw .noTag }
    guard found.count == 1 else { throw .severalTags(found.map(\.uid)) }
    return tag
  }

  /// Looks until a tag is there; `.zero` is one look. Throws `noTag` when `timeout` has passed,
  /// `severalTags`, and `interrupted` when `shouldStop` says so.
  public func waitForTag(
    timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> Activation {
    let deadline = clock.now() + timeout
    while true {
      guard !shouldStop() else { throw .interrupted }
      do {
        return try select()
      } catch .noTag where clock.now() < deadline {}
      clock.sleep(min(Self.lookPause, max(.zero, deadline - clock.now())))
    }
  }

  /// Selects the same tag again, halted or not, by its UID; no other tag is ever selected in its place.
  /// Throws `tagLost` when it does not answer, naming another tag that does.
  public func reselect(_ tag: Activation) throws(ReaderError) {
    if try isThere(tag) { return }
    let others = try look()
    if others.count == 1, others[0].uid == tag.uid { return }
    forgetTarget()
    throw .tagLost(expected: tag.uid, found: others.first { $0.uid != tag.uid }?.uid)
  }

  /// Waits until the tag has gone, which is noticed within 100 ms, or `timeout` has passed. True when the tag
  /// still lies there at the end, false when it has gone.
  public func waitForRemoval(
    of tag: Activation, timeout: Duration, shouldStop: () -> Bool
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
      if isMissed, tag.sak & 0x20 != 0 {
        // An ISO-DEP card, once activated, heeds no request before it has lost its power (ISO/IEC 14443-4).
        try fieldOff()
        clock.sleep(Self.resetPause)
      }
      clock.sleep(Self.presencePause)
    }
  }

  /// Looks until other tags lie there than those with `uids`, or none, or `timeout` has passed. True when it is still those.
  public func waitForChange(
    from uids: [UID], timeout: Duration, shouldStop: () -> Bool
  ) throws(ReaderError) -> Bool {
    let deadline = clock.now() + timeout
    while true {
      guard !shouldStop() else { throw .interrupted }
      if try Set(look().map(\.uid)) != Set(uids) { return false }
      if clock.now() >= deadline { return true }
      clock.sleep(Self.presencePause)
    }
  }

  /// Selects `tag` by its UID; false when it does not answer.
  private func isThere(_ tag: Activation) throws(ReaderError) -> Bool {
    let found = try list(room: 1, uid: tag.uid)
    guard let first = found.first, first.uid == tag.uid else { return false }
    target = first
    return true
  }

  /// InListPassiveTarget for `room` tags, or for the one with `uid`.
  private func list(room: UInt8, uid: UID?) throws(ReaderError) -> [Activation] {
    try prepare()
    forgetTarget()
    needsReselect = true
    let answer = try perform(
      .listTypeA(limit: room, uid: uid?.bytes ?? []), timeout: Allowance.look)
    guard let found = try? TypeATarget.list(parsing: answer) else {
      throw .boardGarbled(reader: name)
    }
    needsReselect = found.isEmpty
    if !found.isEmpty { mayHaveHalted = true }
    return found.map { Activation(atqa: $0.atqa, sak: $0.sak, uid: UID($0.uid), ats: $0.ats) }
  }
}
