import CardCrypto

/// Rights (8.2.3.3), and what somebody reads who has not authenticated (9.3).
extension VirtualNTAG424 {
  /// Where the key for it stands in the rights.
  enum Use: UInt16 {
    case write = 8
    case read = 12
  }

  var configuration: NTAG424Configuration {
    let start = NTAG424Configuration.start
    return NTAG424Configuration(
      Array(eeprom.bytes[start..<start + NTAG424Configuration.count]))
  }

  package func key(_ number: UInt8) -> [UInt8] {
    let start = NTAG424File.keysStart + Int(number) * NTAG424File.keyRoom
    return Array(eeprom.bytes[start..<start + 16])
  }

  /// Option and rights as they are stored, and what SDM adds.
  func settings(_ file: NTAG424File) -> [UInt8] {
    let start = NTAG424File.settingsStart + (Int(file.number) - 1) * NTAG424File.settingsRoom
    let count = min(Int(eeprom.bytes[start]), NTAG424File.settingsRoom - 1)
    return Array(eeprom.bytes[start + 1..<start + 1 + count])
  }

  private func rights(_ file: NTAG424File) -> UInt16 {
    let settings = settings(file)
    guard settings.count >= 3 else { return 0xFFFF }
    return UInt16(settings[2]) << 8 | UInt16(settings[1])
  }

  /// The keys that allow `use`, E for everybody.
  func keys(for use: Use, _ file: NTAG424File) -> [UInt8] {
    [use.rawValue, 4].map { UInt8(rights(file) >> $0 & 0xF) }
  }

  func changeRight(_ file: NTAG424File) -> UInt8 { UInt8(rights(file) & 0xF) }

  /// Returns whether a host may do so without secure messaging: it is free, or the file is plain
  /// and the key known.
  func mayInPlain(_ use: Use, _ file: NTAG424File) -> Bool {
    let keys = keys(for: use, file)
    if keys.contains(0xE) { return true }
    guard settings(file).first.map({ $0 & 0x03 == 0 }) ?? false, let known = session?.keyNumber
    else { return false }
    return keys.contains(known)
  }

  func mayRead(_ file: NTAG424File) -> Bool { may(.read, file) }
  func mayWrite(_ file: NTAG424File) -> Bool { may(.write, file) }

  private func may(_ use: Use, _ file: NTAG424File) -> Bool {
    let keys = keys(for: use, file)
    return keys.contains(0xE) || session.map { keys.contains($0.keyNumber) } ?? false
  }

  func mirror(of file: NTAG424File) -> NTAG424Mirror? {
    let settings = settings(file)
    guard file.number == 2, let option = settings.first, option & 0x40 != 0 else { return nil }
    return NTAG424Mirror(
      Array(settings[3...]), size: file.size, isLRP: configuration.isLRP,
      hasTamperLoop: silicon.hasTamperLoop)
  }

  /// The file as this host reads it; nil where the limit of readings is reached. Whoever has
  /// authenticated reads what is stored.
  func contentAsRead(_ file: NTAG424File) -> [UInt8]? {
    let stored = Array(eeprom.bytes[file.start..<file.start + file.size])
    guard session == nil, let mirror = mirror(of: file) else { return stored }
    if let chain { return chain }
    guard registers.readings < mirror.limit ?? 0xFF_FFFF else { return nil }
    registers.readings += 1
    let view = mirror.applied(
      to: stored, uid: storedUID, counter: registers.readings, tamper: tamperLetters,
      key: key,
      random: { randomBytes(1)[0] })
    chain = view
    return view
  }

  /// The signature over the UID (10.10.1).
  var signature: [UInt8] { MakerSignature.bytes(of: storedUID, on: .secp224r1) }
}
