extension VirtualType2 {
  /// WRITE (10.4): four bytes into one page, one cycle.
  func write(_ data: [UInt8], page: Int) -> TagAnswer {
    guard mayWrite(page) else { return refuse() }
    let old = stored(page)
    switch page {
    case 2:
      return program(
        Array(old[..<2])
          + Type2LockMap.fixed.merge(
            data[2...], into: old[2...], holding: locks.fixed[...]), page)
    case 3: return program(zip(old, data).map { $0 | $1 }, page)
    case silicon.dynamicLock?.page:
      guard let map = silicon.dynamicLock?.map else { return refuse() }
      return program(
        map.merge(data[...], into: old[...], holding: locks.dynamic[...]) + old[map.byteCount...],
        page)
    case silicon.counterPage: return count(data)
    case 42 where silicon.hasTripleDES, 43 where silicon.hasTripleDES:
      return program(Array(data[..<1] + old[1...]), page)
    case Self.keyLockPage where silicon.hasAES: return lockKeys(data[0])
    case cfg + 3 where !silicon.hasAES: return program(Array(data[..<2] + old[2...]), page)
    default: return program(data, page)
    }
  }

  /// COMPATIBILITY_WRITE (10.5), part 1: the page is checked now, sixteen bytes follow, four of
  /// them count.
  func beginWrite(page: Int) -> TagAnswer {
    guard mayWrite(page) else { return refuse() }
    pending = .write(page: page)
    return .nibble(Nibble.ack)
  }

  /// Returns whether any byte of `page` can be changed: UID pages never, locked and protected ones
  /// not, the first two configuration pages not after CFGLCK.
  private func mayWrite(_ page: Int) -> Bool {
    guard page >= 2, page < silicon.pageCount, !isWriteProtected(page) else { return false }
    if page == cfg || page == cfg + 1, configurationIsFrozen == true { return false }
    if silicon.hasAES, keyIsLocked(page) { return false }
    if silicon.closedPages.contains(page) || isTamperMessage(page) { return false }
    if Type2LockMap.fixed.locks(page, in: locks.fixed[...]) { return false }
    guard let map = silicon.dynamicLock?.map else { return true }
    return !map.locks(page, in: locks.dynamic[...])
  }

  /// The one-way counter of NTAG203 (8.6) and Ultralight C (7.5.11), low byte first: the first
  /// write sets it, later ones add up to 15. NTAG203 refuses more, Ultralight C takes the low four
  /// bits of the first byte.
  private func count(_ data: [UInt8]) -> TagAnswer {
    guard let page = silicon.counterPage else { return refuse() }
    let old = stored(page)
    let current = Int(old[0]) | Int(old[1]) << 8
    var sum = Int(data[0]) | Int(data[1]) << 8
    if current > 0 {
      if silicon.hasTripleDES { sum = Int(data[0] & 0xF) }
      guard sum < 16, current + sum <= 0xFFFF else { return refuse() }
      sum += current
    }
    return program([UInt8(sum & 0xFF), UInt8(sum >> 8)] + old[2...], page)
  }

  /// One programming cycle and its answer. Power lost within it ends everything.
  func program(_ bytes: [UInt8], _ page: Int) -> TagAnswer {
    let isLockOrOTP =
      page == 2 || page == 3 || page == silicon.dynamicLock?.page
      || (silicon.hasAES && page == Self.keyLockPage)
    let isSafe = isLockOrOTP && silicon.writesLocksSafely
    switch eeprom.program(bytes, at: page * 4, tearingSafe: isSafe) {
    case .programmed: return .nibble(Nibble.ack)
    case .failed: return refuse(silicon.writeErrorNAK)
    case .powerLost:
      powerOff()
      return .silence
    }
  }
}
