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
    guard message.length == 0 else {
      switch older(from: message, in: 0, isMeant: { $0 > message.length }) {
      case .ended: return .nothing
      case .needs(let count): return .needs(byteCount: count)
      case .none, .open: return others(in: self) { _ in false }
      }
    }
    var needed: Int?
    for way in 0..<4 {
      let found: Behind? =
        switch way {
        case 0: behindValue(of: message, isLong: true)
        case 1: others(in: self) { $0.tag.isRest }
        case 2: behindValue(of: message, isLong: false)
        default: behindFirstByte
        }
      switch found {
      case .others(let offset): return .others(at: offset)
      // A whole message with its Terminator: what looks like TLVs in it is its payload.
      case nil where needed == nil: return .nothing
      case nil: break
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
  /// where `isLong`; nil where the value stands whole, with its Terminator.
  private func behindValue(of message: Block, isLong: Bool) -> Behind? {
    let header = (message.lengthOffsets.last ?? message.offset) + 1
    let room = messageArea.usableCount(from: header)
    let field = (messageArea.runs(from: header, count: min(2, room)) ?? []).flatMap { Array($0) }
      .prefix { $0 < bytes.count }.map { bytes[$0] }
    // No length of three bytes begins with such a byte: it would be longer than the area.
    let isRest = field.first.map { TLV.Tag(rawValue: $0).isRest } ?? false
    if isLong, let first = field.first, !isRest, Int(first) << 8 > room { return .nothing }
    let found = older(from: message, in: isLong ? 2 : 0) { count in
      isLong
        ? count > TLV.longestShortValue
          && (isRest || Int(field[0]) << 8 | Int(field[1]) == count)
        : count <= TLV.longestShortValue
    }
    switch found {
    case .none: return .nothing
    case .needs(let count): return .needs(byteCount: count)
    case .ended: return isRest ? .nothing : nil
    case .open(let end):
      return others(in: TLVScan(bytes, of: messageArea, from: end)) { _ in false }
    }
  }

  /// An NDEF message whose records stand where the value of a message belongs, which has another
  /// length.
  private enum Older {
    case none
    /// The first `byteCount` bytes of the area are needed to tell.
    case needs(byteCount: Int)
    /// Its Terminator is behind it.
    case ended
    /// Something else begins at this offset behind it.
    case open(end: Int)
  }

  /// Looks for records `skipped` bytes behind the length of `message`; `isMeant`: whether they are
  /// what is looked for, by how many bytes they are.
  private func older(from message: Block, in skipped: Int, isMeant: (Int) -> Bool) -> Older {
    let header = (message.lengthOffsets.last ?? message.offset) + 1
    let room = messageArea.usableCount(from: header)
    let places = (messageArea.runs(from: header, count: room) ?? []).flatMap { Array($0) }
    guard places.count > skipped else { return .none }
    let known = places.prefix { $0 < bytes.count }.map { bytes[$0] }
    guard known.count > skipped else { return .needs(byteCount: places[skipped] + 1) }
    switch BareMessage.extent(of: Array(known.dropFirst(skipped)), room: room - skipped) {
    case .none: return .none
    case .needs(let count): return .needs(byteCount: places[skipped + count - 1] + 1)
    case .whole(let count):
      guard isMeant(count) else { return .none }
      guard skipped + count < places.count else { return .open(end: messageArea.byteCount) }
      let end = places[skipped + count]
      guard end < bytes.count else { return .needs(byteCount: end + 1) }
      return bytes[end] == TLV.Tag.terminator.rawValue ? .ended : .open(end: end)
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
