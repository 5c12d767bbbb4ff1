import CardCrypto

/// What each native command does (10.4 to 10.9).
extension VirtualNTAG424 {
  static let known: Set<UInt8> = [
    0x60, 0x64, 0xF5, 0xAD, 0x8D, 0x3C, 0x51, 0xF6, 0x5C, 0xC4, 0x5F, 0x71, 0x77,
  ]

  func perform(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    switch (code, data.count) {
    case (0x60, 0):
      versionParts = version
      return versionParts.removeFirst()
    case (0x64, 1):
      guard applicationIsSelected, data[0] < 5 else { throw .noSuchKey }
      return [eeprom.bytes[NTAG424File.keysStart + Int(data[0]) * NTAG424File.keyRoom + 16]]
    case (0xF5, 1): return try fileSettings(file(data[0]))
    case (0xAD, 7): return try read(data)
    case (0x8D, 8...): return try write(data)
    case (0x3C, 1):
      guard data[0] == 0 else { throw .parameter }
      guard session != nil || !configuration.hasRandomUID else { throw .authentication }
      return signature
    case (0xF7, 0) where silicon.hasTamperLoop: return try tamperStatus()
    case (0x51, 0):
      guard session != nil else { throw .authentication }
      return storedUID
    case (0xF6, 1): return try fileCounters(data[0])
    case (0x5C, 1...):
      try requireMasterKey()
      var new = configuration
      try new.set(data[0], Array(data[1...]), hasTamperLoop: silicon.hasTamperLoop)
      let turnsLRP = new.isLRP && !configuration.isLRP
      try store(new.bytes, at: NTAG424Configuration.start)
      if turnsLRP { try endMirrors() }
      return []
    case (0xC4, 1...): return try changeKey(data)
    case (0x5F, 1...): return try changeFileSettings(data)
    default: throw .length
    }
  }

  func requireMasterKey() throws(DESFireStatus) {
    guard session?.keyNumber == 0 else { throw .authentication }
  }

  /// 10.6.1. The key and its version change in one piece.
  func changeKey(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard data[0] < 5 else { throw .noSuchKey }
    try requireMasterKey()
    let number = Int(data[0])
    var key = Array(data.dropFirst().prefix(16))
    guard data.count == (number == 0 ? 18 : 22) else { throw .length }
    if number != 0 {
      key = zip(key, self.key(data[0])).map { $0 ^ $1 }
      guard CRC32.bytes(of: key) == Array(data[18...]) else { throw .integrity }
    }
    try store(
      key + [data[17]], at: NTAG424File.keysStart + number * NTAG424File.keyRoom)
    (registers.failures[number], registers.failuresInARow[number]) = (0, 0)
    return []
  }

  /// 10.7.1. The counter of readings starts again.
  func changeFileSettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let file = try file(data[0])
    let right = changeRight(file)
    guard right != 0xF else { throw .permission }
    guard right == 0xE || right == session?.keyNumber else { throw .authentication }
    let settings = Array(data[1...])
    guard settings.count >= 3 else { throw .length }
    guard settings[0] & ~0x43 == 0, settings[0] & 0x03 != 2 else { throw .parameter }
    let nibbles = settings[1...2].flatMap { [$0 >> 4, $0 & 0xF] }
    guard nibbles.allSatisfy({ $0 < 5 || $0 > 0xD }) else { throw .parameter }
    if settings[0] & 0x40 != 0 {
      guard file.number == 2,
        NTAG424Mirror(
          Array(settings[3...]), size: file.size, isLRP: configuration.isLRP,
          hasTamperLoop: silicon.hasTamperLoop) != nil
      else { throw .parameter }
    } else if settings.count != 3 {
      throw .length
    }
    let room = NTAG424File.settingsRoom
    guard settings.count < room else { throw .length }
    let start = NTAG424File.settingsStart + (Int(file.number) - 1) * room
    let row = [UInt8(settings.count)] + settings
    try store(row + [UInt8](repeating: 0, count: room - row.count), at: start)
    if file.number == 2, settings[0] & 0x40 != 0 { registers.readings = 0 }
    return []
  }

  /// Who turns to LRP finds the mirrors off: encrypted UID and counter take more room there
  /// (NT4H2421Tx, 9.3.4.2).
  func endMirrors() throws(DESFireStatus) {
    let file = NTAG424File.all[1]
    let settings = settings(file)
    guard let option = settings.first, option & 0x40 != 0 else { return }
    let start = NTAG424File.settingsStart + NTAG424File.settingsRoom
    let row = [3, option & ~0x40] + settings[1..<3]
    try store(row + [UInt8](repeating: 0, count: NTAG424File.settingsRoom - row.count), at: start)
  }

  /// One cycle that is done or not (8.6).
  func store(_ bytes: [UInt8], at offset: Int) throws(DESFireStatus) {
    switch eeprom.program(bytes, at: offset, tearingSafe: true) {
    case .programmed: return
    case .failed: throw .memoryError
    case .powerLost:
      powerOff()
      throw .aborted
    }
  }

  func fileCounters(_ number: UInt8) throws(DESFireStatus) -> [UInt8] {
    let file = try file(number)
    guard let mirror = mirror(of: file) else { throw .permission }
    let right = mirror.counterRight
    guard right != 0xF else { throw .permission }
    guard right == 0xE || right == session?.keyNumber else { throw .authentication }
    return [0, 8, 16].map { UInt8(registers.readings >> $0 & 0xFF) } + [0, 0]
  }

  /// Stored and present state: C closed, O open, I as long as nobody asked it to look (NT4H2421Tx,
  /// 10.2 and 11.9.1). At card level it is not told.
  func tamperStatus() throws(DESFireStatus) -> [UInt8] {
    guard applicationIsSelected else { throw .permission }
    guard let right = configuration.tamperKey else { return tamperLetters }
    guard right != 0xF else { throw .permission }
    guard right == 0xE || right == session?.keyNumber else { throw .authentication }
    return tamperLetters
  }

  /// What a look at the loop finds, and keeps.
  var tamperLetters: [UInt8] {
    guard configuration.tamperKey != nil else { return [0x49, 0x49] }
    if behaviour.loopIsOpen { registers.wasOpened = true }
    return [registers.wasOpened ? 0x4F : 0x43, behaviour.loopIsOpen ? 0x4F : 0x43]
  }

  /// Hardware, software, then UID, batch, week and year (10.5.2). With a random UID the true one is
  /// told in a session only.
  var version: [[UInt8]] {
    let isHidden = configuration.hasRandomUID && session == nil
    return [
      [0x04, 0x04, silicon.subtype, 0x30, 0x00, 0x11, 0x05],
      [0x04, 0x04, 0x02, 0x01, 0x02, 0x11, 0x05],
      (isHidden ? [UInt8](repeating: 0, count: 7) : storedUID)
        + [0xCF, 0x39, 0xD4, 0x49, 0x80, 0x34, 0x20],
    ]
  }

  func file(_ number: UInt8) throws(DESFireStatus) -> NTAG424File {
    guard applicationIsSelected, let file = NTAG424File.all.first(where: { $0.number == number })
    else { throw .noFile }
    return file
  }

  /// Kind, option, rights, size, and what SDM adds (10.7.2).
  func fileSettings(_ file: NTAG424File) throws(DESFireStatus) -> [UInt8] {
    let stored = settings(file)
    guard stored.count >= 3 else { throw .memoryError }
    return [0x00] + stored[..<3] + [UInt8(file.size & 0xFF), UInt8(file.size >> 8), 0]
      + stored[3...]
  }

  func read(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let (file, offset, count) = try part(data)
    guard mayRead(file) else { throw .authentication }
    let wanted = count == 0 ? file.size - offset : count
    guard wanted > 0, offset + wanted <= file.size else { throw .boundary }
    guard let content = contentAsRead(file) else { throw .permission }
    return Array(content[offset..<offset + wanted])
  }

  func write(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let (file, offset, count) = try part(data)
    guard mayWrite(file) else { throw .authentication }
    guard offset + count <= file.size else { throw .boundary }
    guard count > 0, data.count == 7 + count else { throw .length }
    switch program(Array(data[7...]), in: file, at: offset, header: 12) {
    case .programmed: return []
    case .failed: throw .memoryError
    case .powerLost: throw .aborted
    }
  }

  func part(
    _ data: [UInt8]
  ) throws(DESFireStatus) -> (file: NTAG424File, offset: Int, count: Int) {
    let number = { (range: Range<Int>) in data[range].reversed().reduce(0) { $0 << 8 | Int($1) } }
    return (try file(data[0]), number(1..<4), number(4..<7))
  }
}
