import NDEF
import TagMemory

/// All that a job does to a Type 3 tag: the format, the message, the locks, each planned on what the one before it leaves.
struct FeliCaJobPlanner {
  typealias Part = (kind: TagProgram.Phase.Kind, program: TagProgram)

  let state: FeliCaState

  private var before: TagDescription { TagDescription(state) }

  // MARK: Jobs

  func write(_ message: [UInt8], _ options: WriteOptions) throws(ProgramFailure) -> JobPlan {
    guard options.protection == nil else { throw noPasswords }
    return try program(
      FeliCaMessagePlanner(state: state, message: message, overwrite: options.overwrite).parts(),
      lock: options.lock)
  }

  func format(_ format: FeliCaFormat) throws(ProgramFailure) -> JobPlan {
    guard state.chip.isLite else {
      throw ProgramFailure(
        .badInput,
        "The tag is a \(state.chip.product.displayName); only a FeliCa Lite or Lite-S can be formatted here.",
        tagHolds: "unchanged.", next: FeliCaWords.needsLite)
    }
    return try program(
      FeliCaMessagePlanner(
        state: state, message: format.messageBytes, overwrite: format.overwrite
      ).parts(), lock: format.lock)
  }

  func lock(force: Bool) throws(ProgramFailure) -> JobPlan {
    if state.chip.isLite {
      var whole = state
      if let block = FeliCaAttributes(state: state).beingLocked {
        whole.note(block.serialize(), at: AttributeBlock.number)
      }
      try TagDescription(whole).requireMessage(force: force, isFormatted: isFormatted)
    }
    return try program([(.locks, FeliCaLockPlanner(state: state).plan())], lock: false, locks: true)
  }

  func restore(_ restore: Restore) throws(ProgramFailure) -> JobPlan {
    let planner = FeliCaRestorePlanner(state: state, job: restore)
    var plan = try program([(.message, planner.plan())], lock: false)
    plan.before.noteNotRestored(planner.leftAlone)
    plan.after.noteNotRestored(planner.leftAlone)
    return plan
  }

  func dump() throws(ProgramFailure) -> JobPlan {
    guard state.chip.isLite else {
      throw ProgramFailure(
        .badInput,
        "The tag is a \(state.chip.product.displayName), whose whole memory cannot be read: only a FeliCa Lite or Lite-S is dumped here.",
        tagHolds: "unchanged.", next: "use read --raw FILE, which keeps the message.")
    }
    return JobPlan(showing: FeliCaFamily.describe(state, for: .dump))
  }

  // MARK: Parts

  /// The tag says that it is NDEF and has an attribute block, torn by a lock perhaps.
  private var isFormatted: Bool {
    guard state.declaresNDEF else { return false }
    let attributes = FeliCaAttributes(state: state)
    return attributes.found != .none || attributes.beingLocked != nil
  }

  private func program(_ parts: [Part], lock: Bool, locks: Bool = false) throws(ProgramFailure)
    -> JobPlan
  {
    var parts = parts
    let written = parts.reduce(state) { $0.applying($1.program) }
    if lock { parts.append((.locks, try FeliCaLockPlanner(state: written).plan())) }
    let program = try notingRepairs(in: TagProgram(joining: parts))
    var after = TagDescription(state.applying(program))
    if lock || locks { after.isLocked = true }
    return JobPlan(program, before: before, after: after)
  }

  /// Notes in `plan` the blocks that an earlier pass has written and that hold something else. Throws where it cannot put one of
  /// them right.
  private func notingRepairs(in plan: TagProgram) throws(ProgramFailure) -> TagProgram {
    var program = plan
    let wrong = state.sent.keys.sorted().filter { block in
      guard let found = state[block], found != state.sent[block] else { return false }
      // Closed for good, with another value than 00: nothing more can be done, or need be.
      return block != MemoryConfiguration.block
        || state.configuration?.isLocked != true
        || state.configuration?.frozen.serialize() != state.sent[block]
    }
    program.repairs = Set(wrong.filter(state.wasDamaged).map(Place.feliCaBlock))
    let written = Set(program.steps.flatMap(\.feliCaBlocks))
    guard let block = wrong.first(where: { !written.contains($0) }), let found = state[block],
      let meant = state.sent[block]
    else { return program }
    throw ProgramFailure(
      .mismatch, FeliCaWords.mismatch(block, found: found, wanted: meant) + ".",
      tagHolds: "as an earlier try left it.", next: "use another tag.")
  }

  // MARK: What cannot be

  var noPasswords: ProgramFailure {
    ProgramFailure(
      .badInput,
      state.chip.isLite
        ? "The tag is a \(state.chip.product.displayName): it has a card key of 16 bytes and no password, and card keys are not set here."
        : "The tag is a \(state.chip.product.displayName), which has no password.",
      tagHolds: "unchanged.",
      next:
        "use an NTAG21x or Ultralight EV1 where a password is wanted, or lock this tag for good.")
  }

  var otherFamily: ProgramFailure {
    ProgramFailure(
      .badInput,
      "The tag is a \(state.chip.product.displayName), which this command is not for.",
      tagHolds: "unchanged.",
      next: state.chip.isLite
        ? "use write-url, write or format-felica: they format blank tags of this type."
        : "use write-url or write.")
  }
}

extension TagProgram.Step {
  /// The blocks that it writes.
  var feliCaBlocks: [UInt16] {
    guard let (place, bytes) = written, let first = place.feliCaBlock else { return [] }
    return bytes.feliCaBlocks.indices.map { first + UInt16($0) }
  }
}
