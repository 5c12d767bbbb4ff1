extension NTAGI2CSilicon {
  /// Where `page` lies in the EEPROM, in pages; nil where the chip has none.
  func row(of page: Int) -> Int? {
    var (low, high) = (0, pages.count)
    while low < high {
      let middle = (low + high) / 2
      if pages[middle] < page { low = middle + 1 } else { high = middle }
    }
    return low < pages.count && pages[low] == page ? low : nil
  }
}

extension VirtualNTAGI2C {
  /// READ (10.4): four pages; zeros stand for what does not exist or is closed.
  func read(from first: Int) -> TagAnswer {
    guard isReadable(first) else { return refuse() }
    return .data((first..<first + 4).flatMap(shown))
  }

  /// FAST_READ (10.5).
  func fastRead(_ first: Int, through last: Int) -> TagAnswer {
    guard first <= last, isReadable(first), isReadable(last) else { return refuse() }
    return .data((first...last).flatMap(shown))
  }

  /// A page of the sector that is selected, as reading shows it.
  private func shown(_ page: Int) -> [UInt8] {
    guard page < 256, isReadable(page) else { return [0, 0, 0, 0] }
    if let register = sessionRegister(page) { return register }
    let number = sector * 256 + page
    if number == silicon.lockPage { return Array(stored(number)[..<3]) + [0] }
    return isSecret(number) ? [0, 0, 0, 0] : stored(number)
  }

  private func isReadable(_ page: Int) -> Bool {
    if sessionRegister(page) != nil { return true }
    guard sector < 2, silicon.row(of: sector * 256 + page) != nil else { return false }
    return !(protection.coversReading && isProtected(sector * 256 + page))
  }

  private func isSecret(_ page: Int) -> Bool { silicon.isPlus && (page == 229 || page == 230) }

  /// The session registers (8.3.12): sector 3, and on a plus at the end of sector 0; nil for other
  /// pages. NS_REG shows the field and nothing else.
  private func sessionRegister(_ page: Int) -> [UInt8]? {
    guard let session else { return nil }
    let first = sector == 3 ? 248 : sector == 0 && silicon.isPlus ? 236 : nil
    switch page {
    case first: return Array(session[..<4])
    case first.map({ $0 + 1 }): return Array(session[4...]) + [0x01, 0x00]
    default: return nil
    }
  }

  /// WRITE (10.7): locks, capability container and REG_LOCK can only gain bits.
  func write(_ data: [UInt8], page: Int) -> TagAnswer {
    let number = sector * 256 + page
    guard sector < 2, let row = silicon.row(of: number), mayWrite(number) else { return refuse() }
    let old = stored(number)
    let new: [UInt8]
    switch number {
    case 2:
      let locks = old[2...]
      new = old[..<2] + Type2LockMap.fixed.merge(data[2...], into: locks, holding: locks)
    case 3: new = zip(old, data).map { $0 | $1 }
    case silicon.lockPage:
      new = silicon.locks.merge(data[...], into: old[...], holding: old[...]) + old[3...]
    case silicon.configuration + 1: new = data[..<2] + [old[2] | data[2] & 0x03, old[3]]
    default: new = data
    }
    let isSafe = number == 2 || number == 3 || number == silicon.lockPage
    switch eeprom.program(new, at: row * 4, tearingSafe: isSafe) {
    case .programmed: return .nibble(Nibble.ack)
    case .failed: return refuse(0x7)
    case .powerLost:
      powerOff()
      return .silence
    }
  }

  private func mayWrite(_ page: Int) -> Bool {
    // TRANSFER_DIR 0 without pass-through (8.3.12): the memory is I2C's.
    guard page >= 2, session.map({ $0[0] & 0x41 }) != 0, !isProtected(page) else { return false }
    let isConfiguration = page == silicon.configuration || page == silicon.configuration + 1
    if isConfiguration, stored(silicon.configuration + 1)[2] & 0x01 != 0 { return false }
    return !Type2LockMap.fixed.locks(page, in: stored(2)[2...])
      && !silicon.locks.locks(page, in: stored(silicon.lockPage)[...])
  }
}

/// The password of a plus (8.7).
extension VirtualNTAGI2C {
  /// AUTH0, NFC_PROT and 2K_PROT.
  struct Protection {
    let firstPage: Int
    let coversReading: Bool
    let coversSectorOne: Bool
  }

  var storedAccess: UInt8 { silicon.isPlus ? stored(228)[0] : 0 }

  var storedProtection: Protection {
    guard silicon.isPlus else {
      return Protection(firstPage: .max, coversReading: false, coversSectorOne: false)
    }
    return Protection(
      firstPage: Int(stored(227)[3]), coversReading: storedAccess & 0x80 != 0,
      coversSectorOne: stored(231)[0] & 0x08 != 0)
  }

  var protection: Protection {
    guard protectionHolds != .now, let heldProtection else { return storedProtection }
    return heldProtection
  }

  /// Returns whether the password guards `page`: from AUTH0 to EBh but for the dynamic lock bytes;
  /// all of sector 1.
  func isProtected(_ page: Int) -> Bool {
    guard silicon.isPlus, !isAuthenticated else { return false }
    if page > 255 { return protection.coversSectorOne }
    return page >= protection.firstPage && page <= 0xEB && page != silicon.lockPage
  }

  /// PWD_AUTH (10.12): PACK, or NAK; after 2 to the power of AUTHLIM wrong ones in a row for ever.
  func verify(password: [UInt8]) -> TagAnswer {
    let exponent = Int(storedAccess & 0x07)
    let limit = exponent == 0 ? Int.max : 1 << exponent
    guard failedAuthentications < limit else { return refuse() }
    guard password == stored(229) else {
      if exponent > 0 { failedAuthentications += 1 }
      return refuse()
    }
    failedAuthentications = 0
    isAuthenticated = true
    return .data(Array(stored(230)[..<2]))
  }
}
