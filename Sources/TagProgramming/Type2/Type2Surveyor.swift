import Readers
import TagMemory

/// Reads of a Type 2 tag what a job needs, with the widest reads the chip has.
struct Type2Surveyor {
  let session: TagSession
  /// The password that the operator gave.
  let password: [UInt8]?
  /// What the job does to the password, where it does; nil as long as the job is not decided.
  var change: PasswordChange?
  /// Whether to read locks and configuration even where the job seldom needs them.
  var isThorough: Bool
  private(set) var state: Type2State

  /// Takes in lock bytes, capability container and the first two pages of the area (`head`: pages 2 to 5), nothing where
  /// they did not show.
  init(
    session: TagSession, product: Product, map: Type2Map, head: [UInt8], password: [UInt8]?,
    isThorough: Bool
  ) {
    self.session = session
    self.password = password
    self.isThorough = isThorough
    state = Type2State(product: product, map: map)
    session.canFastRead = product.features.contains(.fastRead)
    note(head, from: .staticLocks)
  }

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
      let scan = state.scan
      let start = scan.message == nil ? state.map.deliveredLockControl.count : scan.messageOffset
      let header = byteCount > TLV.longestShortValue ? 4 : 2
      let end = min(start + header + byteCount + 1, state.area.byteCount)
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
      if let message = state.scan.message, let end = message.endOffset { try readArea(end) }
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
      note(try session.readPages(0, count: 4), from: 0)
    }
    let hasPassword = state.product.features.contains(.password)
    let last = Page(UInt8(clamping: state.map.pageCount - 1))
    let end =
      state.memory.configuration?.protection(pageCount: state.map.pageCount)
      .map { $0.includesReading && password == nil ? $0.firstPage : last } ?? last
    for page in stride(from: Page.firstOfArea, through: end, by: 1) where state.memory[page] == nil
    {
      do throws(ReaderError) {
        let count = min(60, Int(end.number) - Int(page.number) + 1)
        note(try session.readPages(page, count: count), from: page)
      } catch .exchangeFailed {
        // A page that cannot be read (a key, a counter that is off) stays unknown; those behind it are tried one by one.
        do throws(ReaderError) {
          try session.wake()
          note(Array(try session.readPages(page, count: 1)), from: page)
        } catch .exchangeFailed {
          // A password hides everything from its first page on.
          if hasPassword, state.memory.configuration == nil { return }
          continue
        } catch {
          throw .reader(error)
        }
      } catch {
        throw .reader(error)
      }
    }
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

  // MARK: Parts

  /// Pages 4 to 15 are under the static lock bytes, which every survey reads.
  private static let bytesUnderStaticLocks = 48

  /// Gives a password, where one is known and the tag asks for it.
  private mutating func enter() throws(Setback) {
    if state.product.features.contains(.password), !state.isAuthenticated {
      if password == nil, change == nil {
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
    let isProtected = configuration.map { $0.protection(pageCount: state.map.pageCount) != nil }
    let candidates: [[UInt8]]
    if isProtected == false {
      // Nothing asks for it. Whether it is the one of delivery tells whether there is one to take away.
      guard change == .takeAway, limit == 0 else { return }
      candidates = [Protection.delivered.password]
    } else {
      candidates = PasswordChange.candidates(given: password, change: change, limit: limit)
    }
    for candidate in candidates {
      let pack = try surveying { () throws(ReaderError) in
        try session.authenticate(password: candidate, isCounted: limit != 0)
      }
      guard let pack else { continue }
      state.credential = Protection(password: candidate, pack: pack)
      break
    }
    guard isProtected != false else { return }
    guard state.isAuthenticated else {
      guard !candidates.isEmpty else { return }
      // Where wrong ones may be counted, each was given once.
      let doubt = limit == 0 ? "" : ", or its answer was damaged"
      throw .failure(
        ProgramFailure(
          .refused,
          "The tag refused the password\(candidates.count == 1 ? "" : "s")\(doubt).",
          tagHolds: "unchanged.",
          next: "pass the right one; tags may close for good after a few wrong ones."))
    }
    if configuration == nil {
      try surveying { () throws(ReaderError) in try readLocksAndConfiguration() }
    }
  }

  /// Without a password, after a pass that failed: reads what protects the tag, and says so where even that is hidden.
  private mutating func lookForProtection() throws(Setback) {
    guard isThorough, try !showsConfiguration() else { return }
    throw .failure(Self.hidesConfiguration)
  }

  static let hidesConfiguration = ProgramFailure(
    .refused, "The tag is protected by a password: it does not even show its configuration.",
    tagHolds: "unchanged.", next: passwordAdvice)

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

  private static let passwordAdvice =
    "pass the password with --password or --password-file."

  private func requirePassword(writing: Bool) throws(Setback) {
    guard !state.isAuthenticated,
      let protection = state.memory.configuration?.protection(pageCount: state.map.pageCount),
      writing || protection.includesReading
    else { return }
    let area = Page.firstOfArea.advanced(by: max(1, state.area.byteCount / Page.byteCount) - 1)
    guard protection.firstPage <= area || change != nil else { return }
    throw .failure(Self.needsPassword(protection))
  }

  static func needsPassword(_ protection: AccessProtection) -> ProgramFailure {
    ProgramFailure(
      .refused, "The tag is protected: \(protection).", tagHolds: "unchanged.",
      next: passwordAdvice)
  }

  /// Reads on until the message TLV's header is there, or it is clear that there is none.
  private mutating func findMessage() throws(ReaderError) {
    while state.scan.message == nil, case .needs(let count) = state.scan.progress {
      let before = state.knownArea.count
      // A tag of zeros has nothing but NULL TLVs: larger pieces each time.
      try readArea(min(max(count, before * 2), state.area.byteCount))
      guard state.knownArea.count > before else { return }
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
    let known = state.knownArea.count
    let wanted = (min(byteCount, state.area.byteCount) + Page.byteCount - 1) / Page.byteCount
    let first = known / Page.byteCount
    guard wanted > first else { return }
    let page = Page.firstOfArea.advanced(by: first)
    note(try session.readPages(page, count: wanted - first), from: page)
  }

  /// The dynamic lock bytes and CFG0 and CFG1, which stand side by side on most chips.
  private mutating func readLocksAndConfiguration() throws(ReaderError) {
    let wanted = [state.map.dynamicLocks?.page, state.map.configuration?.cfg0]
    for page in wanted.compactMap(\.self) where state.memory[page] == nil {
      note(try session.readPages(page, count: 4), from: page)
    }
  }

  /// Takes in pages, but none that the tag shows in place of protected ones: READ starts again with page 0 there.
  private mutating func note(_ bytes: [UInt8], from first: Page) {
    var bytes = bytes
    if let uid = session.tag.uid.type2Bytes {
      let start = Array(uid.prefix(Page.byteCount))
      let end = stride(from: first == 0 ? Page.byteCount : 0, to: bytes.count, by: Page.byteCount)
        .first { Array(bytes[$0..<min($0 + Page.byteCount, bytes.count)]) == start }
      if let end { bytes = Array(bytes.prefix(end)) }
    }
    state.memory.store(bytes, from: first)
  }
}
