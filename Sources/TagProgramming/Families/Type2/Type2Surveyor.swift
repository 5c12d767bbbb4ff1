import Readers
import TagMemory

/// Reads of a Type 2 tag what a job needs, with the widest reads the chip has.
struct Type2Surveyor {
  let session: Type2Session
  /// The password that the operator gave.
  let password: [UInt8]?
  /// The password in a dump that is restored.
  var heldPassword: [UInt8]?
  /// What the job does to the password, where it does; nil as long as the job is not decided.
  var change: PasswordChange?
  /// Whether to read locks and configuration even where the job seldom needs them.
  var isThorough: Bool
  private(set) var state: Type2State

  /// Takes in lock bytes, capability container and the first two pages of the area (`head`: pages 2 to 5), nothing where
  /// they did not show.
  init(
    session: Type2Session, product: Product, map: Type2Map, head: [UInt8], password: [UInt8]?,
    isThorough: Bool
  ) {
    self.session = session
    self.password = password
    self.isThorough = isThorough
    state = Type2State(product: product, map: map)
    // Copies and boards without FAST_READ are met with READ, which all of them know.
    session.canFastRead = product.features.contains(.fastRead) && !isThorough
    session.readablePageCount = map.tripleDES.map { Int($0.key.lowerBound.number) } ?? map.pageCount
    note(head, from: .staticLocks)
  }

  /// What the tag holds as this run means it: what was sent stands for what is there.
  var meaning: Type2State { state.meant(session) }

  /// What has to be read before a message of `byteCount` bytes can be planned; with `mirror` also whether the tag
  /// would show something else in its place.
  mutating func surveyForWriting(
    _ byteCount: Int, overwrite: Bool, lock: Bool, mirror: Bool
  ) throws(Setback) {
    try enter()
    if lock || change != nil {
      try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
      try readProbePage()
    }
    let isFormatted = state.memory.capabilityContainer?.isNDEF ?? false
    if !isFormatted, !overwrite {
      try surveying { () throws(ReaderError) in
        try readArea(state.area.byteCount)
        try readLocksAndConfiguration()
      }
      return try requirePassword(writing: true)
    }
    try surveying { () throws(ReaderError) in
      try findMessage()
      let scan = meaning.scan
      let start = scan.message == nil ? state.map.deliveredLockControl.count : scan.messageOffset
      let header = byteCount > TLV.longestShortValue ? 4 : 2
      let end = min(start + header + byteCount + 1, meaning.area.byteCount)
      if !meaning.holdsMessageInOrder { try readArea(meaning.area.byteCount) }
      let isOff = scan.message.map { $0.length == 0 } ?? false
      let isBehindStaticLocks = end > Self.bytesUnderStaticLocks
      if !isOff || isThorough || isBehindStaticLocks { try readArea(end) }
      let looksForMirror = mirror ? hasMirror : showsUID
      if isThorough || isBehindStaticLocks || looksForMirror { try readLocksAndConfiguration() }
    }
    try requirePassword(writing: true)
  }

  /// What has to be read to know the message.
  mutating func surveyForReading() throws(Setback) {
    try enter()
    try requirePassword(writing: false)
    try surveying { () throws(ReaderError) in
      try findMessage()
      if let message = meaning.scan.message, let end = message.endOffset { try readArea(end) }
      if isThorough { try readLocksAndConfiguration() }
    }
    try requirePassword(writing: false)
  }

  /// What has to be read before the tag can be locked as it is.
  mutating func surveyForLocking() throws(Setback) {
    try surveyForReading()
    try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    try requirePassword(writing: true)
  }

  /// What has to be read before a password can be set or taken away.
  mutating func surveyForProtection() throws(Setback) {
    try enter()
    try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    try requirePassword(writing: true)
    try readProbePage()
  }

  /// What has to be read before the whole memory can be written.
  mutating func surveyForRestoring() throws(Setback) {
    try enter()
    try surveyAll()
    try requirePassword(writing: true)
  }

  /// Everything that can be read.
  mutating func surveyAll() throws(Setback) {
    if password != nil { try enter() }
    try surveying { () throws(ReaderError) in
      do throws(ReaderError) {
        try readLocksAndConfiguration()
      } catch .exchangeFailed {
        // A configuration that does not show is told as such.
        try session.selectAgain()
      }
    }
    // Its first pages do not show where even those are protected.
    _ = try readChunk(0, count: 4)
    let last = Page(UInt8(clamping: state.map.pageCount - 1))
    let end = state.memory.protection.map {
      $0.includesReading && !state.isAuthenticated ? $0.firstPage : last
    }
    for page in stride(from: Page.firstOfArea, through: end ?? last, by: 1)
    where state.memory[page] == nil {
      let count = Int((end ?? last).number) - Int(page.number) + 1
      // A page that cannot be read (a key, a counter that is off) stays unknown; a password or a key hides everything from
      // its first page on.
      if try !readChunk(page, count: min(count, session.canFastRead ? 60 : 4)),
        !state.memory.knowsProtection
      {
        return
      }
    }
  }

  /// Reads `count` pages; where they do not show together, the first four of them once more. False when these do not, either.
  private mutating func readChunk(_ page: Page, count: Int) throws(Setback) -> Bool {
    for attempt in 1...2 {
      do throws(ReaderError) {
        let count = attempt == 1 ? count : min(count, 4)
        note(try session.readPages(page, count: count), from: page)
        return state.memory[page] != nil
      } catch .exchangeFailed {
        // FAST_READ is refused as a whole, and some copies and boards do not know it.
        session.canFastRead = false
        try surveying { () throws(ReaderError) in try session.wake() }
      } catch {
        throw .reader(error)
      }
    }
    return false
  }

  /// What has to be read before `pages` can be written one by one.
  mutating func surveyPages(_ pages: ClosedRange<Page>) throws(Setback) {
    try enter()
    try surveying { () throws(ReaderError) in
      for page in pages where state.memory[page] == nil {
        let count = pages.upperBound.distance(to: page).magnitude + 1
        do throws(ReaderError) {
          note(try session.readPages(page, count: Int(count)), from: page)
        } catch .exchangeFailed {
          // Keys do not show: such a page is written unseen.
          try session.wake()
        }
      }
      try readLocksAndConfiguration()
    }
    guard !state.isAuthenticated,
      let protection = state.memory.configuration?.protection(pageCount: state.map.pageCount),
      pages.contains(where: protection.isWriteProtected)
    else { return }
    throw .failure(Self.needsPassword(protection))
  }

  /// Reads the pages that this run has written and that no survey has read.
  mutating func surveySent() throws(Setback) {
    for page in session.sent.pages.keys.sorted()
    where state.memory[page] == nil && !state.hidesAlways(page: Int(page.number)) {
      try surveying { () throws(ReaderError) in
        note(try session.readPages(page, count: 1), from: page)
      }
    }
  }

  /// The pages that this run has written and that show something else than they would with that in them.
  var wrongPages: Set<Page> {
    let shown = MirrorOverlay(of: state, uid: session.tag.uid)
    return Set(
      session.sent.pages.keys.filter { page in
        guard !state.hidesAlways(page: Int(page.number)), let found = state.memory[page],
          let meant = meaning.memory[page]
        else { return false }
        return !shown.matches(found, stored: meant, page: page)
      })
  }

  // MARK: Parts

  /// Pages 4 to 15 are under the static lock bytes, which every survey reads.
  private static let bytesUnderStaticLocks = 48

  /// Gives a password, where one is known and the tag asks for it.
  private mutating func enter() throws(Setback) {
    if state.product.features.contains(.tripleDES) { try lookForKey() }
    if state.product.features.contains(.password), !state.isAuthenticated {
      if password == nil, change == nil, heldPassword == nil {
        try lookForProtection()
      } else {
        try givePassword()
      }
    }
    guard state.memory[.capabilityContainer] == nil else { return }
    try surveying { () throws(ReaderError) in
      note(try session.readPages(.staticLocks, count: 4), from: .staticLocks)
    }
  }

  private mutating func givePassword() throws(Setback) {
    // Where even the configuration is hidden, there is a password.
    _ = try showsConfiguration()
    let configuration = state.memory.configuration
    let limit = configuration?.attemptLimit
    session.countsPasswords = limit != 0
    let isProtected = configuration.map { $0.protection(pageCount: state.map.pageCount) != nil }
    let candidates: [[UInt8]]
    if isProtected == false {
      // Nothing asks for it. Whether it is the one of delivery tells whether there is one to take away.
      guard change == .takeAway, limit == 0 else { return }
      candidates = [Protection.delivered.password]
    } else {
      candidates = PasswordChange.candidates(
        given: password, proven: session.provenPassword, held: heldPassword, change: change,
        limit: limit)
    }
    for candidate in candidates {
      let pack = try surveying { () throws(ReaderError) in
        try session.authenticate(password: candidate)
      }
      guard let pack else { continue }
      state.credential = Protection(password: candidate, pack: pack)
      break
    }
    guard isProtected != false else { return }
    guard state.isAuthenticated else {
      guard !candidates.isEmpty else { return }
      throw .failure(refusal(of: candidates, limit: limit))
    }
    if configuration == nil {
      try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    }
  }

  private func refusal(of candidates: [[UInt8]], limit: UInt8?) -> ProgramFailure {
    // Where wrong ones may be counted, one was given, and once.
    var remedy = Remedy.giveRightPassword
    if limit != 0, case .set(let new) = change, candidates != [new.password] {
      remedy = .giveRightOrNewPassword
    }
    return ProgramFailure(
      .type2(.passwordRefused(count: candidates.count, mayBeLost: limit != 0)), remedy: remedy)
  }

  /// Without a password, after a pass that failed: reads what protects the tag, and says so where even that is hidden.
  private mutating func lookForProtection() throws(Setback) {
    guard isThorough, try !showsConfiguration() else { return }
    throw .failure(Self.hidesConfiguration)
  }

  static let hidesConfiguration = ProgramFailure(
    .type2(.configurationHidden), remedy: .givePassword)

  /// Reads locks and configuration; false where the tag, asked twice and there each time, does not show them.
  private mutating func showsConfiguration() throws(Setback) -> Bool {
    for _ in 1...2 {
      do throws(ReaderError) {
        try readLocksAndConfiguration()
        return true
      } catch .exchangeFailed {
        // A tag that can be selected again is there and refuses.
        try surveying { () throws(ReaderError) in try session.selectAgain() }
      } catch {
        throw .reader(error)
      }
    }
    return false
  }

  private func requirePassword(writing: Bool) throws(Setback) {
    // Who may write an Ultralight C is asked where there is something to write.
    guard !state.isAuthenticated, let protection = state.memory.protection,
      protection.includesReading || (writing && state.map.tripleDES == nil)
    else { return }
    let area = Page.firstOfArea.advanced(by: max(1, state.area.byteCount / Page.byteCount) - 1)
    guard protection.firstPage <= area || change != nil else { return }
    throw .failure(
      state.map.tripleDES == nil
        ? Self.needsPassword(protection)
        : Self.needsKey(protection))
  }

  /// After a pass that failed: refuses a tag whose triple DES key is needed, which nobody can give here.
  private mutating func lookForKey() throws(Setback) {
    guard isThorough, try surveying({ () throws(ReaderError) in try hidesProtection() }) else {
      return
    }
    throw .failure(Self.needsKey(nil))
  }

  /// Whether an Ultralight C, asked twice and there each time, does not show AUTH0 and AUTH1.
  mutating func hidesProtection() throws(ReaderError) -> Bool {
    guard let place = state.map.tripleDES else { return false }
    for _ in 1...2 where !state.memory.knowsProtection {
      do {
        note(try session.readPages(place.auth0, count: 2), from: place.auth0)
      } catch .exchangeFailed {
        // A tag that can be selected again is there and refuses.
        try session.selectAgain()
      }
    }
    return !state.memory.knowsProtection
  }

  /// `protection` is nil where not even that shows.
  static func needsKey(_ protection: AccessProtection?) -> ProgramFailure {
    ProgramFailure(.type2(.keyNeeded(protection)), remedy: .removeProtection)
  }

  static func needsPassword(_ protection: AccessProtection) -> ProgramFailure {
    ProgramFailure(.type2(.passwordNeeded(protection)), remedy: .givePassword)
  }

  /// Reads on until the message TLV's header is there, or it is clear that there is none.
  private mutating func findMessage() throws(ReaderError) {
    while meaning.scan.message == nil, case .needs(let count) = meaning.scan.progress {
      let before = state.areaBytes.count
      // A tag of zeros has nothing but NULL TLVs: larger pieces each time.
      try readArea(min(max(count, before * 2), meaning.area.byteCount))
      guard state.areaBytes.count > before else { return }
    }
  }

  /// Reads the page on which a password will have to prove itself.
  private mutating func readProbePage() throws(Setback) {
    guard change != nil, let page = state.probePage, state.memory[page] == nil else { return }
    try surveying { () throws(ReaderError) in
      note(Array(try session.readPages(page, count: 1)), from: page)
    }
  }

  /// Whether the chip can show something else than it stores.
  private var hasMirror: Bool {
    !state.product.features.isDisjoint(with: [.uidMirror, .uidAndCounterMirror])
  }

  /// Whether the area shows the UID as text, as a mirror would.
  private var showsUID: Bool {
    guard hasMirror else { return false }
    let text = Array(session.tag.uid.hex.uppercased().utf8)
    let area = state.knownArea
    return area.indices.contains { area[$0...].starts(with: text) }
  }

  /// Makes the first `byteCount` bytes of the area known.
  private mutating func readArea(_ byteCount: Int) throws(ReaderError) {
    let wanted = (min(byteCount, meaning.area.byteCount) + Page.byteCount - 1) / Page.byteCount
    let first = state.areaBytes.count / Page.byteCount
    guard wanted > first else { return }
    let page = Page.firstOfArea.advanced(by: first)
    let bytes = try session.readPages(page, count: wanted - first)
    note(bytes, from: page)
    // The tag hides the rest.
    let count = (wanted - first) * Page.byteCount
    guard bytes.count == count else {
      throw .wrongAnswerLength(expected: count, received: bytes.count)
    }
  }

  /// The dynamic lock bytes and CFG0 and CFG1, which stand side by side on most chips.
  private mutating func readLocksAndConfiguration() throws(ReaderError) {
    let wanted = [state.map.dynamicLocks?.page, state.map.configuration?.cfg0]
    for page in wanted.compactMap(\.self) where state.memory[page] == nil {
      note(try session.readPages(page, count: 4), from: page)
    }
  }

  /// Takes in pages.
  private mutating func note(_ bytes: [UInt8], from first: Page) {
    state.memory.store(bytes, from: first)
    for (index, unit) in AreaUpdate.units(of: bytes, size: Page.byteCount).enumerated() {
      guard let page = Page(exactly: Int(first.number) + index), session.firstSeen[page] == nil,
        session.sent[.page(page)] == nil
      else { continue }
      session.firstSeen[page] = unit
    }
  }
}
