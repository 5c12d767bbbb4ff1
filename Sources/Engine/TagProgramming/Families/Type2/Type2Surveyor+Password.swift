import Readers
import TagMemory

/// Gives a password where one is known and the tag asks for it, and finds out what it protects.
extension Type2Surveyor {
  /// Gives a password, where one is known and the tag asks for it.
  mutating func enter() throws(Setback) {
    if state.map.access != nil { try lookForProtection() }
    if state.product.secretByteCount != nil, !state.isAuthenticated {
      if password == nil, change == nil, heldPassword == nil {
        if state.map.tripleDES != nil { try lookForKey() } else { try lookForProtection() }
      } else {
        try givePassword()
      }
    }
    guard state.memory[.capabilityContainer] == nil else { return }
    try surveying { () throws(ReaderError) in
      note(try session.readPages(.staticLocks, count: 4), from: .staticLocks)
    }
  }

  /// What has to be read before a password can be set or taken away.
  mutating func surveyForProtection() throws(Setback) {
    try enter()
    try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    try requirePassword(writing: true)
    try readProbePage()
    // Whether the pages that are to need the password hold the message.
    guard change?.settings.firstPage != nil else { return }
    try surveying { () throws(ReaderError) in
      try findMessage()
      if let end = meaning.scan.message?.endOffset { try readArea(end) }
    }
  }

  /// Reads the page on which a password will have to prove itself, and what may have frozen a key.
  mutating func readProbePage() throws(Setback) {
    guard change != nil else { return }
    if let lock = state.map.key?.lock, state.memory[lock.page] == nil {
      try surveying { () throws(ReaderError) in
        note(try session.readPages(lock.page, count: 1), from: lock.page)
      }
    }
    guard let page = state.probePage, state.memory[page] == nil else { return }
    try surveying { () throws(ReaderError) in
      note(Array(try session.readPages(page, count: 1)), from: page)
    }
  }

  mutating func givePassword() throws(Setback) {
    // Where even the configuration is hidden, there is a password.
    // An Ultralight C says elsewhere what its key protects.
    let hasKey = state.map.tripleDES != nil
    if hasKey {
      _ = try surveying { () throws(ReaderError) in try hidesProtection() }
    } else {
      _ = try showsConfiguration()
    }
    let configuration = state.memory.configuration
    // Nothing counts wrong keys of an Ultralight C.
    let limit = hasKey ? 0 : configuration?.attemptLimit
    guard try mayProveKey(configuration) else { return }
    session.countsPasswords = limit != 0
    let isProtected = state.memory.knowsProtection ? state.memory.protection != nil : nil
    let delivered = Protection.delivered(on: state.map).password
    let candidates: [[UInt8]]
    if isProtected == false {
      // Nothing asks for it. Whether it is the one of delivery tells whether there is one to take
      // away.
      guard change == .takeAway, limit == 0 else { return }
      candidates = [delivered]
    } else {
      candidates = PasswordChange.candidates(
        given: (limit ?? 0) != 0 && hasListedPassword ? nil : password,
        proven: session.provenPassword,
        held: limit == 0 || risksHeldPassword ? heldPassword : nil, change: change,
        isListed: hasListedPassword, lasting: lastingPassword, limit: limit, delivered: delivered)
    }
    let isSpent = limit != 0 && refusedPasswords?.contains(session.tag.uid) == true
    if isSpent, candidates.first != nil, candidates.first != session.provenPassword {
      throw .failure(
        JobFailure(
          .type2(.passwordRefusedBefore), holds: .unchanged, remedy: .giveRightPassword))
    }
    if isRehearsal, limit != 0, let candidate = candidates.first {
      return try assume(candidate)
    }
    for candidate in candidates {
      let pack = try surveying { () throws(ReaderError) in
        try session.authenticate(password: candidate)
      }
      guard let pack else { continue }
      state.credential = Protection(secret: candidate, pack: pack)
      break
    }
    guard isProtected != false else { return }
    guard state.isAuthenticated else {
      if limit != 0, !candidates.isEmpty { refusedPasswords?.insert(session.tag.uid) }
      if candidates.isEmpty, password?.count == delivered.count {
        throw .failure(
          JobFailure(
            .type2(.passwordWithheld(limit: limit)), holds: .unchanged,
            remedy: .giveNewPasswordOrRemove))
      }
      // Where it shows what it holds, that says why it needs its password.
      if candidates.isEmpty, state.memory.protection?.includesReading == false { return }
      throw .failure(refusal(of: candidates, limit: limit))
    }
    if configuration == nil, state.map.key?.cipher == .aes {
      // It has taken the key, and does not let itself be read all the same.
      guard try showsConfiguration() else { throw .failure(Type2ProtectionPlanner.demandsMACs) }
    } else if configuration == nil {
      try surveying { () throws(ReaderError) in
        try readLocksAndConfiguration()
        if hasKey { _ = try hidesProtection() }
      }
    }
  }

  /// Goes on in a dry run as if the tag had taken a password that it may count as a wrong one.
  /// Throws where it shows nothing without it.
  private mutating func assume(_ candidate: [UInt8]) throws(Setback) {
    guard state.memory.protection?.includesReading == false else {
      throw .failure(
        JobFailure(.type2(.passwordNotTried), holds: .unchanged, remedy: .runWithoutDryRun))
    }
    state.credential = Protection(secret: candidate)
    state.isPasswordAssumed = true
  }

  /// Why a protected tag that has taken none of `candidates` is left alone.
  private func refusal(of candidates: [[UInt8]], limit: Int?) -> JobFailure {
    guard password != nil, !candidates.isEmpty else {
      var failure = needsPassword(state.memory.protection)
      if limit != 0, !candidates.isEmpty { failure.holds = .passwordCounted(limit: limit) }
      return failure
    }
    return JobFailure(
      .type2(.passwordRefused(count: candidates.count, mayBeLost: limit != 0)),
      holds: limit == 0 ? nil : .passwordCounted(limit: limit), remedy: .giveRightPassword)
  }

  /// What is said where no password was given; `protection` is nil where not even that shows.
  private func needsPassword(_ protection: AccessProtection?) -> JobFailure {
    var failure =
      state.map.key == nil
      ? protection.map { Self.needsPassword($0, of: state.map) }
        ?? Self.hidesConfiguration(of: state.map)
      : Self.needsKey(protection)
    // A run that was cut short may have set the new one, which was not tried.
    if session.countsPasswords, lastingPassword != nil {
      failure.remedy = .giveNewPasswordOrRemove
    }
    return failure
  }

  /// Without a password, after a pass that failed: reads what protects the tag, and says so where
  /// even that is hidden.
  mutating func lookForProtection() throws(Setback) {
    guard isThorough, try !showsConfiguration() else { return }
    throw .failure(Self.hidesConfiguration(of: state.map))
  }

  static func hidesConfiguration(of map: Type2Map) -> JobFailure {
    map.key != nil
      ? needsKey(nil)
      : JobFailure(
        .type2(.configurationHidden),
        remedy: map.configuration == nil ? .useAnotherTag : .givePassword)
  }

  static func needsPassword(_ protection: AccessProtection, of map: Type2Map) -> JobFailure {
    JobFailure(
      .type2(.passwordNeeded(protection)),
      remedy: map.configuration == nil && map.key == nil ? .useAnotherTag : .givePassword)
  }

  mutating func requirePassword(writing: Bool) throws(Setback) {
    if writing { try openTorn() }
    guard !repairsWithoutKey else { return }
    // Who may write an Ultralight C is asked where there is something to write.
    guard !state.isAuthenticated, let protection = state.memory.protection,
      protection.includesReading || (writing && state.map.tripleDES == nil)
    else { return }
    let area = Page.firstOfArea.advanced(by: max(1, state.area.byteCount / Page.byteCount) - 1)
    guard protection.firstPage <= area || change != nil else { return }
    if let failure = state.failedProtection(wrongPages, meaning) { throw .failure(failure) }
    throw .failure(needsPassword(protection))
  }

  /// A page that said from where on the password is needed, and lost power while it was written,
  /// may say anything. The password that the operator gave says that there was one; that of
  /// delivery opens a tag that has no other.
  private mutating func openTorn() throws(Setback) {
    guard !state.isAuthenticated, let configuration = state.memory.configuration,
      configuration.isTorn, !configuration.demandsMACs, configuration.attemptLimit == 0
    else { return }
    session.countsPasswords = false
    let delivered = state.memory.protection.map { _ in
      Protection.delivered(on: state.map).password
    }
    for candidate in [password, delivered].compactMap(\.self) where !state.isAuthenticated {
      let pack = try surveying { () throws(ReaderError) in
        try session.authenticate(password: candidate)
      }
      if let pack { state.credential = Protection(secret: candidate, pack: pack) }
    }
  }
}
