import CardCrypto

/// Commands of class 90h (10.3): what they ask for, and how they travel once a host has
/// authenticated (9.1.8 to 9.1.10).
extension VirtualNTAG424 {
  func receiveNative(_ apdu: CommandAPDU) -> TagAnswer {
    do throws(DESFireStatus) {
      guard apdu.p1 == 0, apdu.p2 == 0 else { throw .parameter }
      let (answer, status) = try obey(apdu.ins, apdu.data)
      return .data(answer + [0x91, status.rawValue])
    } catch {
      guard state == .active else { return .silence }
      // Whatever goes wrong ends an authentication (9.1.11), and what was begun.
      (session, handshake, versionParts) = (nil, nil, [])
      return .data([0x91, error.rawValue])
    }
  }

  private func obey(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> (
    [UInt8], DESFireStatus
  ) {
    if code != 0xAD { chain = nil }
    if code == 0xAF {
      if let begun = handshake {
        handshake = nil
        return (try finish(begun, data), .ok)
      }
      guard !versionParts.isEmpty, data.isEmpty else { throw .unknownCommand }
      let part = versionParts.removeFirst()
      return (part, versionParts.isEmpty ? .ok : .more)
    }
    (handshake, versionParts) = (nil, [])
    switch (code, data.count) {
    case (0x71, 2...):
      guard data[1] <= 6, data.count == 2 + Int(data[1]) else { throw .length }
      let capabilities = Array(data[2...])
      return (try begin(data[0], first: true, capabilities), .more)
    case (0x77, 1): return (try begin(data[0], first: false, []), .more)
    default: break
    }
    guard Self.known.contains(code) || (code == 0xF7 && silicon.hasTamperLoop) else {
      throw .unknownCommand
    }
    let mode = try mode(of: code, data)
    let header = Self.headers[code] ?? data.count
    let plain = try opened(code, data, header: header, mode)
    // LRP ends what was begun with AES.
    let turnsLRP =
      code == 0x5C && plain.first == 0x05 && !configuration.isLRP && plain.count == 11
      && plain[5] & 0x02 != 0
    let keepsSession = !(code == 0xC4 && plain.first == session?.keyNumber) && !turnsLRP
    let answer = try perform(code, plain)
    guard keepsSession else {
      session = nil
      return ([], .ok)
    }
    return (sealed(answer, mode), versionParts.isEmpty ? .ok : .more)
  }

  // MARK: Secure messaging

  private enum Mode {
    case plain, mac, full
  }

  /// How many bytes of a command's data are never enciphered.
  private static let headers: [UInt8: Int] = [
    0xAD: 7, 0x8D: 7, 0xC4: 1, 0x5F: 1, 0x5C: 1, 0xF5: 1, 0x64: 1, 0xF6: 1, 0x3C: 1, 0x60: 0,
    0x51: 0, 0xF7: 0,
  ]

  /// Table 22.
  private func mode(of code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> Mode {
    guard let session else { return .plain }
    switch code {
    case 0xAD, 0x8D:
      guard let number = data.first else { throw .length }
      let file = try file(number)
      let use = code == 0xAD ? Use.read : .write
      guard keys(for: use, file).contains(session.keyNumber) else { return .plain }
      return [0: .plain, 1: .mac, 3: .full][settings(file)[0] & 0x03] ?? .plain
    case 0x5F:
      guard let number = data.first else { throw .length }
      return changeRight(try file(number)) == 0xE ? .plain : .full
    case 0xC4, 0x5C, 0x51, 0xF6, 0x3C: return .full
    default: return .mac
    }
  }

  private func opened(_ code: UInt8, _ data: [UInt8], header: Int, _ mode: Mode)
    throws(DESFireStatus) -> [UInt8]
  {
    guard var session, mode != .plain else { return data }
    defer { self.session = session }
    guard data.count >= 8 + min(header, 1) else { throw .length }
    let body = Array(data.dropLast(8))
    guard session.mac(code, body) == Array(data.suffix(8)) else { throw .integrity }
    guard mode == .full, body.count > header else { return body }
    guard let plain = session.deciphered(Array(body[header...])) else { throw .integrity }
    return body[..<header] + plain
  }

  private func sealed(_ answer: [UInt8], _ mode: Mode) -> [UInt8] {
    guard session != nil else { return answer }
    session?.counter &+= 1
    guard var session, mode != .plain else { return answer }
    defer { self.session = session }
    if !versionParts.isEmpty {
      // A code stands behind the last part, over all of them.
      let whole = answer + versionParts.flatMap(\.self)
      versionParts[versionParts.count - 1] += session.mac(0x00, whole)
      return answer
    }
    let sent = mode == .full ? session.enciphered(answer) : answer
    return sent + session.mac(0x00, sent)
  }

  // MARK: Authentication (9.1.5, 9.1.6, 9.1.11)

  /// A tag in LRP mode takes a first authentication only from who says that he can (NT4H2421Tx,
  /// table 19); with AES that makes no difference.
  private func begin(
    _ number: UInt8, first: Bool, _ capabilities: [UInt8]
  ) throws(DESFireStatus) -> [UInt8] {
    guard applicationIsSelected, number < 5 else { throw .noSuchKey }
    let isLRP = configuration.isLRP
    if isLRP, first { guard (capabilities.first ?? 0) & 0x02 != 0 else { throw .permission } }
    var running: (transaction: [UInt8], counter: UInt16)?
    if !first {
      guard let session else { throw .permission }
      running = (session.transaction, session.counter)
    }
    session = nil
    guard registers.failures[Int(number)] < configuration.limit else { throw .authentication }
    // Each failure more than fifty in a row costs one answer more.
    let inARow = registers.failuresInARow[Int(number)]
    if inARow >= Self.freeFailures, delaysAnswered < min(inARow - Self.freeFailures + 1, 16) {
      delaysAnswered += 1
      throw .delay
    }
    delaysAnswered = 0
    let challenge = randomBytes(16)
    handshake = NTAG424Handshake(keyNumber: number, challenge: challenge, running: running)
    if isLRP {
      handshake?.capabilities = Array((capabilities + [0, 0, 0, 0, 0, 0]).prefix(6))
      return [0x01] + challenge
    }
    return AES128(key: key(number)).encrypt(challenge, iv: AES128.zero)
  }

  static let freeFailures = 50

  private func finish(_ begun: NTAG424Handshake, _ token: [UInt8]) throws(DESFireStatus) -> [UInt8]
  {
    guard token.count == 32 else { throw .length }
    if let capabilities = begun.capabilities { return try finishLRP(begun, capabilities, token) }
    let cipher = AES128(key: key(begun.keyNumber))
    let plain = cipher.decrypt(token, iv: AES128.zero)
    let index = Int(begun.keyNumber)
    let expected = Array(begun.challenge[1...] + begun.challenge[..<1])
    guard Array(plain[16...]) == expected else { throw failed(index) }
    succeeded(index)
    let host = Array(plain[..<16])
    let transaction = begun.running?.transaction ?? randomBytes(4)
    session = NTAG424Session(
      key: key(begun.keyNumber), number: begun.keyNumber, host: host, tag: begun.challenge,
      transaction: transaction, counter: begun.running?.counter ?? 0)
    let turned = Array(host[1...] + host[..<1])
    // PDcap2 and PCDcap2 are zeros.
    let reply =
      begun.running == nil
      ? transaction + turned + [UInt8](repeating: 0, count: 12) : turned
    return cipher.encrypt(reply, iv: AES128.zero)
  }

  private func failed(_ index: Int) -> DESFireStatus {
    registers.failures[index] += 1
    registers.failuresInARow[index] += 1
    return .authentication
  }

  private func succeeded(_ index: Int) {
    registers.failures[index] = max(0, registers.failures[index] - configuration.decrement)
    registers.failuresInARow[index] = 0
  }

  /// NT4H2421Tx, 9.2.5 and 9.2.6.
  private func finishLRP(
    _ begun: NTAG424Handshake, _ capabilities: [UInt8], _ token: [UInt8]
  ) throws(DESFireStatus) -> [UInt8] {
    let host = Array(token[..<16])
    let transaction = begun.running?.transaction ?? randomBytes(4)
    var made = NTAG424Session(
      leakageResilient: key(begun.keyNumber), number: begun.keyNumber, host: host,
      tag: begun.challenge, transaction: transaction, counter: begun.running?.counter ?? 0)
    guard made.wholeCode(host + begun.challenge) == Array(token[16...]) else {
      throw failed(Int(begun.keyNumber))
    }
    succeeded(Int(begun.keyNumber))
    var data: [UInt8] = []
    if begun.running == nil {
      // PDCap2: LRP is on.
      data = made.enciphered(whole: transaction + [0x02, 0, 0, 0, 0, 0] + capabilities)
    }
    session = made
    return data + made.wholeCode(begun.challenge + host + data)
  }

  // MARK: Commands

  private static let known: Set<UInt8> = [
    0x60, 0x64, 0xF5, 0xAD, 0x8D, 0x3C, 0x51, 0xF6, 0x5C, 0xC4, 0x5F, 0x71, 0x77,
  ]

  private func perform(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
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

  private func requireMasterKey() throws(DESFireStatus) {
    guard session?.keyNumber == 0 else { throw .authentication }
  }

  /// 10.6.1. The key and its version change in one piece.
  private func changeKey(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
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
  private func changeFileSettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
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
  private func endMirrors() throws(DESFireStatus) {
    let file = NTAG424File.all[1]
    let settings = settings(file)
    guard let option = settings.first, option & 0x40 != 0 else { return }
    let start = NTAG424File.settingsStart + NTAG424File.settingsRoom
    let row = [3, option & ~0x40] + settings[1..<3]
    try store(row + [UInt8](repeating: 0, count: NTAG424File.settingsRoom - row.count), at: start)
  }

  /// One cycle that is done or not (8.6).
  private func store(_ bytes: [UInt8], at offset: Int) throws(DESFireStatus) {
    switch eeprom.program(bytes, at: offset, tearingSafe: true) {
    case .programmed: return
    case .failed: throw .memoryError
    case .powerLost:
      powerOff()
      throw .aborted
    }
  }

  private func fileCounters(_ number: UInt8) throws(DESFireStatus) -> [UInt8] {
    let file = try file(number)
    guard let mirror = mirror(of: file) else { throw .permission }
    let right = mirror.counterRight
    guard right != 0xF else { throw .permission }
    guard right == 0xE || right == session?.keyNumber else { throw .authentication }
    return [0, 8, 16].map { UInt8(registers.readings >> $0 & 0xFF) } + [0, 0]
  }

  /// Stored and present state: C closed, O open, I as long as nobody asked it to look (NT4H2421Tx,
  /// 10.2 and 11.9.1). At card level it is not told.
  private func tamperStatus() throws(DESFireStatus) -> [UInt8] {
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
  private var version: [[UInt8]] {
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
  private func fileSettings(_ file: NTAG424File) throws(DESFireStatus) -> [UInt8] {
    let stored = settings(file)
    guard stored.count >= 3 else { throw .memoryError }
    return [0x00] + stored[..<3] + [UInt8(file.size & 0xFF), UInt8(file.size >> 8), 0]
      + stored[3...]
  }

  private func read(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let (file, offset, count) = try part(data)
    guard mayRead(file) else { throw .authentication }
    let wanted = count == 0 ? file.size - offset : count
    guard wanted > 0, offset + wanted <= file.size else { throw .boundary }
    guard let content = contentAsRead(file) else { throw .permission }
    return Array(content[offset..<offset + wanted])
  }

  private func write(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
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

  private func part(
    _ data: [UInt8]
  ) throws(DESFireStatus) -> (file: NTAG424File, offset: Int, count: Int) {
    let number = { (range: Range<Int>) in data[range].reversed().reduce(0) { $0 << 8 | Int($1) } }
    return (try file(data[0]), number(1..<4), number(4..<7))
  }
}
