import NDEF
import TagMemory

/// All that a job does to a Type 2 tag: the message, the password, the locks, each planned on what
/// the one before it leaves.
struct Type2JobPlanner {
  typealias Part = (kind: TagProgram.Phase.Kind, program: TagProgram)

  let survey: Type2Survey
  let job: Job
  let isThorough: Bool

  private var before: TagDescription { TagDescription(survey.state) }

  // MARK: Jobs

  func write(_ message: [UInt8], _ options: WriteOptions) throws(JobFailure) -> JobPlan {
    let (state, meaning) = (survey.state, survey.meaning)
    let update = try messagePlanner(message, options).plan()
    let whole = TagProgram(
      joining: [(.message, update)]
        + (try afterMessage(
          state.applying(update), meaning: meaning.applying(update), lock: options.lock,
          freezes: options.freezesMirror && options.mirror != nil)))
    try survey.requireRights(for: whole)
    let program = try survey.notingRepairs(in: whole)
    var before = before
    before.noteMirror(program)
    var after = self.before(
      changedBy: program, meaning: options.mirror, frozen: options.lock && options.freezesMirror)
    after.noteMirror(program)
    before.noteKept(update)
    after.noteKept(update)
    after.holdWritten(
      options.mirror?.settled(message, on: survey.target.uid) ?? message,
      options.mirror.map { HeldMessage.Filling($0.range, isSettled: true, mirror: $0) })
    if options.lock {
      let final = state.applying(program)
      before.noteOpenMirror(of: final)
      after.noteOpenMirror(of: final)
    }
    return JobPlan(
      program, before: before, after: withAccess(after, after: program, lock: options.lock))
  }

  func lock(force: Bool) throws(JobFailure) -> JobPlan {
    let (state, meaning) = (survey.state, survey.meaning)
    let ndef = state.ndef
    // A length beyond the area makes it no NDEF tag for readers; there are TLVs all the same.
    try before.requireMessage(
      force: force, isFormatted: ndef?.scan != nil && ndef?.container.readAccess == .free)
    let locks = try Type2LockPlanner(state: state, meaning: meaning).plan()
    try survey.requireRights(for: locks)
    let program = try survey.notingRepairs(in: locks)
    var (before, after) = (
      before, withAccess(self.before(changedBy: program), after: program, lock: true)
    )
    before.noteOpenMirror(of: state)
    after.noteOpenMirror(of: state)
    return JobPlan(program, before: before, after: after)
  }

  func changePassword() throws(JobFailure) -> JobPlan {
    let parts = try afterMessage(survey.state, meaning: survey.meaning, lock: false)
    let program = try survey.notingRepairs(in: TagProgram(joining: parts))
    var (before, after) = (
      before, withAccess(self.before(changedBy: program), after: program, lock: false)
    )
    if let first = job.passwordChange?.settings.firstPage, after.closed != nil {
      before.noteClosed(from: first)
      after.noteClosed(from: first)
    }
    return JobPlan(program, before: before, after: after)
  }

  func restore(_ restore: Restore) throws(JobFailure) -> JobPlan {
    let state = survey.state
    let planner = Type2RestorePlanner(
      state: state, meaning: survey.meaning, uid: survey.target.uid, job: restore)
    let plan = try planner.plan()
    try survey.requireRights(for: plan)
    // Everything was read that shows: a page that did not is under the password, like the
    // configuration.
    guard state.memory.knowsProtection || state.showsEveryPage(of: plan) else {
      throw Type2Surveyor.hidesConfiguration(of: state.map)
    }
    let program = try survey.notingRepairs(in: plan)
    let restored = state.applying(program)
    // A mirror that is new shows over pages, too, that hold already what the dump has.
    let isNew = restored.shownMirror != state.shownMirror
    let overlay = MirrorOverlay(of: restored, uid: survey.target.uid)
    let covered = isNew ? state.map.pages.filter(overlay.covers) : []
    let shown = restored.mirrored(over: program.writtenPages + covered)
    var (before, after) = (before, TagDescription(shown))
    before.noteNotRestored(planner.leftAlone)
    after.noteNotRestored(planner.leftAlone)
    return try JobPlan(program, before: before, after: after)
      .showing(
        messageOf: restore, by: .capabilityContainer,
        isOpen: restored.memory.capabilityContainer?.readAccess ?? .free == .free)
  }

  func writePages(_ write: PageWrite) throws(JobFailure) -> JobPlan {
    let (state, meaning) = (survey.state, survey.meaning)
    var planner = try PageWritePlanner(state: state, meaning: meaning, job: write)
    if let counter = state.map.counter, survey.sent[counter] != nil {
      planner.hasCounted = state.memory[counter] == meaning.memory[counter]
    }
    let plan = try planner.plan()
    try survey.requireRights(for: plan)
    let program = try survey.notingRepairs(in: plan)
    // What stands in the area then was not read as a message: nothing is claimed of it.
    var after = self.before(changedBy: program)
    after.content = .notLookedAt
    after.capacity = nil
    if program.changesTag { (after.access, after.closed) = (nil, nil) }
    let unproven = program.unproven.compactMap(\.page)
    if !unproven.isEmpty { after.findings.append(PageWritePlanner.notProven(unproven)) }
    return JobPlan(program, before: before, after: after)
  }

  // MARK: Parts

  func messagePlanner(_ message: [UInt8], _ options: WriteOptions) -> Type2MessagePlanner {
    Type2MessagePlanner(
      state: survey.state, meaning: survey.meaning, uid: survey.target.uid, message: message,
      overwrite: options.overwrite, force: options.force, mirror: options.mirror)
  }

  /// The parts that follow a message: the password, then the locks, with the configuration's last.
  private func afterMessage(
    _ state: Type2State, meaning: Type2State, lock: Bool, freezes: Bool = false
  ) throws(JobFailure) -> [Part] {
    var parts: [Part] = []
    var (state, meaning) = (state, meaning)
    if let change = job.passwordChange?.fitting(state.product) {
      let protection = try Type2ProtectionPlanner(
        state: state, meaning: meaning, change: change, isThorough: isThorough
      ).plan()
      parts.append((.protection, protection))
      (state, meaning) = (state.applying(protection), meaning.applying(protection))
      if change.settings != ChipSettings() {
        let settings = try ConfigurationSettings(
          state: state, meaning: meaning, settings: change.settings
        ).plan()
        parts.append((.protection, settings))
        (state, meaning) = (state.applying(settings), meaning.applying(settings))
      }
    }
    if lock {
      parts.append((.locks, try Type2LockPlanner(state: state, meaning: meaning).plan()))
    }
    if lock && freezes || job.passwordChange?.settings.freezes == true {
      parts.append((.locks, try ConfigurationFreeze(state: state, meaning: meaning).plan()))
    }
    return parts
  }

  /// What is said of the tag once `program` is done, the message aside: what was odd about its area
  /// has been written over then and read back. What stands beside it is as the program leaves it.
  /// A mirror that the job sets up is not odd.
  private func before(
    changedBy program: TagProgram, meaning mirror: MessageMirror? = nil, frozen: Bool = false
  ) -> TagDescription {
    var description = before
    if program.changesTag || mirror != nil {
      var state = survey.state.applying(program)
      (state.hasMirrorOnPurpose, state.isFrozenOnPurpose) = (mirror != nil, frozen)
      description.findings = state.standingFindings
    }
    return description
  }

  /// `description` with what `program` has made of the tag, as a reader sees it that has no
  /// password.
  private func withAccess(_ description: TagDescription, after program: TagProgram, lock: Bool)
    -> TagDescription
  {
    var description = description
    let final = survey.state.applying(program)
    (description.access, description.closed) = (final.status, final.closed)
    description.capacity = final.ndef?.capacity
    if lock { description.isLocked = true }
    if job.passwordChange != nil { description.isPasswordProtected = final.isPasswordProtected }
    return description
  }
}
