/// What stands behind the message of a data area.
///
/// While a job has a message switched off, the bytes behind its length tell where TLVs of others
/// begin: a TLV that nobody uses (`TLV.Tag.isRest`) reaches to them. Where its header lies in two
/// write units, there is a moment between the two writes: then the message that was there, or the
/// new one, stands whole behind the length, or its first byte is the tag of that TLV.
extension TLVScan {
  package enum Behind: Hashable, Sendable {
    /// No TLVs of others, as far as can be told.
    case nothing
    /// TLVs of others, to a Terminator or the end of the area; the first begins at this offset.
    case others(at: Int)
    /// The first `byteCount` bytes of the area are needed to tell.
    case needs(byteCount: Int)
  }

  /// Where TLVs of others begin behind the message: proprietary data and control TLVs. Nil where
  /// there are none, and where what stands there may as well be the rest of an older message.
  package var othersBehindMessage: Int? {
    if case .others(let offset) = behind { offset } else { nil }
  }

  package var behind: Behind {
    guard let message, message.valueRuns != nil else { return .nothing }
    guard message.length == 0 else { return others(in: self) { _ in false } }
    var needed: Int?
    for way in 0..<4 {
      let found =
        switch way {
        case 0: behindValue(of: message, isLong: true)
        case 1: others(in: self) { $0.tag.isRest }
        case 2: behindValue(of: message, isLong: false)
        default: behindFirstByte
        }
      switch found {
      case .others: return found
      case .needs(let count): needed = min(needed ?? count, count)
      case .nothing: break
      }
    }
    return needed.map { .needs(byteCount: $0) } ?? .nothing
  }

  /// TLVs of others behind the message in `scan`, behind those for which `isRest` holds.
  private func others(in scan: TLVScan, isRest: (Block) -> Bool) -> Behind {
    let start = scan.message?.offset ?? -1
    let others = scan.blocks.filter { $0.offset > start }.drop(while: isRest)
    let isTheirs = others.allSatisfy { block in
      switch block.tag {
      case .proprietary: true
      case .lockControl, .memoryControl: block.length == 3
      default: false
      }
    }
    guard isTheirs else { return .nothing }
    switch scan.progress {
    case .complete: return others.first.map { .others(at: $0.offset) } ?? .nothing
    case .needs(let count): return .needs(byteCount: count)
    case .broken: return .nothing
    }
  }

  /// TLVs of others behind the value of a message whose length was set to 0, one of three bytes
  /// where `isLong`.
  private func behindValue(of message: Block, isLong: Bool) -> Behind {
    let header = (message.lengthOffsets.last ?? message.offset) + 1
    let room = messageArea.usableCount(from: header)
    let places = (messageArea.runs(from: header, count: room) ?? []).flatMap { Array($0) }
    let start = isLong ? 2 : 0
    guard places.count > start else { return .nothing }
    let known = places.prefix { $0 < bytes.count }.map { bytes[$0] }
    // No length of three bytes begins with such a byte: it would be longer than the area.
    let isRest = known.first.map { TLV.Tag(rawValue: $0).isRest } ?? false
    if isLong, let first = known.first, !isRest, Int(first) << 8 > room {
      return .nothing
    }
    guard known.count > start else { return .needs(byteCount: places[start] + 1) }
    switch BareMessage.extent(of: Array(known.dropFirst(start)), room: room - start) {
    case .none: return .nothing
    case .needs(let count): return .needs(byteCount: places[start + count - 1] + 1)
    case .whole(let count):
      let isMeant =
        isLong
        ? count > TLV.longestShortValue
          && (isRest || Int(known[0]) << 8 | Int(known[1]) == count)
        : count <= TLV.longestShortValue
      guard isMeant else { return .nothing }
      let last = places[start + count - 1]
      return others(in: TLVScan(bytes, of: messageArea, from: last + 1)) { _ in false }
    }
  }

  /// TLVs of others behind one whose tag is the first byte of a message.
  private var behindFirstByte: Behind {
    var isFirst = true
    return others(in: self) { block in
      defer { isFirst = false }
      return isFirst && block.tag.rawValue & 0xA0 == 0x80
    }
  }
}
