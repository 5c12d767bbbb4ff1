import TagMemory

/// The jobs of a MIFARE Classic that neither format it nor give it a message.
extension ClassicFamily {
  static func reset(
    _ state: ClassicState, overwrites: Bool, _ description: TagDescription
  ) throws(JobFailure) -> JobPlan {
    let program = try ClassicResetPlanner(state: state, overwrites: overwrites).plan()
    var after = description
    (after.access, after.capacity, after.closed) = (.notSupported, nil, nil)
    after.content = .notLookedAt
    var plan = JobPlan(program, before: description, after: after)
    let destroyed = state.destroyedSectors
    guard !destroyed.isEmpty else { return plan }
    plan.shortfall = JobFailure(
      .classic(.destroyed(destroyed)), holds: .othersReset, remedy: .useTagWithAllSectors)
    return plan
  }

  static func lock(_ survey: ClassicSurvey, force: Bool, _ description: TagDescription)
    throws(JobFailure) -> JobPlan
  {
    guard case .message(let found) = survey else {
      if case .trailers(let state) = survey { try ClassicLockPlanner.requireAccess(to: state) }
      try description.requireMessage(force: force)
      throw JobFailure(.mistake(.notSurveyed))
    }
    let (state, sectors) = (found.surveyor.state, found.area.sectors)
    let destroyed = state.destroyedSectors
    guard destroyed.isEmpty else {
      throw JobFailure(.classic(.destroyed(destroyed)), remedy: .writeMessageElsewhere)
    }
    try description.requireMessage(force: force)
    let program = try ClassicLockPlanner(state: state, sectors: sectors).plan()
    var before = description
    before.noteLockBytes(state.mislabelledLocks(in: sectors), of: program)
    let locked = state.applying(program)
    before.noteOpenSectors(beside: sectors, state, locked)
    var after = before.locked
    after.capacity = locked.capacity(of: found.area)
    return JobPlan(program, before: before, after: after)
  }

  static func restore(
    _ restore: Restore, to state: ClassicState, _ target: Target,
    _ description: TagDescription
  ) throws(JobFailure) -> JobPlan {
    let (program, leftAlone) = try ClassicRestorePlanner(state: state, job: restore).plan()
    var before = description
    before.noteNotRestored(leftAlone)
    var after = ClassicDescription(state: state.applying(program), target: target)
      .description(for: .info)
    (after.memory, after.dump, after.details) = ([], nil, [])
    after.findings = before.findings
    return try JobPlan(program, before: before, after: after)
      .showing(messageOf: restore, by: .directory)
  }
}

extension ClassicFamily {
  static func writeBlocks(
    _ blocks: [Block: [UInt8]], force: Bool, on state: ClassicState, _ description: TagDescription
  ) throws(JobFailure) -> JobPlan {
    let (program, warnings) = try ClassicBlockPlanner(state: state, blocks: blocks, force: force)
      .plan()
    var described = description
    described.findings += warnings.map { TagDescription.Finding("trailer", $0) }
    return JobPlan(program, before: described, after: described)
  }
}

extension ClassicFamily {
  /// A format, a message or both. Where the tag, looked at again, refuses what the run has begun,
  /// the run puts back what it has changed, and ends with the refusal.
  static func write(_ basis: ClassicBasis, _ format: ClassicFormat, _ pass: PassContext)
    throws(JobFailure) -> JobPlan
  {
    do throws(JobFailure) {
      let plan = try ClassicJobPlanner(basis: basis, format: format).plan()
      return JobPlan(plan, basis: basis, format: format)
    } catch {
      // A first refusal may be a lost answer: it is looked at again.
      guard pass.number > 1 || error.kind == .badInput,
        [.refused, .badInput].contains(error.kind),
        let undo = ClassicUndoPlanner(basis: basis), let program = undo.plan()
      else { throw error }
      let description = TagDescription(basis, format)
      var plan = JobPlan(program, before: description, after: description)
      plan.shortfall = JobFailure(error.cause, holds: undo.holds, remedy: error.remedy)
      return plan
    }
  }
}

extension JobPlan {
  /// A format, a message or both.
  init(_ plan: ClassicPlan, basis: ClassicBasis, format: ClassicFormat) {
    var before = TagDescription(basis, format)
    var after = plan.program.changesTag ? TagDescription(lasting: basis, format) : before
    if case .format = basis.way { before.capacity = plan.after.capacity(of: plan.area) }
    if format.lock {
      let mislabelled = plan.after.mislabelledLocks(in: plan.area.sectors)
      before.noteLockBytes(mislabelled, of: plan.program)
      after.noteLockBytes(mislabelled, of: plan.program)
      before.noteOpenSectors(beside: plan.area.sectors, basis.state, plan.after)
      after.noteOpenSectors(beside: plan.area.sectors, basis.state, plan.after)
    }
    before.noteOddities(basis, plan)
    after.noteOddities(basis, plan)
    after.capacity = before.capacity
    after.access = plan.after.status(of: plan.area)
    after.closed = plan.after.closed(plan.area)
    if format.lock { after = after.locked }
    if let bytes = format.messageBytes {
      after.holdWritten(bytes)
    } else {
      after.hold(plan.after.content(of: plan.area))
    }
    self.init(plan.program, before: before, after: after)
  }
}

extension TagDescription {
  /// An NDEF tag by what was read of it.
  init(_ state: ClassicState, _ area: NDEFArea) {
    self.init()
    note(area, of: state)
  }

  /// What a decision goes by: a message that is longer than its capacity does not fit.
  init(deciding state: ClassicState, _ area: NDEFArea) {
    self.init(state, area)
    capacity = state.room(in: area)
  }

  /// A tag of which no more is known than that readers find no message area on it.
  static var withoutMessage: TagDescription {
    var description = TagDescription()
    description.access = .notSupported
    return description
  }

  private mutating func note(_ area: NDEFArea, of state: ClassicState) {
    access = state.status(of: area)
    capacity = state.capacity(of: area)
    closed = state.closed(area)
    hold(state.content(of: area))
  }

  /// The tag before anything is written.
  init(_ basis: ClassicBasis, _ format: ClassicFormat) {
    self.init(lasting: basis, format)
    switch basis.way {
    case .message(let area): noteSeen(area, of: basis.state)
    case .format: noteArea(of: basis.state)
    }
  }

  /// Notes the message area that the directory names. A tag whose sector 0 names none does not
  /// support NDEF.
  mutating func noteArea(of state: ClassicState) {
    let trailer = state.sectors[.mad]?.trailer
    let directory = trailer?.generalPurposeByte.madVersion.flatMap { _ in state.directory() }
    let sectors = directory?.nfcSectors(on: state.geometry) ?? []
    guard sectors.isEmpty else { return noteSeen(NDEFArea(sectors), of: state) }
    access = .notSupported
  }

  /// The status is not known where the message goes on in a sector that was not looked at.
  private mutating func noteSeen(_ area: NDEFArea, of state: ClassicState) {
    note(area, of: state)
    let end = state.scan(of: area).message?.endOffset ?? Block.byteCount
    let isSeen = area.blocks(holding: 0..<end).allSatisfy { state.sectors[$0.sector] != nil }
    if !isSeen { access = nil }
  }

  /// What no write changes: what card it is, and what of it is lost.
  init(lasting basis: ClassicBasis, _ format: ClassicFormat) {
    self.init()
    let state = basis.state
    noteSize(state)
    // Once this run has written the directory it names other sectors.
    if state.sent[1] == nil { noteLost(state.lostStart, format) }
    if case .format(let isSurveyed) = basis.way {
      if isSurveyed {
        noteClosed(state.closedSectors(for: format))
        let first = basis.decided?.state ?? state
        if format.overwrite, !first.isFormatted {
          noteLeftOut(of: state)
          noteReplaced(first)
        }
        if format.overwrite, first.isFormatted, first.lacksSecondDirectory { noteGivenUp() }
      }
      noteDestroyed(state.destroyedSectors, isMarked: true)
    }
  }

  /// This is the description once every NFC sector is read-only.
  fileprivate var locked: TagDescription {
    var description = self
    (description.isLocked, description.access) = (true, .readOnly)
    return description
  }

  /// Names sectors that are locked and say that they are not, and stay so: `program` does not write
  /// them.
  fileprivate mutating func noteLockBytes(_ sectors: [Sector], of program: TagProgram) {
    let left = sectors.filter { !program.writtenTrailers.contains($0) }
    guard !left.isEmpty else { return }
    findings.append(
      Finding(
        "lock-byte",
        "\(ClassicWords.list(left)) permanently locked, but the general purpose byte says that writing is allowed; it is not changed."
      ))
  }

  /// Names sectors that stay open beside `locked` ones, and a directory that no key which is known
  /// may close: with both, another message can take the place of the locked one.
  fileprivate mutating func noteOpenSectors(
    beside locked: [Sector], _ before: ClassicState, _ after: ClassicState
  ) {
    let open = after.openSectors(beside: locked)
    guard !open.isEmpty else { return }
    let directory = after.directorySectors.filter { !after.isLocked($0) }
    guard directory.isEmpty else {
      findings.append(
        Finding(
          "directory-open",
          "The directory (\(ClassicWords.list(directory).lowercased())) is not locked: no key that was tried may change its trailer. "
            + "Who knows key B can make readers find another message in \(ClassicWords.list(open).lowercased()).",
          remedy: .giveKey))
      return
    }
    findings.append(
      Finding(
        "sectors-open",
        "\(ClassicWords.list(open)) not locked. The directory, which is locked, leads readers to the sectors with the message only."
      ))
  }

  /// Names sectors that a formatting leaves out because no key that was tried may change them.
  private mutating func noteLeftOut(of state: ClassicState) {
    let stuck = state.geometry.sectors.filter {
      !MAD.Version.two.sectors.contains($0) && state.isStuck($0)
    }
    guard !stuck.isEmpty else { return }
    findings.append(
      Finding(
        "sector-left-out",
        "\(ClassicWords.list(stuck)) left out: no key that was tried may change \(stuck.count == 1 ? "its" : "their") keys and access bits, "
          + "so no message can lie there."))
  }

  /// Says that a MAD2 of which nobody can read the second part has become a MAD1.
  private mutating func noteGivenUp() {
    findings.append(
      Finding(
        "mad-second",
        "Sector 16 cannot be read, and the second part of the directory with it: the directory is now one of sectors 1 to 15. What the others were for is not known."
      ))
  }

  /// Names other applications' entries of a directory that a formatting replaces.
  private mutating func noteReplaced(_ state: ClassicState) {
    guard let directory = state.directory() else { return }
    let others = directory.entries.filter { $0.aid.isForeign }
    guard !others.isEmpty else { return }
    let names = others.map { "\($0.sector) as \($0.aid)" }.joined(separator: ", ")
    findings.append(
      Finding("entries-replaced", "The directory named \(names). The new one does not."))
  }

  /// Says that the message which was on the tag is gone with the `sector` that it started in.
  private mutating func noteLost(_ sector: Sector?, _ format: ClassicFormat) {
    guard let sector, format.messageBytes == nil else { return }
    findings.append(
      Finding(
        "message-lost",
        "The message on the tag started in \(sector.description.lowercased()), which is damaged; the tag gets an empty message."
      ))
  }
}
