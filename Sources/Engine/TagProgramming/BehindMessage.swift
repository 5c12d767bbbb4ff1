import TagMemory

/// What stands behind the message of a data area and stays: decided before the first write of a
/// run, since a message that is off tells nothing of it.
struct BehindMessage: Hashable {
  /// Where TLVs of others begin, in the data area; nil where there are none.
  var others: Int?
  /// From where on bytes are somebody's: behind a whole message and its Terminator. Nil where what
  /// stands there may be the rest of a write, or is what a mirror shows.
  var othersBytes: Int?
}

extension BehindMessage {
  /// By `scan` of the area as the run found it. `isInOrder`: a message stands where one belongs;
  /// `isMirrored`: the tag shows something else in a part of the area.
  init(_ scan: TLVScan, isInOrder: Bool, isMirrored: Bool = false) {
    others = scan.othersBehindMessage
    // A write that was cut short has left no Terminator where the message ends.
    guard isInOrder, !isMirrored, let message = scan.message, let value = message.value,
      let end = message.endOffset, scan.terminator == end,
      value.isEmpty || Type2NDEF.isMessage(value)
    else { return }
    othersBytes = end + 1
  }

  /// `bytes`, which a message ends in, filled up to whole units of `size` bytes and to the TLVs of
  /// others: with NULL TLVs before those, and with what is `known` where that is somebody's.
  /// `isReserved`: whether a TLV keeps a byte from being used.
  func filling(
    _ bytes: [UInt8], _ known: [UInt8], size: Int, overwrite: Bool,
    isReserved: (Int) -> Bool = { _ in false }
  ) -> [UInt8] {
    let others = overwrite ? nil : others
    let kept = others ?? othersBytes ?? .max
    let last = max(bytes.count, others ?? 0)
    let whole = (last + size - 1) / size * size
    return bytes
      + (bytes.count..<max(whole, bytes.count)).map { offset in
        let stays = isReserved(offset) || offset >= kept
        return stays && offset < known.count ? known[offset] : 0
      }
  }
}

extension TagDescription {
  /// Says that `program` has kept what stands behind the message.
  mutating func noteKept(_ program: TagProgram) {
    guard program.changesTag, let place = program.keepsBehind else { return }
    findings.append(
      Finding(
        "bytes-kept",
        "The end of \(place), behind the message, was not zero and stays as it was: another program's, or left by a write that was interrupted."
      ))
  }
}
