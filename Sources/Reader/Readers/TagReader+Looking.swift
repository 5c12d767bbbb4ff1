import PN532
import TagMemory

/// One look for tags: InListPassiveTarget (UM0701-02, 7.3.5).
extension TagReader {
  /// How long the field stays off at least so that every tag forgets its state (ISO/IEC 14443-3, 5:
  /// 5.1 ms).
  static let resetPause = Duration.microseconds(5100)

  /// One look; empty when nothing is there.
  ///
  /// Type A comes first, with room for two tags; a third cannot be seen. Only where nothing of type
  /// A is there are the other `technologies` asked, one after another, and when one of them
  /// answers, the rest as well: two tags of different technologies are two tags. Beside a tag of
  /// type A they are looked for as far as `technologies` was asked for. A line that goes on is not
  /// slowed down by that: for two seconds after a tag was found alone, the next one counts as
  /// alone, too, unless everything is looked for.
  public func look() throws(ReaderError) -> [Target] {
    try look { () throws(ReaderError) in try askAll(self.polls) }
  }

  /// One look of many while nothing is there: type A, and one of the others in its turn, unless the
  /// next tag of a line is awaited.
  func lookInTurn() throws(ReaderError) -> [Target] {
    try look { () throws(ReaderError) in
      let polls = self.polls
      guard !polls.isEmpty, !awaitsTypeA else { return [] }
      let poll = polls[turn % polls.count]
      turn += 1
      let found = try ask(poll)
      guard !found.isEmpty, technologies.count > 1 else { return found }
      return try askBeside(found, polls.filter { $0.technology != poll.technology })
    }
  }

  /// One look for what has the technology of `tag` alone.
  func look(like tag: Target) throws(ReaderError) -> [Target] {
    guard let poll = Poll(for: tag) else { return try lookForTypeA() }
    try begin()
    return try ask(poll)
  }

  private func look(
    _ others: () throws(ReaderError) -> [Target]
  ) throws(ReaderError) -> [Target] {
    guard technologies.contains(.typeA) else {
      try begin()
      return try others()
    }
    var found = try lookForTypeA()
    if found.isEmpty { return try others() }
    if beside == .everything, found.count == 1 {
      found = try lookBeside(found[0])
      // It has gone meanwhile.
      if found.isEmpty { return [] }
    }
    let others = polls.filter(beside.polls.contains)
    guard !others.isEmpty else { return found }
    if beside != .everything, let lastAlone, clock.now() - lastAlone < Self.lineMemory {
      if found.count == 1 { self.lastAlone = clock.now() }
      return found
    }
    // A card in the ISO-DEP protocol would not hear that it is selected again.
    if isInProtocol { try release() }
    let all = try askOnceBeside(found, others)
    if all.count == 1 { lastAlone = clock.now() }
    return all
  }

  /// Asks for what lies beside with one try each, where other looks have two: a try at nothing
  /// takes 5 ms, and the tag that was found waits for it.
  private func askOnceBeside(_ found: [Target], _ others: [Poll]) throws(ReaderError) -> [Target] {
    wantedTries = 0
    defer { wantedTries = Self.usualTries }
    let all = try askBeside(found, others)
    guard all.isEmpty else { return all }
    wantedTries = Self.usualTries
    return try wake(found[0]) ? found : []
  }

  /// How long after a tag of type A the next one is awaited before others get their turns.
  static let lineMemory = Duration.seconds(2)

  /// Is true if a tag of type A was there so lately that a line is at work, which is not slowed
  /// down for what it has not seen.
  var awaitsTypeA: Bool {
    guard technologies.contains(.typeA), let lastTypeA else { return false }
    return clock.now() - lastTypeA < Self.lineMemory
  }

  private func begin() throws(ReaderError) {
    try prepare()
    if !hasAutomaticRATS { try setAutomaticRATS(true) }
    beginLook()
    // REQA does not wake a tag in HALT, where an earlier look or a refusal may have left it.
    if mayHaveHalted { try resetField() }
  }

  private func lookForTypeA() throws(ReaderError) -> [Target] {
    try begin()
    return try settle(try again { () throws(ReaderError) in try list(room: 2) })
  }

  /// Does a look once more, in a field that was off, when the line fails: a lost answer may have
  /// named a tag, which the chip has left in HALT.
  func again(_ look: () throws(ReaderError) -> [Target]) throws(ReaderError) -> [Target] {
    do {
      return try look()
    } catch  where error.isOfLine {
      try resetField(repetition: .never)
      return try look()
    }
  }

  /// Selects `tag` by its UID; false when it does not answer.
  func isThere(_ tag: Target) throws(ReaderError) -> Bool {
    guard tag.typeA != nil else { return try isStillThere(tag) }
    // A card in the ISO-DEP protocol heeds no request until it is let go (ISO/IEC 14443-4, 8).
    if isInProtocol || othersMayBeInProtocol { try release() }
    let found = try list(room: 1, uid: tag.uid)
    guard let first = found.first, first.uid == tag.uid else { return false }
    target = first
    return true
  }

  /// Selects `tag`, which a look has left in HALT, by its UID; false when it does not answer.
  ///
  /// Some boards ask for a UID with REQA, which a tag in HALT does not hear: it is asked for again
  /// in a field that was off, until this board is known to ask otherwise. A random UID does not
  /// outlive that.
  func wake(_ tag: Target) throws(ReaderError) -> Bool {
    if try isThere(tag) {
      if findsHalted == nil { findsHalted = true }
      return true
    }
    guard findsHalted != true, tag.typeA != nil, !hasRandomUID(tag) else { return false }
    try resetField()
    guard try isThere(tag) else { return false }
    findsHalted = false
    return true
  }

  /// Looks for other tags than the one in HALT without switching the field off.
  func lookForOthers() throws(ReaderError) -> [Target] { try list(room: 2) }

  /// Takes the field away for as long as tags need to forget.
  func resetField(repetition: Repetition = .once) throws(ReaderError) {
    try fieldOff(repetition: repetition)
    clock.sleep(Self.resetPause)
  }

  /// Judges what a look found, and leaves a single tag selected.
  private func settle(_ found: [Target]) throws(ReaderError) -> [Target] {
    guard let first = found.first else { return [] }
    noteRandom(found)
    if found.count == 2, found[1].uid == first.uid, found[1].sak == first.sak {
      // One tag, met twice: it ignores HLTA or lost its power for an instant, or the chip polls
      // with WUPA.
      return try isThere(first) ? [first] : []
    }
    guard found.count == 1 else { return found }
    target = first
    if isInProtocol, first.sak.flatMap(Geometry.init(sak:)) != nil {
      return try leaveProtocol(first)
    }
    // Having halted the first tag to look for a second, the chip need not wake the first again.
    targetMaySleep = true
    return found
  }

  /// A smart card with a MIFARE Classic in it takes the Classic's commands for APDUs once it has
  /// been sent RATS: it is selected again without. It waits in HALT meanwhile, so that no other tag
  /// is missed, which the chip has not yet looked for. Where no Classic is in it, for all that its
  /// SAK says, it stays a smart card.
  private func leaveProtocol(_ card: Target) throws(ReaderError) -> [Target] {
    try release()
    try setAutomaticRATS(false)
    let others = try lookForOthers().filter { $0.uid != card.uid }
    guard others.isEmpty else { return [card] + others.prefix(1) }
    if try !isThere(card) {
      try resetField()
      let again = try list(room: 2)
      guard again.count == 1 else { return again }
    }
    if try answersAsClassic() { return try isThere(card) ? [target ?? card] : [] }
    try setAutomaticRATS(true)
    try resetField()
    return try isThere(card) ? [target ?? card] : []
  }

  /// Returns whether the selected card answers the first frame of a Classic's authentication. It
  /// waits for the second one then, or has refused: it is to be selected again.
  private func answersAsClassic() throws(ReaderError) -> Bool {
    let answer = try perform(.inCommunicateThru([0x60, 0x00]))
    // The nonce comes without CRC, so the chip calls it damaged.
    return answer.first != StatusCode.timeout.rawValue
  }

  /// Lets the selected card into the ISO-DEP protocol, from which one with a MIFARE Classic in it
  /// is kept. False where it does not know it, or does not answer RATS: it is selected without.
  package func enterProtocol() throws(ReaderError) -> Bool {
    guard !isInProtocol, let card = target, card.typeA != nil, card.speaksISODEP else {
      return isInProtocol
    }
    try setAutomaticRATS(true)
    try resetField()
    if try isThere(card) { return true }
    try selectBare(card)
    return false
  }

  /// Selects `card` without RATS.
  private func selectBare(_ card: Target) throws(ReaderError) {
    try setAutomaticRATS(false)
    try resetField()
    guard try !isThere(card) else { return }
    silenceCount += 1
    throw .tagLost(expected: card.uid, found: nil)
  }

  /// A look without RATS: some cards say that they know ISO-DEP and do not answer it, and the chip
  /// names no such card. A bench that knows its reel does without.
  func lookWithoutRATS() throws(ReaderError) -> [Target] {
    guard technologies.contains(.typeA), technologies.count > 1 else { return [] }
    lastBareLook = clock.now()
    try prepare()
    try resetField()
    try setAutomaticRATS(false)
    let found = try list(room: 2)
    guard let first = found.first, found.count == 1 else {
      if found.isEmpty { try setAutomaticRATS(true) }
      return found
    }
    noteRandom(found)
    target = first
    targetMaySleep = true
    // It may have come a moment ago, and answer.
    guard first.speaksISODEP, first.sak.flatMap(Geometry.init(sak:)) == nil else { return found }
    return try enterProtocol() ? [target ?? first] : found
  }

  func setAutomaticRATS(_ isOn: Bool) throws(ReaderError) {
    _ = try perform(.setParameters(automaticRATS: isOn))
    hasAutomaticRATS = isOn
  }

  /// A card in the ISO-DEP protocol ends the chip's search (UM0701-02, 7.3.5): it waits in HALT
  /// while the chip looks for another tag of type A.
  private func lookBeside(_ card: Target) throws(ReaderError) -> [Target] {
    guard isInProtocol else { return [card] }
    try release()
    let others = try lookForOthers().filter { $0.uid != card.uid }
    guard others.isEmpty else {
      othersMayBeInProtocol = true
      return [card] + others.prefix(1)
    }
    if try isThere(card) { return [card] }
    return try lookForTypeA()
  }

  func release() throws(ReaderError) {
    forgetTarget()
    othersMayBeInProtocol = false
    do {
      // Its status does not matter: a tag that has gone cannot be let go.
      _ = try perform(.inRelease())
    } catch .boardRefused {
      // A copy of the chip without this command: the tag is looked for as it is.
    }
  }

  /// InListPassiveTarget for `room` tags, or for the one with `uid`.
  private func list(room: UInt8, uid: UID? = nil) throws(ReaderError) -> [Target] {
    try prepare()
    forgetTarget()
    needsReselect = true
    // Before it is sent: an answer that is lost may have named a tag.
    let mayHaveHaltedBefore = mayHaveHalted
    mayHaveHalted = true
    let answer = try perform(
      .listTypeA(limit: room, uid: uid?.bytes ?? []), timeout: Allowance.look,
      repetition: uid == nil ? .never : .once)
    guard let found = try? TypeATarget.list(parsing: answer, automaticRATS: hasAutomaticRATS)
    else { throw .boardGarbled(reader: name) }
    needsReselect = found.isEmpty
    if found.isEmpty { mayHaveHalted = mayHaveHaltedBefore } else { lastTypeA = clock.now() }
    let isProtocolOn = hasAutomaticRATS && found.contains { $0.sak & 0x20 != 0 }
    if found.count > 1, isProtocolOn { othersMayBeInProtocol = true }
    return found.map {
      .typeA(
        Activation(
          atqa: $0.atqa, sak: $0.sak, uid: UID($0.uid), ats: $0.ats, hasATS: $0.hasATS))
    }
  }
}

extension ReaderError {
  /// A frame was lost or damaged between host and chip.
  var isOfLine: Bool {
    switch self {
    case .boardSilent, .boardGarbled: true
    default: false
    }
  }
}
