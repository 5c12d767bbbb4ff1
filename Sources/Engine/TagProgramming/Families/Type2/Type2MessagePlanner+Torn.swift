import TagMemory

/// A page of the area's head that lost power while it was written, and may hold anything.
struct TornPage {
  /// Its number within the area, from 0.
  let unit: Int
  /// The bytes that stood before the message.
  let leading: [UInt8]

  /// Returns what it holds with an empty message in place of the one of `desired`.
  func empty(_ desired: AreaUpdate.Desired) -> [UInt8] {
    let units = AreaUpdate.units(of: AreaUpdate.emptied(desired), size: Page.byteCount)
    return units.indices.contains(unit) ? units[unit] : [0, 0, 0, 0]
  }
}

/// What the same job left behind when it was cut short in the middle of a page. The page's own
/// bytes tell nothing; its place and the rest of the tag do.
extension Type2MessagePlanner {
  /// The page in which this job was cut short: where the length of a message belongs stands no
  /// message in order, and everything around one page is either what this job writes or the rest of
  /// another message. Nil where there is none.
  func tornPage(in area: TLVArea) -> TornPage? {
    let scan = meaning.scan
    guard !meaning.holdsMessageInOrder, scan.damage == nil, !scan.hidesOthers else { return nil }
    for leading in likelyLeading {
      guard let desired = likelyDesired(leading, in: area) else { continue }
      for unit in 0...(desired.valueStart - 1) / Page.byteCount
      where isWritten(desired, but: unit)
        || isKnown(leading, but: unit) && isOther(leading, but: unit)
      {
        return TornPage(unit: unit, leading: leading)
      }
    }
    guard !meaning.leadsToEmptyMessage else { return nil }
    for unit in 0..<Self.searchedUnits {
      for leading in leading(damagedIn: unit) {
        guard let desired = likelyDesired(leading, in: area),
          unit <= (desired.valueStart - 1) / Page.byteCount
        else { continue }
        if isWritten(desired, but: unit) || isOther(leading, but: unit) {
          return TornPage(unit: unit, leading: leading)
        }
      }
    }
    return nil
  }

  private func likelyDesired(_ leading: [UInt8], in area: TLVArea) -> AreaUpdate.Desired? {
    guard let layout = try? TLVLayout(message: stored, in: area, leading: leading) else {
      return nil
    }
    return try? desired(layout, leading: leading)
  }

  /// How far into the area a message is looked for.
  private static let searchedUnits = 16

  /// What may have stood before the message: what the chip is delivered with, nothing, NULL TLVs,
  /// or the TLVs of whole pages.
  private var likelyLeading: [[UInt8]] {
    let known = meaning.knownArea
    let delivered = meaning.map.deliveredLockControl
    let pages = (1...Self.searchedUnits).compactMap { unit -> [UInt8]? in
      let count = unit * Page.byteCount
      guard count <= known.count else { return nil }
      // Readers take the first message that they meet.
      let scan = TLVScan(
        known.prefix(count) + [TLV.Tag.ndefMessage.rawValue, 0], of: meaning.area)
      return scan.message?.offset == count ? clearing(scan, count) : nil
    }
    return [delivered] + (0...3).map { [UInt8](repeating: 0, count: $0) } + pages
  }

  /// The first `count` bytes of the area, NULL TLVs in the place of damaged control TLVs in `scan`.
  private func clearing(_ scan: TLVScan, _ count: Int) -> [UInt8] {
    var bytes = Array(meaning.knownArea.prefix(count))
    for range in scan.damagedControls { for offset in range.prefix(count) { bytes[offset] = 0 } }
    return bytes
  }

  /// What may have stood before the message where page `unit` of the area is damaged: the TLVs
  /// before it, then NULL TLVs, in the place of a control TLV that does not end before it, and as
  /// far as they reach behind it.
  private func leading(damagedIn unit: Int) -> [[UInt8]] {
    let known = meaning.knownArea
    let (start, end) = (unit * Page.byteCount, (unit + 1) * Page.byteCount)
    guard end <= known.count else { return [] }
    let scan = TLVScan(known.prefix(start), of: meaning.area)
    guard scan.message == nil, case .needs = scan.progress else { return [] }
    let whole = scan.blocks.last { $0.value != nil }?.endOffset ?? 0
    let rest = known[whole..<start].drop { $0 == TLV.Tag.null.rawValue }
    let tags = [TLV.Tag.lockControl, .memoryControl].map(\.rawValue)
    // One of the right length is somebody's.
    guard rest.first.map(tags.contains) ?? true, rest.dropFirst().first != 3 else { return [] }
    let head = clearing(scan, rest.startIndex)
    let last = end + known[end...].prefix { $0 == TLV.Tag.null.rawValue }.count
    let nulls = (start...min(last, Self.searchedUnits * Page.byteCount)).map { offset in
      head + [UInt8](repeating: 0, count: offset - head.count)
    }
    let damaged =
      rest.isEmpty ? scan.damagedControls.last?.lowerBound : rest.startIndex
    let delivered = damaged.flatMap { deliveredAgain(at: $0, before: start) }
    return [delivered].compactMap(\.self) + nulls
  }

  /// The TLVs before the Lock Control TLV at `offset`, and that one as the chip is delivered with
  /// it; nil where what is known of it before `end` says something else.
  private func deliveredAgain(at offset: Int, before end: Int) -> [UInt8]? {
    let (known, delivered) = (meaning.knownArea, meaning.map.deliveredLockControl)
    let value = known[..<end].dropFirst(offset + 2)
    guard !value.isEmpty, delivered.first == known[offset], offset + delivered.count >= end,
      delivered.dropFirst(2).starts(with: value)
    else { return nil }
    return known[..<offset] + delivered
  }

  /// Returns whether every page but `unit` holds what this job writes, and one of those that it
  /// writes before says so.
  private func isWritten(_ desired: AreaUpdate.Desired, but unit: Int) -> Bool {
    let wanted = AreaUpdate.units(of: desired.bytes, size: Page.byteCount)
    let known = AreaUpdate.units(of: meaning.knownArea, size: Page.byteCount)
    let shown = MirrorOverlay(of: state, uid: uid)
    guard wanted.count <= known.count, unit < wanted.count,
      wanted[(unit + 1)...].contains(where: { $0.contains { $0 != 0 } })
    else { return false }
    return wanted.indices.allSatisfy { other in
      let page = Page.firstOfArea.advanced(by: other)
      return other == unit || shown.matches(known[other], stored: wanted[other], page: page)
    }
  }

  /// Returns whether `leading` stands there, but for what is in `unit`.
  private func isKnown(_ leading: [UInt8], but unit: Int) -> Bool {
    let count = min(leading.count, unit * Page.byteCount)
    return meaning.knownArea.starts(with: leading.prefix(count))
  }

  /// Returns whether everything around `unit` is a message behind `leading`.
  private func isOther(_ leading: [UInt8], but unit: Int) -> Bool {
    var bytes: [UInt8?] = meaning.knownArea.map { $0 }
    let hole = unit * Page.byteCount..<(unit + 1) * Page.byteCount
    guard hole.upperBound <= bytes.count else { return false }
    for offset in hole { bytes[offset] = nil }
    return TornMessage(
      bytes: bytes, start: leading.count, areaByteCount: meaning.area.byteCount
    ).isPossible
  }
}

extension Type2MessagePlanner {
  /// The page that `failure` may have left damaged, where this very job, run again, would take what
  /// is in it for somebody's data: nothing else on the tag tells yet that it has begun.
  func blindSpot(of program: TagProgram, stoppedAt failure: Execution.Failure) -> Place? {
    guard failure.trouble != .stopped, let page = failure.step.written?.place.page,
      state.map.user.contains(page)
    else { return nil }
    var done = TagProgram()
    done.steps = Array(program.steps[..<failure.index])
    let isTaken = [[0xA5, 0x5A, 0xC3, 0x3C], [0x7A, 0x13, 0xB9, 0x4E]].contains {
      (rubbish: [UInt8]) in
      var later = state.applying(done)
      later.memory.store(rubbish, from: page)
      let again = Type2MessagePlanner(
        state: later, meaning: later, uid: uid, message: message, overwrite: overwrite,
        force: force, mirror: mirror)
      do throws(JobFailure) {
        _ = try again.plan()
        return false
      } catch {
        return error.remedy == .permitOverwrite
      }
    }
    return isTaken ? .page(page) : nil
  }
}

extension Type2State {
  /// Returns whether whole TLVs of others stand before an empty message, its Terminator or what was
  /// in it behind it: a page that lost power hardly leaves those.
  private var isBehindOthers: Bool {
    scan.isMessageWhole
      && scan.blocks.prefix { $0.tag != .ndefMessage }.allSatisfy { $0.value != nil }
  }

  /// Says whether whole TLVs, none of them damaged, stand before an empty message.
  var leadsToEmptyMessage: Bool {
    let scan = scan
    let controls = scan.damagedControls
    return scan.message?.length == 0 && controls.isEmpty
      && scan.blocks.contains { $0.tag != .ndefMessage }
      && scan.blocks.prefix { $0.tag != .ndefMessage }.allSatisfy { $0.value != nil }
  }

  /// Says whether a message stands where one belongs, or a whole one elsewhere.
  var holdsMessageInOrder: Bool {
    let scan = scan
    guard let message = scan.message else { return false }
    let leading = Array(knownArea.prefix(scan.messageOffset))
    if leading.isEmpty || leading == map.deliveredLockControl { return true }
    guard let value = message.value, !value.isEmpty else {
      return message.length == 0
        && (isBehindOthers || scan.othersBehindMessage != nil)
    }
    return Type2NDEF.isMessage(value)
  }
}
