import TagMemory

/// Plans the memory of a dump onto a Type 2 tag: the user memory like a message, switched off first and on last, and with the
/// operator's leave what can shut the tag, in the order of `PageWritePlanner`.
///
/// Never the UID, never a counter, and no password that the dump does not know: zeros there are what a tag shows.
struct Type2RestorePlanner {
  let state: Type2State
  let uid: UID
  let job: Restore

  func plan() throws(ProgramFailure) -> TagProgram {
    try requireSameChip()
    var program = userMemory()
    let locked = program.steps.compactMap { step -> Page? in
      if case .writePage(let page, _, _) = step, state.memory.isLocked(page) == true {
        page
      } else {
        nil
      }
    }
    guard locked.isEmpty else {
      throw ProgramFailure(
        .refused, "\(Type2Words.list(Set(locked))) locked for good and would have to change.",
        tagHolds: "unchanged.", next: "use another tag.")
    }
    if job.force {
      program.append(try PageWritePlanner(state: state, pages: guarded, force: true).plan())
    }
    return program
  }

  /// Sentences about what the dump holds and the tag does not get.
  var leftAlone: [String] {
    var sentences: [String] = []
    if job.image.uid != uid {
      sentences.append("The dump is of tag \(job.image.uid); this tag keeps its own UID.")
    }
    let user = userPages.filter { job.image.row(Int($0.number)) == nil }
    if !user.isEmpty {
      sentences.append("\(Type2Words.list(user)) not known to the dump, and left as before.")
    }
    if !job.force, !guarded.isEmpty {
      sentences.append(
        "\(Type2Words.list(guarded.keys)) left as before: lock bits, capability container or configuration, which "
          + "--force writes.")
    }
    if hidesPassword {
      sentences.append(
        "The dump asks for a password that it does not hold: the tag's protection stays as it is.")
    }
    return sentences
  }

  // MARK: What goes where

  private func requireSameChip() throws(ProgramFailure) {
    guard case .type2(let count) = job.image.layout else {
      throw ProgramFailure(
        .badInput, "The dump is of a MIFARE Classic, not of an Ultralight or NTAG.",
        tagHolds: "unchanged.", next: "use a tag of the dump's type.")
    }
    // The first 16 pages are alike on all chips: what tools read that do not know the chip.
    guard count == state.map.pageCount || count == 16 else {
      throw ProgramFailure(
        .badInput,
        "The dump has \(count) pages, this \(state.product.displayName) has \(state.map.pageCount).",
        tagHolds: "unchanged.", next: "use a tag of the dump's type.")
    }
  }

  private var userPages: [Page] {
    state.map.user.filter { Int($0.number) < job.image.layout.rowCount }
  }

  private func userMemory() -> TagProgram {
    let units = userPages.map { job.image.row(Int($0.number)) ?? state.memory[$0] ?? [0, 0, 0, 0] }
    let bytes = units.flatMap(\.self)
    let message = TLVScan(bytes, of: .type2(byteCount: bytes.count)).message
    let start = message?.offset ?? 0
    let desired = AreaUpdate.Desired(
      bytes: bytes, messageStart: start, valueStart: (message?.lengthOffsets.last ?? start + 1) + 1)
    var held: [Int: [UInt8]] = [:]
    let overlay = MirrorOverlay(of: state, uid: uid)
    for (index, page) in userPages.enumerated() {
      guard let found = state.memory[page] else { continue }
      held[index] = overlay.matches(found, stored: units[index], page: page) ? units[index] : found
    }
    let isFormatted = state.memory.capabilityContainer?.isNDEF ?? false
    let length = state.scan.message.flatMap { block in
      block.lengthOffsets.first.map { (offset: $0, isOn: block.length != 0 && isFormatted) }
    }
    // Where no message would be found nothing has to be switched off.
    let update = AreaUpdate(
      from: AreaUpdate.Current(units: held, length: length ?? (start, false)), to: desired,
      unitSize: Page.byteCount)
    var program = TagProgram()
    program.unchanged = update.unchanged
    program.steps = update.writes.map {
      .writePage(userPages[$0.unit], $0.bytes, TagProgram.Purpose($0.role))
    }
    if program.changesTag, let first = userPages.first {
      program.steps.append(.checkPages(first: first, overlay.shown(bytes, from: first)))
    }
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
    guard let found = state.memory[page] else { return use == .key && wanted.contains { $0 != 0 } }
    func adds(_ range: Range<Int>) -> Bool { range.contains { wanted[$0] & ~found[$0] != 0 } }
    switch use {
    case .user, .uid, .counter, .unknown: return false
    case .staticLocks: return adds(2..<4)
    case .capabilityContainer: return adds(0..<4)
    case .dynamicLocks: return adds(0..<(state.map.dynamicLocks?.byteCount ?? 3))
    case .configuration: return found != wanted && !hidesPassword
    case .password: return knowsPassword && !isRight(page, wanted)
    case .key: return wanted.contains { $0 != 0 }
    }
  }

  /// Whether the tag has taken the password, or answered with the acknowledge, that the dump holds.
  private func isRight(_ page: Page, _ wanted: [UInt8]) -> Bool {
    guard let credential = state.credential else { return false }
    return page == state.map.configuration?.password
      ? wanted == credential.password : Array(wanted.prefix(2)) == credential.pack
  }

  /// Whether the dump holds a password other than the zeros that tags show.
  private var knowsPassword: Bool {
    guard let page = state.map.configuration?.password, let bytes = job.image.row(Int(page.number))
    else {
      return false
    }
    return bytes.contains { $0 != 0 }
  }

  /// Whether the dump switches protection on with a password that it does not hold: that would shut the tag.
  private var hidesPassword: Bool {
    guard let place = state.map.configuration, !knowsPassword,
      job.image.layout.rowCount == state.map.pageCount,
      let cfg0 = job.image.row(Int(place.cfg0.number)),
      let cfg1 = job.image.row(Int(place.cfg1.number)),
      let wanted = try? Configuration(parsing: cfg0 + cfg1, style: place.style)
    else { return false }
    return wanted.protection(pageCount: state.map.pageCount) != nil
      && state.memory.configuration.map { $0.bytes != wanted.bytes } ?? true
  }
}
