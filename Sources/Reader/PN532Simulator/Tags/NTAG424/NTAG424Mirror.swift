import CardCrypto

/// What the NDEF file's settings say of mirroring (10.7.1), and what is read then (9.3).
struct NTAG424Mirror {
  private var uidOffset: Int?
  private var counterOffset: Int?
  private var piccOffset: Int?
  private var macInput: Int?
  private var macOffset: Int?
  private var encOffset: Int?
  private var encLength = 0
  private var tamperOffset: Int?
  private let isLRP: Bool
  private(set) var limit: Int?
  private let mirrorsUID: Bool
  private let mirrorsCounter: Bool
  private let metaRead: UInt8
  private let fileRead: UInt8
  /// Who may ask for the counter: 0 to 4, E everybody, F nobody.
  let counterRight: UInt8

  /// Parses what stands behind the rights, from SDMOptions on, for a file of `size` bytes. Nil is
  /// what the tag answers with a parameter error. A chip with a tamper loop knows one bit more
  /// (NT4H2421Tx, 11.7.1).
  init?(_ bytes: [UInt8], size: Int, isLRP: Bool = false, hasTamperLoop: Bool = false) {
    guard bytes.count >= 3 else { return nil }
    self.isLRP = isLRP
    let options = bytes[0]
    guard options & 0x01 == 1, options & (hasTamperLoop ? 0x06 : 0x0E) == 0,
      bytes[1] & 0xF0 == 0xF0
    else { return nil }
    (counterRight, fileRead, metaRead) = (bytes[1] & 0x0F, bytes[2] & 0x0F, bytes[2] >> 4)
    (mirrorsUID, mirrorsCounter) = (options & 0x80 != 0, options & 0x40 != 0)
    for right in [counterRight, fileRead, metaRead] {
      guard right <= 4 || right >= 0xE else { return nil }
    }
    guard fileRead != 0xE, mirrorsCounter || counterRight == 0xF else { return nil }
    var index = 3
    func next() -> Int? {
      guard index + 3 <= bytes.count else { return nil }
      defer { index += 3 }
      return Int(bytes[index]) + 256 * Int(bytes[index + 1]) + 65_536 * Int(bytes[index + 2])
    }
    var taken: [Range<Int>] = []
    func take(_ offset: Int, _ count: Int) -> Bool {
      guard offset + count <= size, !taken.contains(where: { $0.overlaps(offset..<offset + count) })
      else { return false }
      taken.append(offset..<offset + count)
      return true
    }
    if metaRead == 0xE {
      if mirrorsUID {
        guard let offset = next(), take(offset, 14) else { return nil }
        uidOffset = offset
      }
      if mirrorsCounter {
        guard let offset = next() else { return nil }
        if offset != 0xFF_FFFF {
          guard take(offset, 6) else { return nil }
          counterOffset = offset
        }
      }
    } else if metaRead == 0xF {
      guard !mirrorsUID, !mirrorsCounter else { return nil }
    } else {
      guard mirrorsUID || mirrorsCounter, let offset = next(),
        take(offset, isLRP ? 48 : 32)
      else { return nil }
      piccOffset = offset
    }
    if options & 0x08 != 0 {
      guard let offset = next(), offset + 2 <= size,
        !taken.contains(where: { $0.overlaps(offset..<offset + 2) })
      else { return nil }
      tamperOffset = offset
    }
    if fileRead != 0xF {
      guard let offset = next() else { return nil }
      macInput = offset
    }
    if options & 0x10 != 0 {
      guard fileRead != 0xF, mirrorsUID, mirrorsCounter, let offset = next(), let length = next(),
        length > 0, length % 32 == 0, take(offset, length), let macInput, macInput <= offset
      else { return nil }
      (encOffset, encLength) = (offset, length)
      // The letters are encrypted with the first half, and never stand in the second.
      if let tamperOffset, tamperOffset + 1 >= offset + length / 2, tamperOffset < offset + length {
        return nil
      }
    }
    if fileRead != 0xF {
      guard let offset = next(), take(offset, 16), let macInput, macInput <= offset else {
        return nil
      }
      if let encOffset { guard encOffset + encLength <= offset else { return nil } }
      if let tamperOffset, (offset..<offset + 16).overlaps(tamperOffset..<tamperOffset + 2) {
        return nil
      }
      macOffset = offset
    }
    if options & 0x20 != 0 {
      guard mirrorsCounter, let number = next(), number > 0 else { return nil }
      limit = number
    }
    guard index == bytes.count else { return nil }
  }

  /// `file` as somebody reads it who has not authenticated, the `counter`th time since it mirrors.
  func applied(
    to file: [UInt8], uid: [UInt8], counter: Int, tamper: [UInt8], key: (UInt8) -> [UInt8],
    random: () -> UInt8
  ) -> [UInt8] {
    var file = file
    if let tamperOffset { file.replaceSubrange(tamperOffset..<tamperOffset + 2, with: tamper) }
    var view = file
    let low = [0, 8, 16].map { UInt8(counter >> $0 & 0xFF) }
    func put(_ bytes: [UInt8], _ offset: Int?) {
      guard let offset else { return }
      let text = bytes.flatMap { byte in [byte >> 4, byte & 0xF].map { Self.digits[Int($0)] } }
      view.replaceSubrange(offset..<offset + text.count, with: text)
    }
    put(uid, uidOffset)
    put(low.reversed(), counterOffset)
    if piccOffset != nil {
      var plain: [UInt8] = [(mirrorsUID ? 0x87 : 0x00) | (mirrorsCounter ? 0x40 : 0x00)]
      if mirrorsUID { plain += uid }
      if mirrorsCounter { plain += low }
      while plain.count < 16 { plain.append(random()) }
      if isLRP {
        let first = (0..<8).map { _ in random() }
        var count = first
        put(first + LRP(key: key(metaRead)).encrypt(plain, counter: &count), piccOffset)
      } else {
        put(AES128(key: key(metaRead)).encrypt(plain, iv: AES128.zero), piccOffset)
      }
    }
    guard fileRead != 0xF, let macInput, let macOffset else { return view }
    // 9.3.9: what is mirrored enters the session vectors.
    let named = (mirrorsUID ? uid : []) + (mirrorsCounter ? low : [])
    guard !isLRP else {
      // NT4H2421Tx, 9.3.10.2: the label ends the last block.
      var vector = [0x00, 0x01, 0x00, 0x80] + named
      while vector.count % 16 != 14 { vector.append(0) }
      let master = LRP(key: key(fileRead)).authenticationCode(of: vector + [0x1E, 0xE1])
      if let encOffset {
        var count = low + [0, 0, 0]
        let plain = Array(file[encOffset..<encOffset + encLength / 2])
        put(LRP(key: master, updatedKey: 1).encrypt(plain, counter: &count), encOffset)
      }
      let mac = LRP(key: master).authenticationCode(of: Array(view[macInput..<macOffset]))
      put(NTAG424Session.truncated(mac), macOffset)
      return view
    }
    func session(_ label: [UInt8]) -> AES128 {
      var vector = label + [0x00, 0x01, 0x00, 0x80] + named
      while vector.count % 16 != 0 { vector.append(0) }
      return AES128(key: AES128(key: key(fileRead)).authenticationCode(of: vector))
    }
    if let encOffset {
      let cipher = session([0xC3, 0x3C])
      let start = cipher.encryptBlock(low + [UInt8](repeating: 0, count: 13))
      let plain = Array(file[encOffset..<encOffset + encLength / 2])
      put(cipher.encrypt(plain, iv: start), encOffset)
    }
    let mac = session([0x3C, 0xC3]).authenticationCode(of: Array(view[macInput..<macOffset]))
    put(NTAG424Session.truncated(mac), macOffset)
    return view
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
