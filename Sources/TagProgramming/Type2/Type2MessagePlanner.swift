import NDEF
import TagMemory

/// Plans a message onto a Type 2 tag: blank, empty or holding another message.
///
/// The capability container of a blank tag comes last, so that the tag is no NDEF tag before the message is there.
struct Type2MessagePlanner {
  let state: Type2State
  let uid: UID
  let message: [UInt8]
  let overwrite: Bool
  /// Whether readers must find the very bytes of the message.
  let mustReadAsWritten: Bool

  /// The steps; throws when the tag cannot or must not take the message.
  func plan() throws(ProgramFailure) -> TagProgram {
    let container = try usableContainer()
    let scan = state.scan
    let isFormatted = state.memory.capabilityContainer?.isNDEF ?? false
    let leading = try leadingTLVs(scan, isFormatted: isFormatted)
    let layout = try self.layout(after: leading, in: area(with: container))
    let behind = state.knownArea.dropFirst(leading.count)
      .prefix(max(0, layout.endOffset - leading.count))
    let desired = AreaUpdate.Desired(
      bytes: layout.applied(to: leading + behind), messageStart: layout.tagOffset,
      valueStart: (layout.lengthOffsets.last ?? layout.tagOffset) + 1)
    if !isFormatted { try requireBlank(desired.bytes) }
    let update = AreaUpdate(
      from: current(scan, for: desired, isFormatted: isFormatted), to: desired,
      unitSize: Page.byteCount)
    var program = TagProgram()
    program.unchanged = update.unchanged
    program.mirrored = try mirrored(layout, in: desired.bytes, isStored: update.writes.isEmpty)
    program.steps = update.writes.map { write in
      .writePage(page(write.unit), write.bytes, TagProgram.Purpose(write.role))
    }
    if let container {
      program.steps.append(
        .writePage(.capabilityContainer, container.serialize(), .capabilityContainer))
    }
    try requireOpen(program)
    if program.changesTag, isReadOnly, let container = state.memory.capabilityContainer {
      throw ProgramFailure(
        .refused, "The tag is read-only: its capability container is \(container).",
        tagHolds: "unchanged.", next: "use another tag; this one can only be read.")
    }
    if program.changesTag { program.steps.append(check(desired, container: container)) }
    return program
  }

  // MARK: What the tag allows

  /// Whether the capability container says that nobody may write: then the tag can only hold the message already.
  private var isReadOnly: Bool { state.memory.capabilityContainer?.writeAccess == .never }

  /// The capability container to write; nil when the tag has a usable one.
  private func usableContainer() throws(ProgramFailure) -> CapabilityContainer? {
    guard let container = state.memory.capabilityContainer else {
      throw ProgramFailure(.internalError, "The capability container was not read.")
    }
    if container.isNDEF {
      switch container.writeAccess {
      case .free, .proprietary: return larger(container)
      case .never: return nil
      case .reserved:
        throw ProgramFailure(
          .refused, "The capability container \(container) reserves writing for something unknown.",
          next: "use another tag.")
      }
    }
    let wanted = state.map.capabilityContainer
    guard container.canBecome(wanted) else {
      throw ProgramFailure(
        .refused,
        "Page 3 holds \(container); its bits cannot be cleared, so it can never become \(wanted).",
        next: "use another tag; this one can never carry NDEF.")
    }
    return wanted
  }

  /// On chips that are delivered without a capability container, one that says less than it could was cut short
  /// while it was written (or meant for a smaller chip): its missing bits are added.
  private func larger(_ container: CapabilityContainer) -> CapabilityContainer? {
    let right = state.map.capabilityContainer
    // Chips before GET_VERSION promise no whole write of page 3, and Ultralight C comes with and without a container.
    let mayBeTorn =
      state.map.deliveredCapabilityContainer.isBlank || !state.product.features.contains(.version)
    guard mayBeTorn, container != right, container.canBecome(right) else { return nil }
    return right
  }

  /// What stands before the message, a wrong lock-control TLV put right. Refuses an NDEF tag whose area holds something
  /// that is neither a message nor blank.
  private func leadingTLVs(_ scan: TLVScan, isFormatted: Bool) throws(ProgramFailure) -> [UInt8] {
    let holdsTLVs = scan.message != nil || scan.terminator != nil
    guard !isFormatted || holdsTLVs || overwrite || state.knownArea.allSatisfy({ $0 == 0 }) else {
      throw ProgramFailure(
        .refused,
        "The tag says that it is NDEF, but its data area holds something else"
          + (scan.faults.first.map { " (\($0))" } ?? "") + ".",
        tagHolds: "unchanged.",
        next: "pass --overwrite if what is on it may be lost.")
    }
    if isReadOnly, scan.message != nil { return Array(state.knownArea.prefix(scan.messageOffset)) }
    return state.ndef?.leading ?? []
  }

  /// The data area as it will be.
  private func area(with container: CapabilityContainer?) -> TLVArea {
    guard let container else { return state.area }
    let user = state.map.user.count * Page.byteCount
    return .type2(byteCount: min(container.areaByteCount, user))
  }

  private func layout(after leading: [UInt8], in area: TLVArea) throws(ProgramFailure)
    -> TLVLayout
  {
    do {
      return try TLVLayout(message: message, in: area, leading: leading)
    } catch {
      let capacity = TLVLayout.capacity(of: area, leading: leading) ?? 0
      throw ProgramFailure(
        .badInput,
        "The message has \(message.count) bytes; this \(state.product.displayName) takes \(capacity).",
        tagHolds: "unchanged.", next: "shorten the message or use a larger tag.")
    }
  }

  /// Refuses a tag without capability container whose memory is neither blank nor the beginning of this job.
  private func requireBlank(_ desired: [UInt8]) throws(ProgramFailure) {
    guard !overwrite else { return }
    let wanted = AreaUpdate.units(of: desired, size: Page.byteCount)
    let known = AreaUpdate.units(of: state.knownArea, size: Page.byteCount)
    for (unit, found) in known.enumerated() {
      let own = unit < wanted.count ? wanted[unit] : nil
      guard Tolerance.isBlank(found, orPartOf: own) else {
        throw ProgramFailure(
          .refused,
          "The tag is not blank: \(page(unit)) holds data, and it is not formatted for NDEF.",
          tagHolds: "unchanged.", next: "pass --overwrite if what is on it may be lost.")
      }
    }
  }

  /// Refuses a program that would write a locked or password-protected page.
  private func requireOpen(_ program: TagProgram) throws(ProgramFailure) {
    let written = program.steps.compactMap { step -> Page? in
      if case .writePage(let page, _, _) = step { page } else { nil }
    }
    let locked = Set(written).filter { state.memory.isLocked($0) == true }
    guard locked.isEmpty else {
      throw ProgramFailure(
        .refused, "\(Type2Words.list(locked)) locked for good and would have to change.",
        tagHolds: "unchanged.", next: "use another tag.")
    }
  }

  // MARK: Bytes

  private func current(_ scan: TLVScan, for desired: AreaUpdate.Desired, isFormatted: Bool)
    -> AreaUpdate.Current
  {
    let wanted = AreaUpdate.units(of: desired.bytes, size: Page.byteCount)
    let shown = MirrorOverlay(of: state, uid: uid)
    var units: [Int: [UInt8]] = [:]
    for (unit, found) in AreaUpdate.units(of: state.knownArea, size: Page.byteCount).enumerated() {
      // Below a mirror the stored bytes cannot be read: what shows as wanted counts as wanted.
      let looksRight =
        unit < wanted.count && shown.matches(found, stored: wanted[unit], page: page(unit))
      units[unit] = looksRight ? wanted[unit] : found
    }
    // Without a capability container nobody looks for a message that would have to be switched off.
    guard isFormatted else {
      return AreaUpdate.Current(units: units, length: (desired.messageStart, false))
    }
    let length = scan.message.flatMap { block in
      block.lengthOffsets.first.map { (offset: $0, isOn: block.length != 0) }
    }
    return AreaUpdate.Current(units: units, length: length)
  }

  /// Reads back the whole message, and the capability container when it is new.
  private func check(_ desired: AreaUpdate.Desired, container: CapabilityContainer?)
    -> TagProgram.Step
  {
    let area = AreaUpdate.units(of: desired.bytes, size: Page.byteCount).flatMap(\.self)
    let expected = MirrorOverlay(of: state, uid: uid).shown(area, from: .firstOfArea)
    guard let container else { return .checkPages(first: .firstOfArea, expected) }
    return .checkPages(
      first: .capabilityContainer, container.serialize().map { $0 } + expected)
  }

  private func page(_ unit: Int) -> Page { Page.firstOfArea.advanced(by: unit) }
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
