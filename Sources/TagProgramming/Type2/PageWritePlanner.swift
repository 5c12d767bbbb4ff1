import TagMemory

/// Plans raw pages onto a Type 2 tag: user memory first and read back, then what may shut the tag, locks last of all.
struct PageWritePlanner {
  let state: Type2State
  /// The four bytes that each page shall hold.
  let pages: [Page: [UInt8]]
  /// The operator's leave to write other pages than user memory.
  let force: Bool

  init(state: Type2State, pages: [Page: [UInt8]], force: Bool) {
    (self.state, self.pages, self.force) = (state, pages, force)
  }

  /// Throws where the job's pages are not all pages of this chip.
  init(state: Type2State, job: PageWrite) throws(ProgramFailure) {
    let range = try Self.pages(of: job, map: state.map, named: state.product.displayName)
    let rows = AreaUpdate.units(of: job.bytes, size: Page.byteCount)
    self.init(
      state: state, pages: Dictionary(uniqueKeysWithValues: zip(range, rows)), force: job.force)
  }

  /// The pages that the job writes; throws where they are not all pages of this chip.
  static func pages(of job: PageWrite, map: Type2Map, named name: String) throws(ProgramFailure)
    -> ClosedRange<Page>
  {
    let count = job.bytes.count / Page.byteCount
    guard count > 0, job.bytes.count % Page.byteCount == 0 else {
      throw ProgramFailure(
        .badInput, "Pages have 4 bytes each; \(job.bytes.count) bytes were given.")
    }
    guard job.start >= 0, job.start + count <= map.pageCount, let first = Page(exactly: job.start),
      let last = Page(exactly: job.start + count - 1)
    else {
      throw ProgramFailure(
        .badInput,
        "An \(name) has pages 0 to \(map.pageCount - 1); \(count) from page \(job.start) on do not fit.",
        tagHolds: "unchanged.")
    }
    return first...last
  }

  func plan() throws(ProgramFailure) -> TagProgram {
    let layout = Type2Layout(state.map)
    let pages = self.pages.keys.sorted()
    try requireLeave(pages, layout: layout)
    var program = TagProgram()
    for use in Self.order {
      let part = pages.filter { layout.region(of: $0)?.use == use }
      // AUTH0 stands in the first configuration page and closes what follows: it goes last.
      for page in use == .configuration ? part.reversed() : part { add(page, use, to: &program) }
    }
    return program
  }

  /// The order of uses: nothing that can shut the tag comes before anything that it would shut.
  private static let order: [Type2Layout.Use] = [
    .user, .unknown, .counter, .key, .password, .configuration, .dynamicLocks,
    .capabilityContainer, .staticLocks,
  ]

  private func requireLeave(_ pages: [Page], layout: Type2Layout)
    throws(ProgramFailure)
  {
    if let page = pages.first(where: { layout.region(of: $0)?.use == .uid }) {
      throw ProgramFailure(
        .badInput, "\(Self.capital(page)) holds the UID; no tag lets it be written.",
        tagHolds: "unchanged.")
    }
    if !force, let page = pages.first(where: layout.needsForce),
      let warning = layout.warning(for: page)
    {
      throw ProgramFailure(
        .badInput, "\(warning.prefix(1).uppercased())\(warning.dropFirst()).",
        tagHolds: "unchanged.", next: "pass --force if you mean it.")
    }
    let locked = pages.filter { page in
      state.memory.isLocked(page) == true && state.memory[page] != self.pages[page]
    }
    guard locked.isEmpty else {
      throw ProgramFailure(
        .refused, "\(Type2Words.list(locked)) locked for good.", tagHolds: "unchanged.",
        next: "use another tag.")
    }
  }

  private func add(_ page: Page, _ use: Type2Layout.Use, to program: inout TagProgram) {
    guard let new = pages[page] else { return }
    let expected = shown(new, on: page, use)
    if let old = state.memory[page], use != .password, use != .key,
      zip(old, expected).allSatisfy({ $1 == nil || $0 == $1 })
    {
      program.unchanged += 1
      return
    }
    let isIrreversible =
      use == .staticLocks || use == .dynamicLocks || use == .capabilityContainer || use == .counter
    let isSecret = use == .password || use == .key
    program.steps.append(
      .writePage(page, new, isSecret ? .secret : .raw(isIrreversible: isIrreversible)))
    // Passwords and keys never show; whether they hold is for the next authentication to say.
    if expected.contains(where: { $0 != nil }) {
      program.steps.append(.checkPages(first: page, expected))
    }
  }

  /// What the page reads after `new` was written: bits of lock and OTP pages are only ever added. Nil where reading
  /// tells nothing.
  private func shown(_ new: [UInt8], on page: Page, _ use: Type2Layout.Use) -> [UInt8?] {
    let old = state.memory[page]
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
    case .password, .key, .counter: return [nil, nil, nil, nil]
    case .user, .uid, .configuration, .unknown: return new
    }
  }

  private static func capital(_ page: Page) -> String { "Page \(page.number)" }
}
