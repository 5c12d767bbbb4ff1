import TagMemory

/// A whole job on a tag that speaks ISO-DEP, as one program.
struct Type4JobPlanner {
  let state: Type4State
  let job: Job

  private var before: TagDescription { Type4Family.describe(state, for: job) }

  private func refusal(_ cause: Type4Cause, _ remedy: Remedy?) -> JobFailure {
    .type4(cause, remedy)
  }

  /// The NDEF application, with a container that can be used.
  func requireApplication() throws(JobFailure) -> (
    Type4State.Application, CapabilityFile, BinaryAccess
  ) {
    guard let application = state.application else {
      try requireAnswer()
      throw state.product.isDESFireEV1OrLater
        ? refusal(.notFormatted(state.product), .formatFirst)
        : refusal(.noApplication(state.product, stranger: state.stranger), .useNDEFCard)
    }
    if let fault = application.fault {
      throw refusal(
        .container(fault), state.product.isDESFireEV1OrLater ? .formatFirst : .useAnotherTag)
    }
    guard let container = application.container, let access = application.access else {
      throw refusal(.unreadable(application.refusal ?? StatusWord(0x6A, 0x82)), .useAnotherTag)
    }
    return (application, container, access)
  }

  /// A card that did not say whether it has the application is not taken for one without it.
  func requireAnswer() throws(JobFailure) {
    if let status = state.refusals.first(where: \.saysNothing) {
      throw refusal(.unreadable(status), .useAnotherTag)
    }
  }

  // MARK: Writing

  func write(_ message: [UInt8], _ options: WriteOptions) throws(JobFailure) -> JobPlan {
    guard options.protection == nil else {
      throw refusal(.noPassword(state.product), .lockInstead)
    }
    let (application, container, access) = try requireApplication()
    if let personalisation = options.personalisation {
      if let status = application.refusal, !options.overwrite {
        throw refusal(.unreadable(status), .permitOverwrite)
      }
      return try personalise(message, personalisation, lock: options.lock)
    }
    try requireReadable(application, container)
    let program = try planner(message, container, access, known: application.known).plan()
    if program.changesTag {
      try requireRights()
      try requireNoMirror(within: container.message.lengthByteCount + message.count)
    }
    var parts: [(kind: TagProgram.Phase.Kind, program: TagProgram)] = [(.message, program)]
    let after = application.applying(program)
    guard options.lock else { return plan(parts, leaving: after) }
    parts.append((.locks, try lockProgram(after, container)))
    var plan = lockingPlan(parts, leaving: after)
    noteOpenKeys(in: &plan)
    return plan
  }

  /// A lock of an NTAG 424 DNA is for ever, and leaves its keys as they are.
  private func noteOpenKeys(in plan: inout JobPlan) {
    guard state.product.isNTAG424, let key = state.changeKey else { return }
    if state.isChangeKeyUntried { plan.note(Self.untried) }
    if key.isDelivered { plan.note(Self.openKeys) }
  }

  private static let untried = TagDescription.Finding(
    "not-known",
    "Whether the tag takes the key is not known: it counts wrong ones, so that a dry run does not try it."
  )

  private static let openKeys = TagDescription.Finding(
    "delivered-keys",
    "Nobody can change the message's file again. The tag's key 0 is the one of delivery, zeros: anyone with a reader can still give the tag other keys, a random UID or another capability container."
  )

  private func planner(
    _ message: [UInt8], _ container: CapabilityFile, _ access: BinaryAccess, known: [UInt8]
  ) -> Type4MessagePlanner {
    Type4MessagePlanner(
      product: state.product, container: container, access: access, known: known,
      message: message, sent: state.sent)
  }

  /// An NTAG 424 DNA or a DESFire may refuse what its container allows.
  func requireRights() throws(JobFailure) {
    guard let rights = state.messageSettings?.rights else { return }
    guard rights.isFreeToRead else {
      throw refusal(.unreadable(StatusWord(0x69, 0x82)), .useAnotherTag)
    }
    guard !rights.isFreeToWrite else { return }
    let key = state.rights?.writingKey
    throw refusal(
      .writeNeedsKey(state.product, key),
      key != nil && state.product.isNTAG424 ? .giveProofKeys : .useAnotherTag)
  }

  /// What an NTAG 424 DNA fills in as it is read must not stand in what is written, the first
  /// `byteCount` bytes of the file: nobody would ever read that.
  func requireNoMirror(within byteCount: Int) throws(JobFailure) {
    guard state.product.isNTAG424, let settings = state.messageSettings, settings.isMirrored else {
      return
    }
    guard let mirror = state.mirror else { throw refusal(.mirrorsUnknown, .giveProofKeys) }
    let covered = mirror.mirrors.filter { $0.value.lowerBound < byteCount }.keys
    guard covered.isEmpty else {
      throw refusal(
        .mirrorsCover(SDMMirror.allCases.filter(covered.contains)), .giveProofKeys)
    }
  }

  func requireReadable(_ application: Type4State.Application, _ container: CapabilityFile)
    throws(JobFailure)
  {
    guard container.message.readAccess == .free else {
      throw refusal(.readCondition(container.message.readAccess), .useAnotherTag)
    }
    if let status = application.refusal { throw refusal(.unreadable(status), .useAnotherTag) }
  }

  // MARK: Proofs

  private func personalise(_ message: [UInt8], _ job: Personalisation, lock: Bool)
    throws(JobFailure) -> JobPlan
  {
    let (application, container, access) = try requireApplication()
    let planner = ProofPlanner(
      state: state, application: application, container: container, access: access, job: job)
    let parts = try planner.personalise(message, lock: lock)
    var after = application
    after.known = MessageLength.bytes(message.count, in: container.message) + message
    let rights = lock ? DESFireRights.closed : .readOnly
    let keepsMirror = state.proofs?.settings?.mirror == (try planner.goal(message)).mirror
    var plan = self.plan(parts, leaving: after, rights: rights, keepsMirror: keepsMirror)
    if isConstant(message, job) { plan.note(Self.constantCode) }
    return plan
  }

  /// Returns whether the code of `message` is the same at each reading: nothing that enters it
  /// changes.
  private func isConstant(_ message: [UInt8], _ job: Personalisation) -> Bool {
    let mirror = try? SDMSettings(message: message, codeInput: job.codeInput, keys: job.keys)
    return mirror.map { $0.code != nil && !$0.mirrorsCounter } ?? false
  }

  private static let constantCode = TagDescription.Finding(
    "code-constant",
    "The code of this URL never changes, as no counter enters it: a copy of the URL proves as much as the tag. {picc} or {counter} makes it another at each reading."
  )

  func reset(_ job: Personalisation) throws(JobFailure) -> JobPlan {
    let (application, container, access) = try requireApplication()
    let parts = try ProofPlanner(
      state: state, application: application, container: container, access: access, job: job
    ).reset()
    var after = application
    after.known = [UInt8](repeating: 0, count: container.message.byteCount)
    return plan(
      parts, leaving: after, rights: NTAG424FileSettings.deliveredMessage.rights,
      keepsMirror: false)
  }

  // MARK: Locking

  func lock(force: Bool) throws(JobFailure) -> JobPlan {
    let (application, container, _) = try requireApplication()
    try before.requireMessage(force: force)
    let program = try lockProgram(application, container)
    var plan = lockingPlan([(.locks, program)], leaving: application)
    if program.changesTag { noteOpenKeys(in: &plan) }
    return plan
  }

  /// The plan of a job that ends with a lock. `key` can undo it.
  private func lockingPlan(
    _ parts: [(kind: TagProgram.Phase.Kind, program: TagProgram)],
    leaving application: Type4State.Application, under key: DESFireKey? = nil
  ) -> JobPlan {
    var after = application
    if !state.product.isNTAG424 { after.container?.message.writeAccess = .never }
    return plan(
      parts, leaving: after, lockedUnder: key ?? state.desFire?.application?.key,
      rights: state.messageSettings?.rights.locked(underKey: !state.product.isNTAG424))
  }

  private func lockProgram(
    _ application: Type4State.Application, _ container: CapabilityFile, key: DESFireKey? = nil,
    in state: Type4State? = nil
  ) throws(JobFailure) -> TagProgram {
    let state = state ?? self.state
    return try Type4LockPlanner(
      state: state, application: application, container: container, newKey: key,
      isPasswordRefused: state.isPasswordRefused
    ).plan()
  }

  // MARK: Formatting

  func format(_ format: Type4Format) throws(JobFailure) -> JobPlan {
    if state.application == nil { try requireAnswer() }
    let formatter = DESFireFormatPlanner(state: state, format: format)
    let made = try formatter.plan()
    var parts: [(kind: TagProgram.Phase.Kind, program: TagProgram)] = [(.format, made.program)]
    var application =
      state.application ?? Type4State.Application(naming: .current)
    if !made.program.steps.isEmpty {
      (application.container, application.access) = (made.container, made.access)
      (application.bytes, application.fault, application.refusal) = (
        made.container.serialize(), nil, nil
      )
      let start = made.container.message.lengthByteCount
      if application.known.count < start {
        application.known = [UInt8](repeating: 0, count: start)
      }
    }
    if let message = format.messageBytes {
      try requireReadable(application, made.container)
      let program = try planner(
        message, made.container, made.access, known: application.known
      ).plan()
      if program.changesTag { try requireRights() }
      parts.append((.message, program))
      application = application.applying(program)
    }
    let (change, key) = try formatter.keyChange(from: made.key)
    // A whole application's key may be one that nobody gave here: then nothing is said of it.
    let isKeyKnown =
      state.application == nil || state.desFire?.application?.key != nil || format.newKey != nil
    if format.newKey != nil { parts.append((.protection, change)) }
    if format.lock {
      var later = state
      later.desFire = state.desFire ?? DESFireState()
      later.desFire?.application = lockable(made)
      parts.append(
        (
          .locks,
          try lockProgram(
            application, made.container, key: isKeyKnown ? key : nil, in: later)
        ))
      return lockingPlan(parts, leaving: application, under: isKeyKnown ? key : nil)
    }
    var plan = self.plan(parts, leaving: application)
    if key.isDelivered, isKeyKnown { plan.note(Self.deliveredKey) }
    return plan
  }

  /// The application as a format leaves it, for locking it in the same job.
  private func lockable(_ made: DESFireFormatPlanner.Result) -> DESFireState.Application {
    if let found = state.desFire?.application, found.files.count >= 2 { return found }
    var application = state.desFire?.application ?? DESFireState.Application()
    func settings(_ rights: DESFireRights, _ size: Int) -> DESFireFileSettings? {
      DESFireFileSettings(
        [0, 0] + rights.bytes + (0..<3).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
    }
    application.files[DESFireFormat.capabilityFile] =
      application.files[DESFireFormat.capabilityFile]
      ?? settings(.readOnly, CapabilityFile.leastByteCount)
    application.files[DESFireFormat.messageFile] =
      application.files[DESFireFormat.messageFile]
      ?? settings(.free, made.container.message.byteCount)
    return application
  }

  private static let deliveredKey = TagDescription.Finding(
    "application-key",
    "The application's key is the one of delivery, zeros: anyone with a reader can change what the application allows.",
    remedy: .giveApplicationKey)
  private static let weakLock = TagDescription.Finding(
    "application-key",
    "The application's key is the one of delivery, zeros: anyone with a reader can undo the lock.",
    remedy: .giveApplicationKey)

  // MARK: Both

  /// The plan of a job that leaves the tag so. `keepsMirror`: what the tag filled in before, it
  /// fills in afterwards, too.
  func plan(
    _ parts: [(kind: TagProgram.Phase.Kind, program: TagProgram)],
    leaving application: Type4State.Application, lockedUnder key: DESFireKey? = nil,
    rights: DESFireRights? = nil, keepsMirror: Bool = true
  ) -> JobPlan {
    var later = state
    later.application = application
    if let rights {
      later.messageSettings?.rights = rights
      // Its new rights show what they kept back.
      if rights.isFreeToRead { later.application?.refusal = nil }
    }
    if !keepsMirror { later.messageSettings = later.messageSettings?.withoutMirror }
    var after = Type4Family.describe(later, for: job)
    if let held = after.content.held, application.known != state.application?.known {
      after.content = .message(held.written)
    }
    var plan = JobPlan(TagProgram(joining: parts), before: before, after: after)
    if key?.isDelivered ?? false { plan.note(Self.weakLock) }
    return plan
  }
}

extension JobPlan {
  /// Says `finding` of the tag, planned or done.
  mutating func note(_ finding: TagDescription.Finding) {
    before.findings.append(finding)
    after.findings.append(finding)
  }
}
