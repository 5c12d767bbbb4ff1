import Bytes
import TagMemory

/// A message below an ASCII mirror that cannot be switched off (NTAG213/215/216, 8.7): readers find
/// the UID or the counter in place of a part of it.
extension Type2MessagePlanner {
  /// Throws where a part of the message, or what stands before it, would show as something else, as
  /// far as the configuration was read: readers find the very bytes of a message, or it is not
  /// written. `isStored`: the tag holds it already.
  func requireUnmirrored(_ layout: TLVLayout, in area: [UInt8], isStored: Bool) throws(JobFailure) {
    let shown = MirrorOverlay(of: state, uid: uid).shown(area, from: .firstOfArea)
    let isHidden = { (offset: Int) in shown[offset] != area[offset] }
    let header = layout.lengthOffsets.last.map { $0 + 1 } ?? layout.tagOffset
    let value = valueOffsets(layout)
    let hidden = value.indices.filter { isHidden(value[$0]) }.map { $0 - value.startIndex }
    if let first = hidden.first, let last = hidden.last {
      throw refusal(first..<last + 1, isStored: isStored)
    }
    if (0..<header).contains(where: isHidden) { throw refusal(nil, isStored: isStored) }
    if !overwrite, let page = state.firstOwnText(under: area) {
      throw JobFailure(.type2(.mayBeMirrored(page)), remedy: .permitOverwrite)
    }
  }

  private func refusal(_ bytes: Range<Int>?, isStored: Bool) -> JobFailure {
    let isFrozen = state.fixedMirror == nil
    return JobFailure(
      .type2(.mirrored(bytes: bytes, isFrozen: isFrozen)),
      holds: isStored && isFrozen ? .messageBelowMirror : nil, remedy: .useAnotherTag)
  }
}

extension Type2State {
  /// The page in which a chip shows its own UID as text, where `area`, bytes from the first page of
  /// the data area on, has something else there and nobody can read whether a mirror shows it. Nil
  /// where there is none.
  func firstOwnText(under area: [UInt8]) -> Page? {
    guard map.mayHidePassword, likelyConfiguration == nil, let uid, uid.bytes.count == 7 else {
      return nil
    }
    let (text, shown) = (Array(Hex.string(uid.bytes).uppercased().utf8), areaBytes)
    let start = shown.indices.first { start in
      shown[start...].starts(with: text)
        && zip(text, area.dropFirst(start)).contains { $0 != $1 }
    }
    return start.map { Page.firstOfArea.advanced(by: $0 / Page.byteCount) }
  }
}

extension TagDescription {
  /// Finds the mirror of `program` odd.
  mutating func noteMirror(_ program: TagProgram) {
    if program.switchesMirrorOff {
      findings.append(
        Finding(
          "mirror-off",
          "The tag showed its UID or counter in its message (ASCII mirror). The job switches the mirror off."
        ))
    }
  }
}
