import TagMemory

/// Plans a password onto an NTAG21x or Ultralight EV1, a key onto an Ultralight C or AES, or off it
/// (NTAG213/215/216, 8.8; MF0ULX1, 8.8).
///
/// `ConfigurationChange` has the order of the steps.
struct Type2ProtectionPlanner {
  let state: Type2State
  /// The tag as this run means it: bits that a write of this run got wrong are put right.
  let meaning: Type2State
  let change: PasswordChange
  /// An earlier pass failed: what was written then has to prove itself again.
  let isThorough: Bool

  func plan() throws(JobFailure) -> TagProgram {
    try Self.requireSecret(of: state.product, for: change)
    try change.settings.require(of: state.product, state.map)
    if let place = state.map.tripleDES {
      return try KeyChangePlanner(
        state: state, meaning: meaning, place: place, change: change, isThorough: isThorough
      ).plan()
    }
    let place = try Self.configurationPages(of: state.product, state.map)
    guard let current = state.memory.configuration,
      let meant = meaning.memory.configuration?.frozen(as: current)
    else {
      throw JobFailure(.type2(.notRead(.configuration)))
    }
    guard !meant.repaired.demandsMACs else { throw Self.demandsMACs }
    var wanted = configuration(from: meant)
    let secret = change.wanted(on: state.map)
    let isRight =
      state.credential?.password == secret.password && state.credential?.pack == secret.pack
    if !isRight { try disarm(&wanted, current: current, meant: meant) }
    guard !meant.isLocked || current == wanted else {
      throw JobFailure(
        .type2(.configurationFrozen(isOfDump: false)), remedy: .useAnotherTag)
    }
    var program = ConfigurationChange(
      map: state.map, place: place, current: current, meant: meant, wanted: wanted,
      secret: isRight ? nil : secret
    ).program
    let locked = program.writtenPages.filter { state.memory.isLocked($0) == true }
    guard locked.isEmpty else {
      throw JobFailure(.type2(.locked(locked)), remedy: .useAnotherTag)
    }
    let proving = state.probePage.flatMap {
      wanted.isWriteProtected($0, pageCount: state.map.pageCount) ? $0 : nil
    }
    let isArmed = change.settings.isForGood(on: current)
    if isArmed, proving == nil {
      throw JobFailure(.type2(.nothingProves(from: Page(wanted.auth0))), remedy: .useAnotherTag)
    }
    if let page = proving, program.changesTag || isThorough || isArmed,
      let bytes = state.memory[page]
    {
      program.steps.append(.checkRefusal(page, bytes))
    }
    return program
  }

  /// No password changes while the tag counts wrong ones: a write that fails unseen would have the
  /// next proof counted, and perhaps close the tag. So `wanted` has no limit until the new password
  /// is proven; a limit to keep is the job's to say, since no interrupted run leaves it to read.
  private func disarm(
    _ wanted: inout Configuration, current: Configuration, meant: Configuration
  ) throws(JobFailure) {
    guard current.style != .ultralightAES, current.attemptLimit != 0 || wanted.attemptLimit != 0
    else { return }
    guard !meant.isLocked else {
      throw JobFailure(.type2(.limitFrozen(current.attemptLimit)), remedy: .useAnotherTag)
    }
    let limit = meant.repaired.attemptLimit
    guard limit == 0 || change == .takeAway || change.settings.attemptLimit != nil else {
      throw JobFailure(.type2(.limitNotSaid(limit)), remedy: .sayLimit)
    }
    wanted.attemptLimit = 0
  }

  private func isOn(_ configuration: Configuration) -> Bool {
    configuration.protection(pageCount: state.map.pageCount) != nil
  }

  private func configuration(from found: Configuration) -> Configuration {
    // Reserved bits stay: what one chip has no use for another maker's may have. Those that an
    // Ultralight AES was left with, and that shut it, do not.
    let present = !found.isLocked && found.style == .ultralightAES ? found.repaired : found
    var wanted = present
    switch change {
    case .set(let protection):
      // Where the configuration is frozen the password alone can change (CFGLCK covers neither PWD
      // nor PACK: NTAG213/215/216, 8.5.7).
      let first = protection.settings.firstPage
      if present.isLocked, isOn(present), present.protectsReading == protection.readToo,
        first == nil || first == Page(present.auth0)
      {
        return present
      }
      // With the lock bytes and the capability container: nobody else may make the tag read-only
      // for good.
      wanted.auth0 = UInt8((first ?? .staticLocks).address)
      wanted.protectsReading = protection.readToo
    case .takeAway:
      // Frozen where it protects nothing it may stay as it is.
      guard isOn(present) || !present.isLocked else { return present }
      let delivered = Configuration(factory: present.style)
      if present.style != .ultralightAES { wanted.attemptLimit = 0 }
      wanted.auth0 = delivered.auth0
      wanted.protectsReading = delivered.protectsReading
    }
    return wanted
  }

  /// Throws for a chip that has no password and no key, and where the new one has another length
  /// than the chip's.
  static func requireSecret(of product: Product, for change: PasswordChange?)
    throws(JobFailure)
  {
    guard let count = product.secretByteCount else {
      throw JobFailure(.type2(.noPassword(product)), remedy: .useTagWithPassword)
    }
    guard case .set(let protection)? = change else { return }
    guard protection.password.count == count else {
      throw JobFailure(.type2(.secretLength(byteCount: count, product)), remedy: .useAnotherTag)
    }
    guard let map = product.type2, protection.password != Protection.delivered(on: map).password
    else { throw JobFailure(.type2(.deliveredSecret(product)), remedy: .giveOtherSecret) }
  }

  static let demandsMACs = JobFailure(.type2(.secureMessaging), remedy: .useAnotherTag)

  /// Where a chip has its configuration; throws for one that has none.
  static func configurationPages(of product: Product, _ map: Type2Map) throws(JobFailure)
    -> ConfigurationPages
  {
    guard product.secretByteCount != nil, let pages = map.configuration
    else { throw JobFailure(.type2(.noPassword(product)), remedy: .useTagWithPassword) }
    return pages
  }
}
