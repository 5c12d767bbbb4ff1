import NDEF
import TagMemory

/// All that a job does to a Type 3 tag: the format, the message, the locks, each planned on what
/// the one before it leaves.
struct FeliCaJobPlanner {
  typealias Part = (kind: TagProgram.Phase.Kind, program: TagProgram)

  let state: FeliCaState

  private var before: TagDescription { TagDescription(state) }

  // MARK: Jobs

  func write(_ message: [UInt8], _ options: WriteOptions) throws(JobFailure) -> JobPlan {
    guard options.protection == nil else { throw noPasswords }
    return try program(
      FeliCaMessagePlanner(state: state, message: message, overwrite: options.overwrite).parts(),
      lock: options.lock)
  }

  func format(_ format: FeliCaFormat) throws(JobFailure) -> JobPlan {
    guard state.chip.isLite else {
      throw JobFailure(
        .wrongKind(wanted: .feliCaLite, tag: "\(state.chip.product)"), remedy: .useFeliCaLite)
    }
    return try program(
      FeliCaMessagePlanner(
        state: state, message: format.messageBytes, overwrite: format.overwrite
      ).parts(), lock: format.lock)
  }

  func lock(force: Bool) throws(JobFailure) -> JobPlan {
    if state.chip.isLite {
      var whole = state
      if let block = FeliCaAttributes(state: state).beingLocked {
        whole.note(block.serialize(), at: AttributeBlock.number)
      }
      try TagDescription(whole).requireMessage(force: force, isFormatted: isFormatted)
    }
    return try program([(.locks, FeliCaLockPlanner(state: state).plan())], lock: false, locks: true)
  }

  func restore(_ restore: Restore) throws(JobFailure) -> JobPlan {
    let planner = FeliCaRestorePlanner(state: state, job: restore)
    var plan = try program([(.restore, planner.plan())], lock: false)
    plan.before.noteNotRestored(planner.leftAlone)
    plan.after.noteNotRestored(planner.leftAlone)
    return try plan.showing(messageOf: restore, by: .attributes)
  }

  func dump() throws(JobFailure) -> JobPlan {
    guard state.chip.isLite else {
      throw JobFailure(
        .feliCa(.notDumpable(state.chip.product)), remedy: .keepMessageInstead)
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

  private func program(_ parts: [Part], lock: Bool, locks: Bool = false) throws(JobFailure)
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

  /// Notes in `plan` the blocks that an earlier pass has written and that hold something else.
  /// Throws where it cannot put one of them right.
  private func notingRepairs(in plan: TagProgram) throws(JobFailure) -> TagProgram {
    var program = plan
    let wrong = state.sent.keys.sorted().filter { block in
      guard let found = state[block], found != state.sent[block] else { return false }
      // Closed for good, with another value than 00: nothing more can be done, or need be.
      return block != MemoryConfiguration.block
        || state.configuration?.isLocked != true || state.configuration?.canLock == true
        || state.configuration?.frozen.serialize() != state.sent[block]
    }
    program.repairs = Set(wrong.filter(state.wasDamaged).map(Place.feliCaBlock))
    let written = Set(program.steps.flatMap(\.feliCaBlocks))
    guard let block = wrong.first(where: { !written.contains($0) || isBeyondRepair($0) }),
      let found = state[block], let meant = state.sent[block]
    else { return program }
    throw JobFailure(
      .feliCa(.blockDiffers(block, found: found, wanted: meant)), remedy: .useAnotherTag)
  }

  /// Returns whether the tag cannot be made to hold there what was sent: bits of the memory
  /// configuration go one way.
  private func isBeyondRepair(_ block: UInt16) -> Bool {
    guard block == MemoryConfiguration.block, let found = state.configuration,
      let meant = state.sent[block].flatMap(state.configuration)
    else { return false }
    return !found.canBecome(meant)
  }

  // MARK: What cannot be

  var noPasswords: JobFailure {
    JobFailure(
      .feliCa(.noPassword(state.chip.product, hasCardKey: state.chip.isLite)),
      remedy: .useTagWithPassword)
  }

  var otherFamily: JobFailure {
    JobFailure(
      .feliCa(.otherFamily(state.chip.product)), remedy: .writeInstead(formats: state.chip.isLite))
  }
}

extension TagProgram.Step {
  /// The blocks that it writes.
  var feliCaBlocks: [UInt16] {
    guard let (place, bytes) = written, let first = place.feliCaBlock else { return [] }
    return bytes.feliCaBlocks.indices.map { first + UInt16($0) }
  }
}
