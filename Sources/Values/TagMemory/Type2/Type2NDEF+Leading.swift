extension Type2NDEF {
  /// The bytes that stand before a new message: those that are there, so that it does not move, a
  /// wrong Lock Control TLV put right in its place. Where the chip is delivered with one it gets
  /// that value, elsewhere NULL TLVs take its five bytes, and likewise those of a control TLV that
  /// is damaged. Where no message stands behind a damaged one, it was of five bytes, if there is
  /// one behind those; else the message takes its place. Where the others can then no longer be
  /// walked, as what the wrong one kept out of the walk is no TLV, NULL TLVs take their place, too.
  static func leading(of scan: TLVScan, known: [UInt8], product: Product, map: Type2Map) -> [UInt8]
  {
    let delivered = map.deliveredLockControl
    var before = scan.blocks.prefix { $0.tag != .ndefMessage }
    var leading: [UInt8]
    var isRepaired = false
    if let damage = scan.damage {
      leading = Array(known[..<damage.message.offset])
      for range in damage.ranges {
        let isLock = range.count == delivered.count && known[range.lowerBound] == delivered[0]
        leading.replaceSubrange(
          range, with: isLock ? delivered : Array(repeating: 0, count: range.count))
      }
      before = before.prefix { $0.offset < leading.count && !$0.isDamaged }
      isRepaired = true
    } else {
      if scan.message == nil, scan.terminator == nil { return delivered }
      guard scan.messageOffset <= known.count else { return [] }
      leading = Array(known[..<scan.messageOffset])
      if !scan.isMessageWhole, let damaged = before.first(where: \.isDamaged) {
        before = before.prefix { !$0.isDamaged }
        leading = known[..<damaged.offset] + (damaged.tag == .lockControl ? delivered : [])
        isRepaired = true
      }
    }
    for block in before where isWrong(block, product: product, map: map) {
      guard let end = block.endOffset, end <= leading.count, block.valueRuns?.count == 1 else {
        continue
      }
      let isReplaced = delivered.count == end - block.offset
      leading.replaceSubrange(
        block.offset..<end,
        with: isReplaced ? delivered : Array(repeating: 0, count: end - block.offset))
      isRepaired = true
    }
    let area = TLVArea.type2(byteCount: scan.area.byteCount)
    let walk = TLVScan(leading + [TLV.Tag.ndefMessage.rawValue, 0], of: area)
    if isRepaired, walk.message?.offset != leading.count {
      let start = delivered.prefix(leading.count < delivered.count ? 0 : delivered.count)
      leading = start + Array(repeating: 0, count: leading.count - start.count)
    }
    return leading
  }

  static func faults(of scan: TLVScan, product: Product, map: Type2Map) -> [Type2Fault] {
    var faults: [Type2Fault] = []
    for block in scan.blocks where isWrong(block, product: product, map: map) {
      if let found = lockControl(in: block) {
        let right = map.dynamicLocks?.control
        faults.append(.lockControlWrong(offset: block.offset, found: found, right: right))
      }
    }
    faults += scan.faults.map(Type2Fault.tlv)
    if scan.message == nil, scan.progress == .complete { faults.append(.messageMissing) }
    if let message = scan.message?.value, !message.isEmpty, !isMessage(message) {
      faults.append(.messageGarbled)
    }
    return faults
  }

  /// Returns whether a block is a Lock Control TLV that does not describe the chip. Where the
  /// right one is not known, none is.
  private static func isWrong(_ block: TLVScan.Block, product: Product, map: Type2Map) -> Bool {
    let right = map.dynamicLocks?.control
    guard block.tag == .lockControl, !block.isDamaged, right != nil || product.support == .full
    else { return false }
    guard let found = lockControl(in: block) else { return block.value != nil }
    guard let right else { return true }
    // The same place can be written with several page sizes.
    return found.byteRange != right.byteRange || found.bitCount != right.bitCount
      || found.bytesPerBit != right.bytesPerBit
  }

  private static func lockControl(in block: TLVScan.Block) -> LockControl? {
    guard block.tag == .lockControl, let value = block.value else { return nil }
    return try? LockControl(parsing: value)
  }

  /// Returns whether `bytes` are records from the first (MB) to the last (ME), by their headers and
  /// lengths alone (NDEF 1.0, 3.2): enough to tell a message from what an older one left behind.
  package static func isMessage(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let header = bytes[offset]
      let (isShort, hasID) = (header & 0x10 != 0, header & 0x08 != 0)
      let lengthCount = isShort ? 1 : 4
      let payloadAt = offset + 2
      let idAt = payloadAt + lengthCount
      let contentAt = idAt + (hasID ? 1 : 0)
      guard (header & 0x80 != 0) == (offset == 0), header & 0x07 != 0x07,
        contentAt <= bytes.count
      else { return false }
      let payload = bytes[payloadAt..<idAt].reduce(0) { $0 << 8 | Int($1) }
      offset = contentAt + Int(bytes[offset + 1]) + (hasID ? Int(bytes[idAt]) : 0) + payload
      if header & 0x40 != 0 { return offset == bytes.count }
    }
    return false
  }
}
