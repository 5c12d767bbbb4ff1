import NDEF
import TagMemory

/// What the tag allows.
extension Type2MessagePlanner {
  /// Is true if the capability container says that nobody may write: then the tag can only hold the
  /// message already.
  var isReadOnly: Bool { meaning.memory.capabilityContainer?.writeAccess == .never }

  /// What is said where nobody may write; of a tag that says something else now than this run has
  /// written.
  var readOnly: JobFailure {
    let page = Page.capabilityContainer
    if let found = state.memory[page], let wanted = meaning.memory[page], found != wanted {
      return JobFailure(
        .type2(.noLongerHeld(page, found: found, wanted: wanted)), remedy: .useAnotherTag)
    }
    guard let container = state.memory.capabilityContainer else {
      return JobFailure(.type2(.notRead(.capabilityContainer)))
    }
    return JobFailure(.type2(.readOnly(container)), remedy: .useAnotherTag)
  }

  /// The capability container to write; nil when the tag has a usable one.
  func usableContainer() throws(JobFailure) -> CapabilityContainer? {
    guard let found = state.memory.capabilityContainer,
      let container = meaning.memory.capabilityContainer
    else { throw JobFailure(.type2(.notRead(.capabilityContainer))) }
    if container.isNDEF {
      guard container.readAccess == .free else {
        throw JobFailure(.type2(.closedToReading(container)), remedy: .useAnotherTag)
      }
      switch container.writeAccess {
      case .free, .proprietary:
        return larger(container) ?? (found == container ? nil : container)
      case .never: return nil
      case .reserved:
        throw JobFailure(.type2(.reservedAccess(container)), remedy: .useAnotherTag)
      }
    }
    let wanted = state.map.capabilityContainer
    guard container.canBecome(wanted) else {
      throw JobFailure(
        .type2(.containerUnfit(found: container, wanted: wanted, isOfDump: false)),
        remedy: .useAnotherTag)
    }
    guard !state.product.sizeIsGuess || force else {
      throw JobFailure(
        .type2(.sizeIsGuess(state.product, byteCount: wanted.areaByteCount)),
        remedy: .permitGuessedSize(byteCount: wanted.areaByteCount))
    }
    return wanted
  }

  /// The right container where this very job was cut short while it wrote that one, its last write:
  /// the message stands whole behind what the chip is delivered with, and goes beyond the area that
  /// the missing bits leave. Any other container bounds the area (Type 2 Tag 1.1, 6.1).
  func larger(_ container: CapabilityContainer) -> CapabilityContainer? {
    let isTooSmall =
      container.areaByteCount == 0 || (meaning.ndef?.capacity ?? 0) < stored.count
    guard isTooSmall, let right = meaning.containerToComplete,
      let layout = try? TLVLayout(
        message: stored, in: area(with: right), leading: state.map.deliveredLockControl)
    else { return nil }
    let held = Array(meaning.areaBytes.prefix(layout.endOffset))
    let isOurs =
      held.count == layout.endOffset && Array(layout.applied(to: held)) == held
      && held.starts(with: state.map.deliveredLockControl)
    // An area of no byte bounds nothing that anybody could have written by it.
    let isNobodys =
      container.areaByteCount == 0 && (overwrite || meaning.areaBytes.allSatisfy { $0 == 0 })
    return isOurs || isNobodys ? right : nil
  }

  /// What stands before the message, a wrong lock-control TLV put right. Refuses an NDEF tag whose
  /// area holds something that is neither a message nor blank, or TLVs of others that the message
  /// would go over.
  func leadingTLVs(in area: TLVArea, isFormatted: Bool) throws(JobFailure) -> [UInt8] {
    let scan = meaning.scan
    if isReadOnly, scan.message != nil {
      return Array(meaning.knownArea.prefix(scan.messageOffset))
    }
    let holdsTLVs = scan.message != nil || scan.terminator != nil || scan.damage != nil
    guard
      !isFormatted || overwrite || holdsTLVs && meaning.ndef?.lost == nil
        || meaning.knownArea.allSatisfy({ $0 == 0 })
    else {
      // The bytes that an empty message would replace belong to nobody.
      let shortest = Type2MessagePlanner(
        state: state, meaning: meaning, uid: uid, message: [], overwrite: overwrite, force: force)
      if let torn = shortest.tornPage(in: area) { _ = try layout(after: torn.leading, in: area) }
      throw JobFailure(
        .type2(.areaHoldsOther(scan.faults.first)), remedy: .permitOverwrite)
    }
    return meaning.ndef?.leading ?? []
  }

  /// The data area as it will be.
  func area(with container: CapabilityContainer?) -> TLVArea {
    guard let container else { return meaning.area }
    let user = state.map.user.count * Page.byteCount
    return .type2(byteCount: min(container.areaByteCount, user))
  }

  /// What stands behind the message, as the run has decided.
  var behind: BehindMessage { state.behind ?? meaning.behindNow }

  /// What the area is to hold: bytes that TLVs skip stay as they are, and so do TLVs of others
  /// behind the message, NULL TLVs before them. Throws where the message needs their room.
  func desired(_ layout: TLVLayout, leading: [UInt8]) throws(JobFailure) -> AreaUpdate.Desired {
    let known = meaning.knownArea
    let behind = behind
    let others = overwrite ? nil : behind.others
    var end = layout.endOffset
    if let others {
      end = layout.terminatorOffset ?? end
      guard end <= others else {
        throw JobFailure(
          .type2(.othersBehind(page(others / Page.byteCount))), remedy: .permitOverwrite)
      }
    }
    var bytes = Array(
      layout.applied(
        to: leading
          + known.dropFirst(leading.count).prefix(
            max(0, layout.endOffset - leading.count))
      ).prefix(end))
    // Behind both messages the last page stays as it is; what an unfinished write has left there is
    // nobody's, unless a TLV reserves it.
    bytes = behind.filling(bytes, known, size: Page.byteCount, overwrite: overwrite) { offset in
      meaning.scan.area.reserved.contains { $0.contains(offset) }
    }
    return AreaUpdate.Desired(
      bytes: bytes, messageStart: layout.tagOffset,
      lengthStart: layout.lengthOffsets.first,
      valueStart: (layout.lengthOffsets.last ?? layout.tagOffset) + 1, area: layout.area)
  }

  /// The last page of the message where it keeps bytes of somebody behind it: neither zeros nor
  /// reserved, nor a TLV.
  func keptBehind(_ layout: TLVLayout, in bytes: [UInt8]) -> Place? {
    guard overwrite || behind.others == nil else { return nil }
    let rest = bytes.indices.dropFirst(layout.endOffset).filter { offset in
      !meaning.scan.area.reserved.contains { $0.contains(offset) }
    }
    return rest.first { bytes[$0] != 0 }.map { .page(page($0 / Page.byteCount)) }
  }

  func layout(after leading: [UInt8], in area: TLVArea) throws(JobFailure)
    -> TLVLayout
  {
    do {
      return try TLVLayout(message: stored, in: area, leading: leading)
    } catch {
      let capacity = TLVLayout.capacity(of: area, leading: leading) ?? 0
      throw JobFailure(
        .messageTooLong(byteCount: message.count, capacity: capacity, tag: "\(state.product)"),
        remedy: .shortenMessage)
    }
  }

  /// Refuses a tag without capability container whose memory is neither blank nor the beginning of
  /// this job.
  func requireBlank(_ desired: [UInt8]) throws(JobFailure) {
    guard !overwrite else { return }
    let wanted = AreaUpdate.units(of: desired, size: Page.byteCount)
    let known = AreaUpdate.units(of: meaning.knownArea, size: Page.byteCount)
    let shown = MirrorOverlay(of: state, uid: uid)
    let odd = known.indices.filter { unit in
      !(unit < wanted.count && shown.matches(known[unit], stored: wanted[unit], page: page(unit)))
        && !Tolerance.isBlank(known[unit], orPartOf: unit < wanted.count ? wanted[unit] : nil)
    }
    guard let first = odd.first, !meaning.isAsDelivered(odd.map { known[$0] }) else { return }
    // Where other pages stand whole as this job writes them, one of its pages may hold anything:
    // power failed while it was written.
    let hasBegun = zip(known, wanted).contains { $0 == $1 && $0 != [0, 0, 0, 0] }
    guard odd.count == 1, first < wanted.count, hasBegun else {
      throw JobFailure(.type2(.notBlank(page(first))), remedy: .permitOverwrite)
    }
  }

  /// Refuses a program that would write a locked or password-protected page.
  func requireOpen(_ program: TagProgram) throws(JobFailure) {
    let locked = Set(program.writtenPages).filter { state.memory.isLocked($0) == true }
    guard locked.isEmpty else {
      throw JobFailure(.type2(.locked(locked.sorted())), remedy: .useAnotherTag)
    }
  }
}
