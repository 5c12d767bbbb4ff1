import TagMemory

/// Plans raw pages onto a Type 2 tag: user memory first and read back, then the capability
/// container and the locks, and last what shuts the tag to those who lack its password or key.
struct PageWritePlanner {
  let state: Type2State
  /// The tag as this run means it.
  let meaning: Type2State
  /// The four bytes that each page is to hold.
  let pages: [Page: [UInt8]]
  /// The operator's leave to write other pages than user memory.
  let force: Bool
  /// This run has moved the tag's counter already; once more would count twice.
  var hasCounted = false

  init(state: Type2State, meaning: Type2State, pages: [Page: [UInt8]], force: Bool) {
    (self.state, self.meaning, self.pages, self.force) = (state, meaning, pages, force)
  }

  /// Throws where the job's pages are not all pages of this chip.
  init(state: Type2State, meaning: Type2State, job: PageWrite) throws(JobFailure) {
    let range = try Self.pages(of: job, map: state.map, of: state.product)
    let rows = AreaUpdate.units(of: job.bytes, size: Page.byteCount)
    self.init(
      state: state, meaning: meaning, pages: Dictionary(uniqueKeysWithValues: zip(range, rows)),
      force: job.force)
  }

  /// The pages that the job writes; throws where they are not all pages of this chip.
  static func pages(of job: PageWrite, map: Type2Map, of product: Product) throws(JobFailure)
    -> ClosedRange<Page>
  {
    let count = job.bytes.count / Page.byteCount
    guard count > 0, job.bytes.count % Page.byteCount == 0 else {
      throw JobFailure(.type2(.noWholePages(byteCount: job.bytes.count)))
    }
    guard job.start >= 0, count <= map.pageCount, job.start <= map.pageCount - count,
      let first = Page(exactly: job.start),
      let last = Page(exactly: job.start + count - 1), (first...last).allSatisfy(map.contains)
    else {
      throw JobFailure(
        .type2(
          .noSuchPages(first: job.start, count: count, product, pageCount: map.pageCount)),
        remedy: .stayWithinMemory)
    }
    return first...last
  }

  func plan() throws(JobFailure) -> TagProgram {
    let layout = Type2Layout(state.map)
    let pages = self.pages.keys.sorted()
    try requireLeave(pages, layout: layout)
    let unseen = unseen(pages, layout: layout)
    var program = TagProgram(.raw)
    for use in try order(of: pages) {
      let all = pages.filter { layout.region(of: $0)?.use == use }
      // Those that already show as wanted come first: where the job is cut short, one that does not
      // says that there is more to do.
      let early = all.filter { unseen.contains($0) && isThere($0, use) }
      let part = early + all.filter { !early.contains($0) }
      // AUTH0 stands in the first configuration page and closes what follows: it goes last.
      for page in use == .configuration ? part.reversed() : part {
        add(page, use, isUnseen: unseen.contains(page), to: &program)
      }
      if let proof = proof(of: use) { program.steps.append(proof) }
    }
    program.unproven = pages.filter(isUnproven).map(Place.page)
    meaning.probe(&program, on: state)
    return program
  }

  // MARK: Below a mirror

  /// What the tag shows over its user memory.
  private var overlay: MirrorOverlay? { state.uid.map { MirrorOverlay(of: state, uid: $0) } }

  /// The pages of user memory under the ASCII mirror, which are written whatever they show; none
  /// where all that shows of the job's pages is as wanted: then the job was done before.
  private func unseen(_ pages: [Page], layout: Type2Layout) -> Set<Page> {
    guard let overlay else { return [] }
    let covered = pages.filter { layout.region(of: $0)?.use == .user && overlay.covers($0) }
    // A page that shows the same whatever is in it tells nothing.
    let hidden = covered.filter { page in
      let shown = [UInt8.min, .max].map { byte in
        overlay.shown([UInt8](repeating: byte, count: Page.byteCount), from: page)
      }
      return shown[0] == shown[1]
    }
    let telling = pages.filter { !hidden.contains($0) }
    let isDone =
      !telling.isEmpty
      && telling.allSatisfy { page in
        layout.region(of: page).map { isThere(page, $0.use) } ?? false
      }
    return isDone ? [] : Set(covered)
  }

  /// Returns whether `page` shows what it would with the job's bytes in it.
  private func isThere(_ page: Page, _ use: Type2Layout.Use) -> Bool {
    guard let new = pages[page], let old = state.memory[page], use != .password, use != .key,
      use != .counter
    else { return false }
    return zip(old, shown(new, on: page, use)).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// The order of uses: nothing that can shut the tag comes before anything that it would shut.
  private func order(of pages: [Page]) throws(JobFailure) -> [Type2Layout.Use] {
    let first: [Type2Layout.Use] = [.user, .unknown, .counter]
    let locks: [Type2Layout.Use] = [.capabilityContainer, .dynamicLocks, .staticLocks]
    let shuts: [Type2Layout.Use] = [.key, .password, .configuration]
    // Lock bits of Ultralight C close its key and AUTH0, too (MF0ICU2, 7.5.3), which then have to
    // come before them.
    guard let map = state.map.dynamicLocks, let new = self.pages[map.page],
      let after = try? LockBytes(
        parsing: state.result(of: new, on: map.page, holding: meaning.memory[map.page]), of: map),
      pages.contains(where: { $0 > map.page && after.isLocked($0) })
    else { return first + locks + shuts }
    if let protection = protection, protection.isWriteProtected(map.page) {
      throw JobFailure(.type2(.locksCloseEachOther(map.page)), remedy: .leaveOutPage)
    }
    return first + shuts + locks
  }

  /// What the key of an Ultralight C protects once these pages are written; nil where nothing is.
  private var protection: AccessProtection? {
    guard let place = state.map.tripleDES,
      let auth0 = pages[place.auth0] ?? meaning.memory[place.auth0],
      let auth1 = pages[place.auth1] ?? meaning.memory[place.auth1]
    else { return nil }
    return AccessProtection(ultralightCAuth0: auth0, auth1: auth1)
  }

  private func requireLeave(_ pages: [Page], layout: Type2Layout)
    throws(JobFailure)
  {
    if let page = pages.first(where: { layout.region(of: $0)?.use == .uid }) {
      throw JobFailure(.type2(.guardedPage(page, .uid)), remedy: .startWithUserMemory)
    }
    if !force, let page = pages.first(where: layout.needsForce),
      let use = layout.region(of: page)?.use
    {
      throw JobFailure(.type2(.guardedPage(page, use)), remedy: .permitForce)
    }
    let locked = pages.filter { page in
      state.memory.isLocked(page) == true && state.memory[page] != self.pages[page]
    }
    guard locked.isEmpty else {
      throw JobFailure(.type2(.locked(locked)), remedy: .useAnotherTag)
    }
  }

  private func add(
    _ page: Page, _ use: Type2Layout.Use, isUnseen: Bool, to program: inout TagProgram
  ) {
    guard let new = pages[page] else { return }
    if use == .counter, hasCounted {
      program.unchanged += 1
      return
    }
    let expected = shown(new, on: page, use)
    if !isUnseen, isThere(page, use) {
      program.unchanged += 1
      return
    }
    // Nobody can give the key of an Ultralight C here.
    let shuts = page == state.map.tripleDES?.auth0 && protection != nil
    let isIrreversible =
      shuts || freezes(page, new)
      || [.staticLocks, .dynamicLocks, .capabilityContainer, .counter].contains(use)
    let isSecret = use == .password || use == .key
    program.steps.append(
      .writePage(page, new, isSecret ? .secret : .raw(isIrreversible: isIrreversible)))
    if shuts, protection?.isReadProtected(page) == true {
      return program.steps.append(.checkRefusal(page, new))
    }
    // Passwords and keys never show: they prove themselves when all of them are written.
    if expected.contains(where: { $0 != nil }) {
      program.steps.append(.checkPages(first: page, expected))
    }
  }

  /// Returns whether `new` freezes the configuration (CFGLCK), or the keys.
  private func freezes(_ page: Page, _ new: [UInt8]) -> Bool {
    (page == state.map.configuration?.cfg1 && new[0] & 0x40 != 0)
      || (page == state.map.key?.lock?.page && new[0] != 0)
  }

  /// What the page reads after `new` was written: bits of lock and OTP pages are only ever added.
  /// Nil where reading tells nothing.
  private func shown(_ new: [UInt8], on page: Page, _ use: Type2Layout.Use) -> [UInt8?] {
    let old = meaning.memory[page]
    func added(_ range: Range<Int>) -> [UInt8?] {
      (0..<Page.byteCount).map { index in
        guard range.contains(index), let old else { return nil }
        return old[index] | new[index]
      }
    }
    switch use {
    case .staticLocks: return added(2..<4)
    case .capabilityContainer: return added(0..<4)
    case .dynamicLocks: return added(0..<(state.map.dynamicLocks?.byteCount ?? 3))
    case .counter:
      let counted = state.result(of: new, on: page, holding: state.memory[page])
      return [counted[0], counted[1], nil, nil]
    case .password, .key: return [nil, nil, nil, nil]
    case .configuration where state.map.tripleDES != nil: return [new[0], nil, nil, nil]
    case .configuration where page == state.map.key?.lock?.page:
      return [old.map { $0[0] | new[0] }, nil, nil, nil]
    case .user: return overlay?.shown(new, from: page) ?? new
    case .uid, .configuration, .unknown: return new
    }
  }
}
