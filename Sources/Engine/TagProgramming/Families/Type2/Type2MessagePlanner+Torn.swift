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
    guard !meaning.holdsMessageInOrder else { return nil }
    for leading in likelyLeading {
      guard let layout = try? TLVLayout(message: stored, in: area, leading: leading),
        let desired = try? desired(layout, leading: leading)
      else { continue }
      for unit in 0...(desired.valueStart - 1) / Page.byteCount
      where isWritten(desired, but: unit) || isOther(leading, but: unit) {
        return TornPage(unit: unit, leading: leading)
      }
    }
    return nil
  }

  /// What may have stood before the message: what the chip is delivered with, nothing, NULL TLVs,
  /// or the TLVs of whole pages.
  private var likelyLeading: [[UInt8]] {
    let known = meaning.knownArea
    let delivered = meaning.map.deliveredLockControl
    let pages = stride(from: Page.byteCount, through: min(known.count, 64), by: Page.byteCount)
      .map { Array(known.prefix($0)) }
      .filter { bytes in
        // Readers take the first message that they meet.
        let scan = TLVScan(bytes, of: meaning.area)
        return scan.message == nil && scan.progress == .needs(byteCount: bytes.count + 1)
      }
    return [delivered] + (0...3).map { [UInt8](repeating: 0, count: $0) } + pages
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

  /// Returns whether everything around `unit` is a message behind `leading`.
  private func isOther(_ leading: [UInt8], but unit: Int) -> Bool {
    var bytes: [UInt8?] = meaning.knownArea.map { $0 }
    let hole = unit * Page.byteCount..<(unit + 1) * Page.byteCount
    guard hole.upperBound <= bytes.count,
      leading.prefix(hole.lowerBound).elementsEqual(
        meaning.knownArea.prefix(min(leading.count, hole.lowerBound)))
    else { return false }
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
  /// Returns whether whole TLVs of others stand before an empty message with its Terminator: a page
  /// that lost power hardly leaves those.
  private func isBehindOthers(_ message: TLVScan.Block) -> Bool {
    let others = scan.blocks.prefix { $0.tag != .ndefMessage }
    guard !others.isEmpty, let end = message.endOffset, knownArea.count > end else { return false }
    return knownArea[end] == TLV.Tag.terminator.rawValue
      && others.allSatisfy { other in
        let isControl = other.tag == .lockControl || other.tag == .memoryControl
        return other.value != nil && (!isControl || other.length == 3)
      }
  }

  /// Says whether a message stands where one belongs, or a whole one elsewhere.
  var holdsMessageInOrder: Bool {
    let scan = scan
    guard let message = scan.message else { return false }
    let leading = Array(knownArea.prefix(scan.messageOffset))
    if leading.isEmpty || leading == map.deliveredLockControl { return true }
    guard let value = message.value, !value.isEmpty else {
      return message.length == 0
        && (isBehindOthers(message) || scan.othersBehindMessage != nil)
    }
    return Type2NDEF.isMessage(value)
  }
}
