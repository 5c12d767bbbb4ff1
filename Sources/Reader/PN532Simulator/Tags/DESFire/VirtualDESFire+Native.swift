extension VirtualDESFire {
  typealias Reply = (status: DESFireStatus, data: [UInt8])

  /// The most data of one answer; more comes in parts, each asked for with AFh.
  static let longestPart = 59

  /// One native command, or a part of one. Nil: power was lost within it.
  func receiveNative(_ code: UInt8, _ data: [UInt8]) -> Reply? {
    do throws(DESFireStatus) {
      return try perform(code, data)
    } catch {
      guard state == .active else { return nil }
      // After an error the host is a stranger again.
      (session, pending) = (nil, nil)
      return (error, [])
    }
  }

  private func perform(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> Reply {
    guard code == 0xAF else {
      // MF3ICDx21, 9.5: not all frames were asked for, or sent.
      guard pending == nil else { throw .aborted }
      switch code {
      case 0x0A, 0x1A, 0xAA: return try beginAuthentication(code, data)
      case 0x3D: return try collect(code, data)
      default: return try finish(code, data)
      }
    }
    let continued = pending
    pending = nil
    switch continued {
    case .answer(let parts): return part(of: parts)
    case .command(let code, let start): return try collect(code, start + data)
    case .authentication(let handshake):
      guard let (reply, opened) = handshake.finish(data) else { throw .authentication }
      session = opened
      return (.ok, reply)
    case nil: throw .unknownCommand
    }
  }

  /// WriteData may come in parts: it is carried out when all has come.
  private func collect(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> Reply {
    let wanted = try lengthOfWrite(data)
    guard data.count >= wanted else {
      pending = .command(code, data)
      return (.more, [])
    }
    return try finish(code, data)
  }

  private func finish(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> Reply {
    var answer = try run(code, data)
    // Whoever is still authenticated gets a MAC with every answer, in the sessions that chain.
    if var session, !session.isLegacy, !isSealed(code) {
      answer += session.mac(answer + [DESFireStatus.ok.rawValue])
      self.session = session
    }
    if code == 0x60 {
      return part(of: [Array(answer[..<7]), Array(answer[7..<14]), Array(answer[14...])])
    }
    guard answer.count > Self.longestPart else { return (.ok, answer) }
    return part(
      of: stride(from: 0, to: answer.count, by: Self.longestPart).map {
        Array(answer[$0..<min($0 + Self.longestPart, answer.count)])
      })
  }

  private func part(of parts: [[UInt8]]) -> Reply {
    guard parts.count > 1 else { return (.ok, parts.first ?? []) }
    pending = .answer(Array(parts.dropFirst()))
    return (.more, parts[0])
  }

  /// Returns whether an answer's MAC is already in it: it is enciphered.
  private func isSealed(_ code: UInt8) -> Bool { code == 0x51 || code == 0xBD && readIsEnciphered }

  /// The commands themselves.
  private func run(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    switch code {
    case 0x5A: return try selectApplication(data)
    // Both commands' seals depend on what they are about.
    case 0x3D: return try writeData(data)
    case 0xBD: return try readData(data)
    case 0xC4: return try changeKey(data)
    case 0x54: return try changeKeySettings(data)
    case 0x5F: return try changeFileSettings(data)
    case 0x5C: return try setConfiguration(data)
    default: break
    }
    countCommand([code] + data)
    switch (code, data.count) {
    case (0x60, 0): return try version()
    case (0x51, 0): return try cardUID()
    case (0x6E, 0): return freeMemory()
    case (0xFC, 0): return try format()
    case (0x6A, 0): return try applicationIDs()
    case (0x6D, 0): return try dedicatedFileNames()
    case (0xCA, 5...): return try createApplication(data)
    case (0xDA, 3): return try deleteApplication(data)
    case (0x45, 0): return try keySettings()
    case (0x64, 1): return try keyVersion(data[0])
    case (0x6F, 0): return try fileIDs()
    case (0x61, 0): return try isoFileIDs()
    case (0xF5, 1): return try fileSettings(data[0])
    case (0xCD, 7), (0xCD, 9), (0xCB, 7), (0xCB, 9):
      return try createFile(data, hasBackup: code == 0xCB)
    case (0xDF, 1): return try deleteFile(data[0])
    // What is written to backup files counts at once here.
    case (0xC7, 0), (0xA7, 0): throw .noChanges
    default: throw Self.known.contains(code) ? .length : .unknownCommand
    }
  }

  private static let known: Set<UInt8> = [
    0x60, 0x51, 0x6E, 0xFC, 0x6A, 0x6D, 0xCA, 0xDA, 0x45, 0x64, 0x6F, 0x61, 0xF5, 0xCD, 0xCB, 0xDF,
    0xC7, 0xA7,
  ]

  /// In a session that chains, every plain command moves the start value on.
  func countCommand(_ command: [UInt8]) {
    guard var session, !session.isLegacy else { return }
    _ = session.mac(command)
    self.session = session
  }

  // MARK: Secure messaging

  /// The plain data of a command that came enciphered: `header` bytes stay plain, `count` data
  /// bytes are wanted.
  func opened(
    _ code: UInt8, _ body: [UInt8], header: Int, count: Int
  ) throws(DESFireStatus) -> [UInt8] {
    guard var session else { throw .authentication }
    let cryptogram = Array(body.dropFirst(header))
    guard body.count > header, cryptogram.count.isMultiple(of: session.blockSize) else {
      throw .length
    }
    let plain = session.decrypt(cryptogram)
    self.session = session
    let end = count + session.checkSize
    guard plain.count >= end, plain.count - end < session.blockSize else { throw .length }
    let data = Array(plain[..<count])
    let wanted = session.check([code] + body[..<header], data)
    guard Array(plain[count..<end]) == wanted, plain[end...].allSatisfy({ $0 == 0 }) else {
      throw .integrity
    }
    return data
  }

  /// A command whose data carry a MAC; what comes back has none.
  func checked(
    _ code: UInt8, _ body: [UInt8], header: Int
  ) throws(DESFireStatus) -> [UInt8] {
    guard var session else { throw .authentication }
    guard body.count >= header + session.macSize else { throw .length }
    let content = Array(body.dropLast(session.macSize))
    let wanted = session.mac(session.isLegacy ? Array(content[header...]) : [code] + content)
    self.session = session
    guard wanted == Array(body.suffix(session.macSize)) else { throw .integrity }
    return content
  }

  /// An answer enciphered with its checksum.
  func sealed(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard var session else { throw .authentication }
    let plain: [UInt8]
    if session.isLegacy {
      plain = data + session.check([], data)
    } else {
      plain = data + session.check([], data + [DESFireStatus.ok.rawValue])
    }
    let result = session.encrypt(plain)
    self.session = session
    return result
  }

  private func beginAuthentication(
    _ code: UInt8, _ data: [UInt8]
  ) throws(DESFireStatus) -> Reply {
    guard data.count == 1 else { throw .length }
    session = nil
    guard let key = key(data[0]) else { throw .noSuchKey }
    guard DESFireHandshake.takes(code, key.kind) else { throw .authentication }
    let count = code == 0x0A ? 8 : key.kind.challengeCount
    let challenge = (0..<count).map { _ in UInt8.random(in: 0...0xFF, using: &generator) }
    let handshake = DESFireHandshake(
      key: key, number: data[0] & 0x0F, isLegacy: code == 0x0A, challenge: challenge)
    pending = .authentication(handshake)
    return (.more, handshake.cryptogram)
  }

  /// A key of what is selected.
  func key(_ number: UInt8) -> DESFireKey? {
    guard selected != 0 else { return number == 0 ? structure.masterKey : nil }
    guard let index = structure.index(of: selected) else { return nil }
    let keys = structure.applications[index].keys
    return Int(number) < keys.count ? keys[Int(number)] : nil
  }
}
