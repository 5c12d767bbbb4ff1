import TagMemory

/// Plans the memory of a dump onto a Type 2 tag: the user memory like a message, switched off first
/// and on last, and with the operator's leave the capability container and the locks, and then what
/// shuts the tag, in the order of `PageWritePlanner`. A mirror that the dump does not have goes
/// while the message is off: what lies below it can be read back then. A tag without a capability
/// container that leads to the dump's message gets the chip's own, if the dump's tag has that.
///
/// Never the UID, never a counter, and no password that the dump does not know: zeros there are
/// what a tag shows.
struct Type2RestorePlanner {
  let state: Type2State
  /// The tag as this run means it.
  let meaning: Type2State
  let uid: UID
  let job: Restore

  func plan() throws(JobFailure) -> TagProgram {
    try requireSameChip()
    try requireMirror()
    if job.force { try requireContainer() }
    var program = userMemory()
    program.append(furtherMemory())
    let locked = program.writtenPages.filter { state.memory.isLocked($0) == true }
    guard locked.isEmpty else {
      throw JobFailure(.type2(.locked(locked)), remedy: .useAnotherTag)
    }
    if job.force {
      let isOwn = { (page: Page) in
        guard let place = state.map.configuration else { return false }
        return place.all.contains(page) || state.map.key?.pages.contains(page) == true
      }
      program.append(
        try PageWritePlanner(
          state: state, meaning: meaning, pages: guarded.filter { !isOwn($0.key) }, force: true
        ).plan())
      program.append(try protection())
    }
    meaning.probe(&program, on: state)
    return program
  }

  /// What the dump holds and the tag does not get.
  var leftAlone: [TagDescription.Finding] {
    var findings: [TagDescription.Finding] = []
    if job.image.uid != uid {
      findings.append(
        .notRestored("The dump is of tag \(job.image.uid); this tag keeps its own UID."))
    }
    let further = state.map.further.map(Array.init) ?? []
    let user = (Array(state.map.user) + further).filter { job.image.row(Int($0.number)) == nil }
    if !user.isEmpty, job.image.layout.rowCount != Self.firstPages {
      findings.append(
        .notRestored("\(Type2Words.list(user)) not in the dump, and not changed."))
    }
    let untouched = guarded.keys.filter { $0 != .capabilityContainer || container == nil }
    if !job.force, !untouched.isEmpty {
      findings.append(
        .notRestored(
          "\(Type2Words.list(untouched)) not changed: lock bits, capability container or configuration.",
          remedy: .permitForce))
    }
    if !counters.isEmpty {
      let (noun, verb) = counters.count == 1 ? ("Counter", "is") : ("Counters", "are")
      findings.append(
        .notRestored(
          "\(noun) \(NumberRuns.list(counters)) of the dump \(verb) not restored: the tag keeps what it has counted."
        ))
    }
    if knowsKey, asksForKey {
      findings.append(
        .notRestored("The tag requires its key, which cannot be compared with the dump's key."))
    }
    if hidesPassword || hidesKey {
      findings.append(
        .notRestored(
          "The dump asks for a \(hidesKey ? "key" : "password") that it does not hold: the tag's protection stays as it is."
        ))
    }
    return findings
  }

  // MARK: What goes where

  /// The first pages are alike on all chips: what tools read that do not know the chip.
  private static let firstPages = 16

  private func requireSameChip() throws(JobFailure) {
    guard case .type2(let count) = job.image.layout else {
      throw JobFailure(.type2(.dumpOfOtherType), remedy: .useTagOfDump)
    }
    // Of a chip with a second sector some programs read the first alone.
    let first = state.map.pages.filter { $0.sector == 0 }.count
    let isOfFirstSector =
      state.map.pageCount > Page.perSector && [first, Page.perSector].contains(count)
    guard count == state.map.pageCount || count == Self.firstPages || isOfFirstSector else {
      throw JobFailure(
        .type2(
          .dumpOfOtherSize(pageCount: count, state.product, chipPageCount: state.map.pageCount)),
        remedy: .useTagOfDump)
    }
  }

  /// Refuses a dump whose capability container the tag can never have, or must not.
  private func requireContainer() throws(JobFailure) {
    guard let bytes = guarded[.capabilityContainer],
      let wanted = try? CapabilityContainer(parsing: bytes),
      let found = meaning.memory.capabilityContainer
    else { return }
    guard found.canBecome(wanted) else {
      throw JobFailure(
        .type2(.containerUnfit(found: found, wanted: wanted, isOfDump: true)),
        remedy: .leaveOutConfiguration(leavesPage3: true))
    }
    let available =
      (Int(state.map.user.upperBound.number) + 1) * Page.byteCount - Page.firstOfArea.byteOffset
      + state.map.furtherByteCount
    guard !wanted.isNDEF || wanted.areaByteCount <= available else {
      throw JobFailure(
        .type2(.containerTooLarge(wanted, state.product, available: available)),
        remedy: .leaveOutConfiguration(leavesPage3: true))
    }
  }

  var userPages: [Page] {
    state.map.user.filter { Int($0.number) < job.image.layout.rowCount }
  }

  private func userMemory() -> TagProgram {
    let units = userPages.map { job.image.row(Int($0.number)) ?? state.memory[$0] ?? [0, 0, 0, 0] }
    let bytes = units.flatMap(\.self)
    let message = TLVScan(bytes, of: .type2(byteCount: bytes.count)).message
    let start = message?.offset ?? 0
    let overlay = MirrorOverlay(of: state, uid: uid)
    let unmirrored = unmirrored
    // What the dump does not hold stays.
    let hidden = userPages.indices.filter {
      unmirrored != nil && overlay.covers(userPages[$0])
    }
    let isHeld = { (index: Int) in job.image.row(Int(userPages[index].number)) != nil }
    func held(in state: Type2State) -> [Int: [UInt8]] {
      var held: [Int: [UInt8]] = [:]
      for (index, page) in userPages.enumerated() {
        guard let found = state.memory[page] else { continue }
        held[index] =
          overlay.matches(found, stored: units[index], page: page) ? units[index] : found
      }
      return held
    }
    let isFormatted = meaning.isFormatted
    let length = meaning.scan.message.flatMap { block in
      block.lengthOffsets.first.map { (offset: $0, isOn: block.length != 0 && isFormatted) }
    }
    let desired = AreaUpdate.Desired(
      bytes: bytes, messageStart: start,
      lengthStart: message?.lengthOffsets.first ?? length?.offset,
      valueStart: (message?.lengthOffsets.last ?? start + 1) + 1)
    // Where no message would be found nothing has to be switched off.
    let current = AreaUpdate.Current(
      units: held(in: state), meant: held(in: meaning), length: length ?? (start + 1, false),
      hidden: Set(hidden.filter(isHeld)), changesMore: unmirrored != nil)
    let update = AreaUpdate(from: current, to: desired, unitSize: Page.byteCount)
    var program = TagProgram(.restore)
    program.unchanged = update.unchanged
    program.steps = update.writes.map {
      .writePage(userPages[$0.unit], $0.bytes, TagProgram.Purpose($0.role))
    }
    let container = container
    meaning.add(
      container, to: &program, of: update, end: message?.endOffset ?? 0,
      lengthAt: message?.lengthOffsets.first ?? start + 1)
    if let change = mirrorChange { change.insert(into: &program, stored: nil) }
    if program.changesTag, let first = userPages.first {
      let shown = unmirrored == nil ? overlay : MirrorOverlay(nil, uid: uid)
      var expected = shown.shown(bytes, from: first)
      for index in hidden where !isHeld(index) {
        let start = index * Page.byteCount
        expected.replaceSubrange(
          start..<start + Page.byteCount, with: [UInt8?](repeating: nil, count: Page.byteCount))
      }
      let head = container?.serialize() ?? []
      program.steps.append(
        .checkPages(
          first: head.isEmpty ? first : .capabilityContainer, head.map { $0 } + expected))
    }
    return program
  }

  /// User memory in another sector, where no message reaches.
  private func furtherMemory() -> TagProgram {
    var program = TagProgram(.restore)
    let pages = (state.map.further.map(Array.init) ?? []).filter {
      job.image.row(Int($0.number)) != nil
    }
    var checks: [(first: Page, bytes: [UInt8?])] = []
    for page in pages {
      guard let wanted = job.image.row(Int(page.number)) else { continue }
      guard state.memory[page] != wanted else {
        program.unchanged += 1
        continue
      }
      program.steps.append(.writePage(page, wanted, .content))
      if let last = checks.last,
        last.first.advanced(by: last.bytes.count / Page.byteCount) == page
      {
        checks[checks.count - 1].bytes += wanted.map { $0 }
      } else {
        checks.append((page, wanted.map { $0 }))
      }
    }
    program.steps += checks.map { .checkPages(first: $0.first, $0.bytes) }
    return program
  }

  /// Pages beside the user memory that would change.
  private var guarded: [Page: [UInt8]] {
    guard job.image.layout.rowCount == state.map.pageCount else { return [:] }
    var pages: [Page: [UInt8]] = [:]
    for region in Type2Layout(state.map).regions {
      for page in region.pages {
        guard let wanted = job.image.row(Int(page.number)), changes(page, region.use, to: wanted)
        else {
          continue
        }
        pages[page] = wanted
      }
    }
    return pages
  }

  private func changes(_ page: Page, _ use: Type2Layout.Use, to wanted: [UInt8]) -> Bool {
    // What freezes keys goes after them, if at all.
    guard page != state.map.key?.lock?.page else { return false }
    guard let found = state.memory[page] else { return use == .key && knowsKey && !asksForKey }
    func adds(_ range: Range<Int>) -> Bool { range.contains { wanted[$0] & ~found[$0] != 0 } }
    switch use {
    case .user, .uid, .counter, .unknown: return false
    case .staticLocks: return adds(2..<4)
    case .capabilityContainer: return found != wanted || meaning.memory[page] != found
    case .dynamicLocks:
      return state.product.canLockAndProtect && adds(0..<(state.map.dynamicLocks?.byteCount ?? 3))
    case .configuration:
      let count = state.map.tripleDES == nil ? Page.byteCount : 1
      return found.prefix(count) != wanted.prefix(count) && !hidesPassword && !hidesKey
    case .password: return secret != nil && !isRight(page, wanted)
    case .key where state.map.configuration != nil:
      return state.map.key?.pages.contains(page) == true && secret != nil && !isRight(page, wanted)
    case .key: return knowsKey && !asksForKey
    }
  }

  /// The counters that the dump's tag has moved, and those in pages that differ from the tag's.
  private var counters: [Int] {
    var numbers = Set(job.counters.filter { $0.value != 0 }.keys)
    if let page = state.map.counter, let dumped = job.image.row(Int(page.number)),
      let found = state.memory[page], dumped[..<2] != found[..<2]
    {
      numbers.insert(0)
    }
    return numbers.sorted()
  }

  /// Is true if the dump holds an Ultralight C's whole key, other than the zeros that programs show
  /// in its place.
  private var knowsKey: Bool {
    guard state.map.tripleDES != nil, let key = state.map.key else { return false }
    return key.key(in: key.pages.compactMap { job.image.row(Int($0.number)) }) != nil
  }

  /// Is true if the tag asks for its key before that can be written: it was written before, or is
  /// another one.
  private var asksForKey: Bool {
    guard state.map.tripleDES != nil, let key = state.map.key else { return false }
    return state.memory.protection?.isWriteProtected(key.pages.upperBound) ?? false
  }

  /// Is true if the dump switches an Ultralight C's protection on with a key that it does not hold.
  private var hidesKey: Bool {
    guard let place = state.map.tripleDES, !knowsKey,
      let auth0 = job.image.row(Int(place.auth0.number)),
      let auth1 = job.image.row(Int(place.auth1.number))
    else { return false }
    return AccessProtection(ultralightCAuth0: auth0, auth1: auth1) != nil
      && (state.memory[place.auth0]?.first != auth0[0]
        || state.memory[place.auth1]?.first != auth1[0])
  }

  /// Returns whether the tag has taken the password, or answered with the acknowledge, that the
  /// dump holds.
  private func isRight(_ page: Page, _ wanted: [UInt8]) -> Bool {
    guard let credential = state.credential else { return false }
    if state.map.key != nil { return credential.password == secret?.password }
    return page == state.map.configuration?.password
      ? wanted == credential.password : Array(wanted.prefix(2)) == credential.pack
  }
}
