import CardCrypto

/// The text that a chip lays over its user memory as it is read (8.7).
extension VirtualType2 {
  struct MirroredText {
    /// Offset into the memory.
    let offset: Int
    let text: [UInt8]
  }

  /// What is overlaid, and where; empty while switched off and where it would leave the user
  /// memory.
  var mirror: [MirroredText] {
    let configuration = stored(cfg)
    let (page, parts) = (Int(configuration[2]), mirroredParts(configuration[0]))
    guard page > 3, !parts.isEmpty else { return [] }
    let shift = silicon.mirror == .tamper || silicon.mirror == .code ? 3 : 4
    var offset = page * 4 + Int(configuration[0] >> UInt8(shift) & 3)
    let end = (silicon.lastUserPage + 1) * 4
    let whole = parts.map(\.count).reduce(parts.count - 1, +)
    guard judgesMirrorsApart || offset + whole <= end else { return [] }
    var texts: [MirroredText] = []
    for (index, part) in parts.enumerated() {
      let text = (index == 0 ? [] : Array("x".utf8)) + part
      guard offset + text.count <= end else { break }
      texts.append(MirroredText(offset: offset, text: text))
      offset += text.count
    }
    return texts
  }

  /// The texts that `mode`, byte 0 of CFG0, asks for, in their order.
  private func mirroredParts(_ mode: UInt8) -> [[UInt8]] {
    let uidText = Self.ascii(uid)
    let counter = showsCounter ? [Self.ascii(counterBytes(2).reversed())] : []
    switch silicon.mirror {
    case .none: return []
    case .uid: return [uidText]
    case .uidAndCounter:
      return (mode & 0x40 != 0 ? [uidText] : []) + (mode & 0x80 != 0 ? counter : [])
    case .tamper:
      return (mode & 0x20 != 0 ? [uidText] : []) + (mode & 0x40 != 0 ? counter : [])
        + (mode & 0x80 != 0 ? [tamperText] : [])
    case .code:
      guard mode & 0x80 != 0 else { return [] }
      return [uidText, Self.ascii(counterBytes(2).reversed()), Self.ascii(mirroredCode)]
    }
  }

  /// Is true if reads are counted: NFC_CNT_EN.
  var countsReads: Bool { access & (silicon.mirror == .code ? 0x03 : 0x10) != 0 }

  /// Is true if a mirror shows the counter: not where it is off or behind the password (8.6); the
  /// bytes that are stored there show instead.
  private var showsCounter: Bool { countsReads && (access & 0x08 == 0 || isAuthenticated) }

  /// Every other byte of a CMAC over UID and counter, with the key stored from its last byte to its
  /// first.
  private var mirroredCode: [UInt8] {
    guard let pages = silicon.codeKey else { return [] }
    let key = AES128(key: eeprom.bytes[pages.lowerBound * 4..<pages.upperBound * 4].reversed())
    let code = key.authenticationCode(of: uid + counterBytes(2))
    return code.indices.filter { !$0.isMultiple(of: 2) }.map { code[$0] }
  }

  /// Two upper-case hexadecimal digits a byte.
  static func ascii(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
  }
}

/// The tamper loop of an NTAG213 TagTamper, which is closed here, as Proxmark3 and a sample of
/// TapLinX have it: TT_EN is bit 1 of byte 1 of CFG0, TT_LOCK bit 2.
extension VirtualType2 {
  /// Page 45, which holds what an opened loop shows, can be read and written until the loop is
  /// watched or the message locked.
  func isTamperMessage(_ page: Int) -> Bool { page == cfg + 4 && hidesTamperMessage }

  var hidesTamperMessage: Bool { silicon.mirror == .tamper && stored(cfg)[1] & 0x06 != 0 }

  /// The answer to READ_TT_STATUS: nothing was ever opened; the loop is closed, or not measured.
  var tamperStatus: [UInt8] { [0, 0, 0, 0, stored(cfg)[1] & 0x02 != 0 ? 0x43 : 0x49] }

  /// Eight characters.
  private var tamperText: [UInt8] { Array("00000000".utf8) }
}
