/// What stands beside the data area and no chip is delivered with, as far as the pages were read.
extension Type2Memory {
  /// All that is odd on a `product` of this `uid`. Nothing where the product is no Type 2 chip.
  package func oddities(of product: Product, uid: UID?) -> [Type2Oddity] {
    guard product.type2 == map else { return [] }
    // NTAG I2C has its UID without check bytes (NT3H2111/NT3H2211, 8.3).
    var found = product.features.contains(.sectorSelect) ? [] : checkByte(uid)
    found += container(product)
    if let staticLocks { found += odd(staticLocks) }
    // What the bits of these pages mean is known of chips alone that are known whole.
    guard product.canLockAndProtect else { return found }
    if let dynamicLocks { found += odd(dynamicLocks) }
    if let protection, !protection.coversArea, protection.firstPage <= map.user.upperBound {
      found.append(.openBelow(protection.firstPage))
    }
    if let configuration, let place = map.configuration {
      found += configuration.oddities(at: place)
    }
    return found
  }

  private func checkByte(_ uid: UID?) -> [Type2Oddity] {
    guard let right = uid?.type2Bytes?.last, let found = self[.staticLocks]?.first, found != right
    else { return [] }
    return [.checkByte(found: found, right: right)]
  }

  private func container(_ product: Product) -> [Type2Oddity] {
    guard let container = capabilityContainer, container.isNDEF else { return [] }
    var odd: [Type2Oddity] = []
    if container.minorVersion != 0 { odd.append(.containerVersion(container)) }
    let (claimed, delivered) = (container.areaByteCount, map.areaByteCount)
    let available =
      (Int(map.user.upperBound.number) + 1) * Page.byteCount - Page.firstOfArea.byteOffset
    // More than there is, and nothing at all, are faults.
    if claimed != delivered, map.further == nil, 1...available ~= claimed {
      odd.append(.areaSize(claimed: claimed, delivered: delivered))
    }
    return odd
  }

  private func odd(_ locks: LockBytes) -> [Type2Oddity] {
    let place = locks.map.page
    var odd: [Type2Oddity] = []
    for (index, bits) in strangeBits(in: locks).enumerated() where bits != 0 {
      odd.append(.unknownLockBits(place, byte: locks.map.offset + index, bits: bits))
    }
    for pages in runs(of: locks.frozenOpenPages) {
      odd.append(.neverLockable(pages, by: place))
    }
    let beside = locks.lockedPages.filter { $0 != .capabilityContainer && !map.user.contains($0) }
    for pages in runs(of: beside) { odd.append(.lockedBeside(pages, by: place)) }
    return odd
  }

  /// Per lock byte the bits that are set and have no meaning. The bytes behind two dynamic lock
  /// bytes are reserved and zeros; the one behind three reads as it pleases (BD).
  private func strangeBits(in locks: LockBytes) -> [UInt8] {
    var bits = locks.strangeBits
    if locks.map.page != .staticLocks, bits.count == 2, let page = self[locks.map.page] {
      // MF0ICU2's sheet has BD in the last one; chips with 00 are there, too.
      bits += map.tripleDES != nil && page[3] == 0xBD ? [page[2]] : page[2...]
    }
    return bits
  }

  /// `pages`, in their order, cut where one is missing.
  private func runs(of pages: [Page]) -> [[Page]] {
    var runs: [[Page]] = []
    for page in pages {
      if let last = runs.last?.last, last.distance(to: page) == 1 {
        runs[runs.count - 1].append(page)
      } else {
        runs.append([page])
      }
    }
    return runs
  }
}

extension LockBytes {
  /// Per lock byte the bits that are set and that the chip does not have, or that are not known
  /// well enough to be set here.
  fileprivate var strangeBits: [UInt8] {
    bytes.indices.map { index in
      bytes[index]
        & ~map.bits.filter { $0.byte == index && (map.setsFreezes || $0.effect == .locks) }
        .reduce(0) { $0 | $1.mask }
    }
  }
}
