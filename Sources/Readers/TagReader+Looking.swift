import PN532
import TagMemory

/// One look for tags: InListPassiveTarget (UM0701-02, 7.3.5) for type A at 106 kbit/s.
extension TagReader {
  /// How long the field stays off at least so that every tag forgets its state (ISO/IEC 14443-3, 5: 5.1 ms).
  static let resetPause = Duration.microseconds(5100)

  /// One look with room for two tags; empty when nothing is there. A third tag cannot be seen.
  public func look() throws(ReaderError) -> [Target] {
    try prepare()
    if !hasAutomaticRATS { try setAutomaticRATS(true) }
    lastLook = (clock.now(), counts)
    // REQA does not wake a tag in HALT, where an earlier look or a refusal may have left it.
    if mayHaveHalted { try resetField() }
    let found: [Target]
    do {
      found = try list(room: 2)
    } catch  where error.isOfLine {
      // A lost answer may have named a tag, which the chip has left in HALT.
      try resetField(repetition: .never)
      found = try list(room: 2)
    }
    return try settle(found)
  }

  /// Selects `tag` by its UID; false when it does not answer.
  func isThere(_ tag: Target) throws(ReaderError) -> Bool {
    // A card in the ISO-DEP protocol heeds no request until it is let go (ISO/IEC 14443-4, 8).
    if isInProtocol { try release() }
    let found = try list(room: 1, uid: tag.uid)
    guard let first = found.first, first.uid == tag.uid else { return false }
    target = first
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
    if found.count == 2, found[1].uid == first.uid, found[1].sak == first.sak {
      // One tag, met twice: it ignores HLTA or lost its power for an instant, or the chip polls with WUPA.
      return try isThere(first) ? [first] : []
    }
    guard found.count == 1 else { return found }
    target = first
    if isInProtocol, Geometry(first) != nil { return try leaveProtocol(first) }
    // Having halted the first tag to look for a second, the chip need not wake the first again.
    targetMaySleep = true
    return found
  }

  /// A smart card with a MIFARE Classic in it takes the Classic's commands for APDUs once it has been sent RATS: it is
  /// selected anew without. It waits in HALT meanwhile, so that no other tag is missed, which the chip has not yet looked for.
  private func leaveProtocol(_ card: Target) throws(ReaderError) -> [Target] {
    try release()
    try setAutomaticRATS(false)
    let others = try lookForOthers().filter { $0.uid != card.uid }
    guard others.isEmpty else { return [card] + others.prefix(1) }
    if try isThere(card) { return [card] }
    try resetField()
    let again = try list(room: 2)
    guard again.count == 1 else { return again }
    target = again[0]
    targetMaySleep = true
    return again
  }

  private func release() throws(ReaderError) {
    forgetTarget()
    do {
      // Its status does not matter: a tag that has gone cannot be let go.
      _ = try perform(.inRelease())
    } catch .boardRefused {
      // A copy of the chip without this command: the tag is looked for as it is.
    }
  }

  private func setAutomaticRATS(_ isOn: Bool) throws(ReaderError) {
    _ = try perform(.setParameters(automaticRATS: isOn))
    hasAutomaticRATS = isOn
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
    if found.isEmpty { mayHaveHalted = mayHaveHaltedBefore }
    return found.map {
      .typeA(Activation(atqa: $0.atqa, sak: $0.sak, uid: UID($0.uid), ats: $0.ats))
    }
  }
}

extension ReaderError {
  /// A frame was lost or damaged between host and chip.
  fileprivate var isOfLine: Bool {
    switch self {
    case .boardSilent, .boardGarbled: true
    default: false
    }
  }
}
