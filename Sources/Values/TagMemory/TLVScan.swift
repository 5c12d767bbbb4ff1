/// What the TLVs in the first bytes of a data area say (NFC Forum Type 2 Tag 1.1, 2.3; AN1304, 3).
///
/// A reader hands over what it has read so far, and learns from `progress` how much more it needs;
/// it may stop as soon as `message` has its value. Control TLVs of a Type 2 area reserve bytes that
/// the walk skips from there on, so a value may lie on both sides of them.
package struct TLVScan: Hashable, Sendable {
  /// The area, with the bytes that control TLVs reserve.
  package private(set) var area: TLVArea
  /// The TLVs in their order; NULL and Terminator are not listed. One whose value is beyond the
  /// area is the last.
  package private(set) var blocks: [Block] = []
  /// Offset of the Terminator, at which the walk ends.
  package private(set) var terminator: Int?
  /// Everything wrong or odd, in the order of the walk.
  package private(set) var faults: [TLVFault] = []
  package private(set) var progress = Progress.complete
  /// The first bytes of the area.
  let bytes: [UInt8]
  /// The area with what is reserved by the TLVs before the message.
  private(set) var messageArea: TLVArea

  package enum Progress: Hashable, Sendable {
    /// The walk reached the Terminator or the end of the area.
    case complete
    /// The first `byteCount` bytes of the area are needed to go on.
    case needs(byteCount: Int)
    /// The walk cannot go on; the last of `faults` says why.
    case broken
  }

  /// A TLV and where it lies; offsets count from the start of the area.
  package struct Block: Hashable, Sendable {
    package let tag: TLV.Tag
    /// Of the tag byte.
    package let offset: Int
    /// Of the length field's bytes, 1 or 3.
    package let lengthOffsets: [Int]
    /// Announced length of the value, 0 to 65534.
    package let length: Int
    /// The offsets of the value, in runs around reserved bytes; nil when it is beyond the area.
    package let valueRuns: [Range<Int>]?
    /// Nil as long as not all of it is available.
    package let value: [UInt8]?

    /// One past the last byte; nil when the value is beyond the area.
    package var endOffset: Int? {
      valueRuns.map { $0.last?.upperBound ?? (lengthOffsets.last ?? offset) + 1 }
    }
  }

  /// Walks `available`, the first bytes of `area`; what they hold beyond the area is ignored.
  package init(_ available: some Collection<UInt8>, of area: TLVArea) {
    self.init(Array(available.prefix(area.byteCount)), of: area, from: 0)
  }

  /// Walks `bytes` from `start` on.
  init(_ bytes: [UInt8], of area: TLVArea, from start: Int) {
    (self.bytes, self.area, messageArea) = (bytes, area, area)
    walk(from: start)
  }

  /// Returns whether both say the same; how many bytes they were given does not count.
  package static func == (one: TLVScan, other: TLVScan) -> Bool {
    one.area == other.area && one.blocks == other.blocks && one.terminator == other.terminator
      && one.faults == other.faults && one.progress == other.progress
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(area)
    hasher.combine(blocks)
    hasher.combine(progress)
  }

  /// The NDEF message TLV: the first one of the area.
  package var message: Block? { blocks.first { $0.tag == .ndefMessage } }

  /// Where the message's TLV belongs: where it is now, else behind the other TLVs.
  package var messageOffset: Int {
    message?.offset ?? area.usable(from: blocks.last.map { $0.endOffset ?? $0.offset } ?? 0)
  }

  private mutating func walk(from start: Int = 0) {
    var offset = area.usable(from: start)
    while offset < area.byteCount {
      guard offset < bytes.count else {
        progress = .needs(byteCount: offset + 1)
        return
      }
      let tag = TLV.Tag(rawValue: bytes[offset])
      if tag == .terminator {
        terminator = offset
        return
      }
      if tag == .null {
        offset = area.usable(from: offset + 1)
        continue
      }
      guard let end = step(tag, at: offset) else { return }
      offset = area.usable(from: end)
    }
    let end = blocks.last?.endOffset ?? 0
    if area.usableCount(from: end) > 0 { note(.terminatorMissing, at: area.byteCount) }
  }

  /// Takes in the TLV at `offset`; nil when the walk ends with it, else one past its last byte.
  private mutating func step(_ tag: TLV.Tag, at offset: Int) -> Int? {
    guard let field = lengthField(of: tag, at: offset) else { return nil }
    let (lengthOffsets, length) = field
    let start = (lengthOffsets.last ?? offset) + 1
    let runs = area.runs(from: start, count: length)
    var value: [UInt8]?
    if let runs, runs.allSatisfy({ $0.upperBound <= bytes.count }) {
      value = runs.flatMap { bytes[$0] }
    }
    let block = Block(
      tag: tag, offset: offset, lengthOffsets: lengthOffsets, length: length, valueRuns: runs,
      value: value)
    comment(on: block)
    if tag == .ndefMessage, message == nil { messageArea = area }
    blocks.append(block)
    guard let end = block.endOffset else {
      fail(.beyondArea(tag, length: length, room: area.usableCount(from: start)), at: offset)
      return nil
    }
    guard let value else {
      progress = .needs(byteCount: end)
      return nil
    }
    reserve(by: block, value)
    return end
  }

  /// The offsets of the length field and the length; nil when it is not there or means nothing.
  private mutating func lengthField(of tag: TLV.Tag, at offset: Int)
    -> (offsets: [Int], length: Int)?
  {
    guard let first = area.runs(from: offset + 1, count: 1)?.first?.lowerBound else {
      fail(.lengthMissing(tag), at: offset)
      return nil
    }
    guard first < bytes.count else {
      progress = .needs(byteCount: first + 1)
      return nil
    }
    if bytes[first] != 0xFF { return ([first], Int(bytes[first])) }
    guard let offsets = area.runs(from: first, count: 3)?.flatMap({ Array($0) }) else {
      fail(.lengthMissing(tag), at: offset)
      return nil
    }
    guard offsets[2] < bytes.count else {
      progress = .needs(byteCount: offsets[2] + 1)
      return nil
    }
    let length = Int(bytes[offsets[1]]) << 8 | Int(bytes[offsets[2]])
    guard length <= TLV.longestValue else {
      fail(.lengthReserved(tag), at: offset)
      return nil
    }
    return (offsets, length)
  }

  /// Notes what is odd about a TLV that can be passed over all the same.
  private mutating func comment(on block: Block) {
    if block.lengthOffsets.count == 3, block.length <= TLV.longestShortValue {
      note(.longForm(block.tag, length: block.length), at: block.offset)
    }
    switch block.tag {
    case .ndefMessage:
      if message != nil { note(.secondMessage, at: block.offset) }
    case .lockControl where area.address != nil, .memoryControl where area.address != nil:
      if block.length != 3 {
        note(.controlLength(block.tag, length: block.length), at: block.offset)
      } else if message != nil {
        note(.controlAfterMessage(block.tag), at: block.offset)
      }
    case .proprietary: break
    default:
      if blocks.isEmpty,
        let length = BareRecord.length(
          of: bytes.dropFirst(block.offset), room: area.byteCount - block.offset)
      {
        note(.bareRecord(length: length), at: block.offset)
      } else {
        note(.unknownTag(block.tag), at: block.offset)
      }
    }
  }

  private mutating func reserve(by block: Block, _ value: [UInt8]) {
    switch block.tag {
    case .lockControl:
      if let lock = try? LockControl(parsing: value) { area.reserve(addresses: lock.byteRange) }
    case .memoryControl:
      if let memory = try? MemoryControl(parsing: value) {
        area.reserve(addresses: memory.byteRange)
      }
    default: break
    }
  }

  private mutating func note(_ kind: TLVFault.Kind, at offset: Int) {
    faults.append(TLVFault(offset: offset, kind: kind))
  }

  private mutating func fail(_ kind: TLVFault.Kind, at offset: Int) {
    note(kind, at: offset)
    progress = .broken
  }
}
