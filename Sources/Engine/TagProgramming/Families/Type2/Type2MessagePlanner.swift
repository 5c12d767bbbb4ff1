import TagMemory

/// Plans a message onto a Type 2 tag: blank, empty or holding another message.
///
/// The capability container of a blank tag comes last, so that the tag is no NDEF tag before the
/// message is there.
struct Type2MessagePlanner {
  let state: Type2State
  /// The tag as this run means it: what a write of this run left damaged counts as what was sent.
  let meaning: Type2State
  let uid: UID
  let message: [UInt8]
  let overwrite: Bool
  /// The operator's permission to write a capability container whose size is a guess.
  let force: Bool
  /// What the tag is to show of itself in the message.
  var mirror: MessageMirror?

  /// The steps; throws when the tag cannot or must not take the message.
  func plan() throws(JobFailure) -> TagProgram {
    let container = try usableContainer()
    let isFormatted = meaning.isFormatted
    let area = area(with: container)
    let torn = isFormatted ? hiddenHead ?? tornPage(in: area) : nil
    let leading =
      if let torn { torn.leading } else { try leadingTLVs(in: area, isFormatted: isFormatted) }
    let layout = try self.layout(after: leading, in: area)
    let desired = try desired(layout, leading: leading)
    if !isFormatted { try requireBlank(desired.bytes) }
    let change = try mirrorChange(layout)
    let update = AreaUpdate(
      from: current(for: desired, layout.area, isFormatted: isFormatted, torn: torn, change),
      to: desired,
      unitSize: Page.byteCount)
    var program = TagProgram(.message)
    program.unchanged = update.unchanged
    if change == nil {
      try requireUnmirrored(layout, in: desired.bytes, isStored: update.writes.isEmpty)
    }
    program.steps = update.writes.map { write in
      .writePage(page(write.unit), write.bytes, TagProgram.Purpose(write.role))
    }
    meaning.add(
      container, to: &program, of: update, end: layout.endOffset,
      lengthAt: desired.messageStart + 1)
    change?.insert(into: &program, stored: storedBelow(change, desired, update))
    program.switchesMirrorOff = change?.takesMirrorOff ?? false
    program.keepsBehind = keptBehind(layout, in: desired.bytes)
    try requireOpen(program)
    // The configuration beside locked pages can still be put right: no lock bit is for it.
    let beside = state.map.configuration?.all
    if isReadOnly, program.writtenPages.contains(where: { beside?.contains($0) != true }) {
      throw readOnly
    }
    meaning.probe(&program, on: state)
    if program.changesTag {
      program.steps.append(check(desired, container: container, change))
      program.steps += digits(change)
    }
    return program
  }

  /// The whole pages below a mirror that is to come, if any of them is written.
  private func storedBelow(
    _ change: MirrorChange?, _ desired: AreaUpdate.Desired, _ update: AreaUpdate
  ) -> (first: Page, bytes: [UInt8])? {
    let below = MirrorOverlay(change?.mirror, uid: uid)
    let units = AreaUpdate.units(of: desired.bytes, size: Page.byteCount)
    let covered = units.indices.filter { below.covers(page($0)) }
    guard let first = covered.first, update.writes.contains(where: { covered.contains($0.unit) })
    else { return nil }
    // The page of the message's length is not written yet.
    let dark = update.writes.filter { $0.role == .switchOn }.map(\.unit)
    let shown = covered.filter { !dark.contains($0) }
    guard let start = shown.first else { return nil }
    return (page(max(first, start)), shown.flatMap { units[$0] })
  }

  /// Looks at the counter's digits, which move on by themselves.
  private func digits(_ change: MirrorChange?) -> [TagProgram.Step] {
    guard mirror != nil, let place = change?.mirror, place.content.showsCounter else { return [] }
    let count = ASCIIMirror.Content.counter.byteCount
    let start = place.byteRange.upperBound - count
    guard let page = Page(exactly: start / Page.byteCount) else { return [] }
    return [
      TagProgram.Step(
        .checkDigits(skipping: start % Page.byteCount, count: count), at: .page(page))
    ]
  }

  // MARK: Bytes

  private func current(
    for desired: AreaUpdate.Desired, _ area: TLVArea, isFormatted: Bool, torn: TornPage?,
    _ change: MirrorChange?
  ) -> AreaUpdate.Current {
    let wanted = AreaUpdate.units(of: desired.bytes, size: Page.byteCount)
    let shown = MirrorOverlay(of: state, uid: uid)
    func units(of memory: Type2State) -> [Int: [UInt8]] {
      let bytes = memory.areaBytes.prefix(max(desired.bytes.count, meaning.area.byteCount))
      let found = AreaUpdate.units(of: Array(bytes), size: Page.byteCount)
      return Dictionary(
        uniqueKeysWithValues: found.enumerated().map { unit, found in
          // Below a mirror the stored bytes cannot be read: what shows as wanted counts as wanted.
          let looksRight =
            unit < wanted.count && shown.matches(found, stored: wanted[unit], page: page(unit))
          return (unit, looksRight ? wanted[unit] : found)
        })
    }
    var current = AreaUpdate.Current(units: units(of: state), meant: units(of: meaning))
    if let change {
      current.changesMore = !change.isEmpty
      // What lies below a mirror that goes was never read.
      if change.mirror != state.memory.configuration?.mirror {
        current.hidden = Set(wanted.indices.filter { shown.covers(page($0)) })
      }
    }
    // Without a capability container nobody looks for a message that would have to be switched off.
    guard isFormatted else {
      current.length = (desired.lengthStart ?? desired.messageStart + 1, false)
      return current
    }
    if let torn {
      let start = desired.lengthStart ?? desired.messageStart + 1
      current.meant[torn.unit] = torn.empty(desired)
      current.length = (offset: start, isOn: true)
      return current
    }
    let scan = meaning.scan
    current.length = scan.message.flatMap { block in
      block.lengthOffsets.first.map { (offset: $0, isOn: block.length != 0) }
    }
    if !overwrite { current.others = behind.others.map { ($0, area) } }
    if let damage = scan.damage, damage.message.offset == desired.messageStart,
      !state.isMirrored
    {
      current.damaged = damage.ranges
      current.length = damage.message.lengthOffsets.first.map { ($0, damage.message.length != 0) }
    }
    return current
  }

  /// Reads back the whole message, and the capability container when it is new.
  private func check(
    _ desired: AreaUpdate.Desired, container: CapabilityContainer?, _ change: MirrorChange?
  ) -> TagProgram.Step {
    let area = AreaUpdate.units(of: desired.bytes, size: Page.byteCount).flatMap(\.self)
    let overlay =
      change.map { MirrorOverlay($0.mirror, uid: uid) } ?? MirrorOverlay(of: state, uid: uid)
    let expected = overlay.shown(area, from: .firstOfArea)
    guard let container else { return .checkPages(first: .firstOfArea, expected) }
    return .checkPages(
      first: .capabilityContainer, container.serialize().map { $0 } + expected)
  }

  func page(_ unit: Int) -> Page { Page.firstOfArea.advanced(by: unit) }
}

extension TagProgram.Purpose {
  init(_ role: AreaUpdate.Role) {
    switch role {
    case .switchOff: self = .switchOff
    case .content: self = .content
    case .switchOn: self = .switchOn
    }
  }
}
