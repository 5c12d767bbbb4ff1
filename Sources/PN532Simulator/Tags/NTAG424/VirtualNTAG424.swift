/// An NTAG 424 DNA as it is delivered: three files, read and written in plain where their rights let anybody.
///
/// `receive` takes and gives APDUs. Who authenticates is asked by `security`: without one no key opens anything, and
/// what needs a key is refused as it is to a host that has not authenticated. Sections: NT4H2421Gx.
public final class VirtualNTAG424: VirtualTag {
  public let silicon: NTAG424Silicon
  public let atqa: UInt16 = 0x0344
  public let sak: UInt8 = 0x20
  public let uid: [UInt8]
  public let eeprom: EEPROM
  public var behaviour = Type4Behaviour()
  public var product: String { silicon.name }
  public var state: TagState { activation.state }
  public var waitExtensions: Int { behaviour.waits }
  /// The key that a host has proved to know; nil: none.
  var security: (any NTAG424Security)?

  private var activation = Activation()
  private var applicationIsSelected = false
  private var selectedFile: NTAG424File?
  /// Parts of GetVersion that have not been fetched.
  private var versionParts: [[UInt8]] = []

  private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
  private static let masterFile: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00]

  public init(_ silicon: NTAG424Silicon, uid: [UInt8]) {
    precondition(uid.count == 7, "a UID of a wrong size")
    (self.silicon, self.uid) = (silicon, uid)
    eeprom = EEPROM(NTAG424File.factoryContent)
  }

  /// Frames of 128 bytes, 106 to 848 kbit/s, FWI 7 (8.4).
  public var ats: [UInt8] { [0x70 | frameSizeIndex, 0x77, 0x71, 0x02, 0x80] }
  private var frameSizeIndex: UInt8 { behaviour.frameSizeIndex ?? 7 }

  public func powerOff() {
    activation = Activation()
    forget()
  }
  public func returnToIdle() { powerOff() }

  public func select() {
    forget()
    activation.select()
  }

  public func halt() {
    forget()
    activation.halt()
  }

  private func forget() {
    (applicationIsSelected, selectedFile, security, versionParts) = (false, nil, nil, [])
  }

  public func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    guard state == .active else { return false }
    forget()
    activation.fallBack()
    return false
  }

  public func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data(StatusWord.wrongLength.bytes) }
    switch (apdu.cla, apdu.ins) {
    case (0x90, _): return receiveNative(apdu)
    case (0x00, 0xA4): return .data(select(apdu).bytes)
    case (0x00, 0xB0): return readBinary(apdu)
    case (0x00, 0xD6): return updateBinary(apdu)
    case (0x00, _): return .data(StatusWord.unknownInstruction.bytes)
    default: return .data(StatusWord.unknownClass.bytes)
    }
  }

  // MARK: ISO/IEC 7816-4 (10.9)

  private func select(_ apdu: CommandAPDU) -> StatusWord {
    guard apdu.p2 == 0x00 || apdu.p2 == 0x0C else { return .wrongParameters }
    switch (apdu.p1, apdu.data) {
    case (0x04, Self.application), (0x00, [0xE1, 0x10]): choose(application: true)
    case (0x04, Self.masterFile), (0x00, [0x3F, 0x00]), (0x00, []): choose(application: false)
    case (0x00, _), (0x02, _):
      let id = apdu.data.reduce(0) { $0 << 8 | UInt16($1) }
      guard apdu.data.count == 2 else { return .wrongLength }
      guard applicationIsSelected, let file = NTAG424File.all.first(where: { $0.isoID == id })
      else { return .notFound }
      selectedFile = file
    case (0x04, _): return .notFound
    default: return .wrongParameters
    }
    return .ok
  }

  /// Whoever selects an application is a stranger again.
  private func choose(application: Bool) {
    forget()
    applicationIsSelected = application
  }

  /// Le 00 is the rest of the file, 256 bytes at most.
  private func readBinary(_ apdu: CommandAPDU) -> TagAnswer {
    guard let file = selectedFile else { return .data(StatusWord.noFileSelected.bytes) }
    guard mayInPlain(.read, file) else { return .data(StatusWord.notAllowed.bytes) }
    guard apdu.data.isEmpty, let wanted = apdu.le else {
      return .data(StatusWord.wrongLength.bytes)
    }
    guard apdu.p1 < 0x80, apdu.offset < file.size else {
      return .data(StatusWord.wrongOffset.bytes)
    }
    let start = file.start + apdu.offset
    let count = min(wanted, 256, file.size - apdu.offset)
    return .data(Array(eeprom.bytes[start..<start + count]) + StatusWord.ok.bytes)
  }

  private func updateBinary(_ apdu: CommandAPDU) -> TagAnswer {
    guard let file = selectedFile else { return .data(StatusWord.noFileSelected.bytes) }
    guard mayInPlain(.write, file) else { return .data(StatusWord.notAllowed.bytes) }
    guard !apdu.data.isEmpty else { return .data(StatusWord.wrongLength.bytes) }
    guard apdu.p1 < 0x80, apdu.offset + apdu.data.count <= file.size else {
      return .data(StatusWord.wrongOffset.bytes)
    }
    switch program(apdu.data, in: file, at: apdu.offset, header: 5) {
    case .programmed: return .data(StatusWord.ok.bytes)
    case .failed: return .data(StatusWord.memoryFailure.bytes)
    case .powerLost: return .silence
    }
  }

  /// What each frame brings is written whole or not at all (8.2.3.1).
  private func program(
    _ data: [UInt8], in file: NTAG424File, at offset: Int, header: Int
  ) -> EEPROM.Outcome {
    let writer = Type4Writer(
      eeprom: eeprom, tearing: .frame, frameSize: ProtocolParameters.sizes[Int(frameSizeIndex)])
    let outcome = writer.program(data, at: file.start + offset, header: header)
    if outcome == .powerLost { powerOff() }
    return outcome
  }

  // MARK: Native commands (10.3)

  private func receiveNative(_ apdu: CommandAPDU) -> TagAnswer {
    do throws(DESFireStatus) {
      guard apdu.p1 == 0, apdu.p2 == 0 else { throw .parameter }
      let answer = try perform(apdu.ins, apdu.data)
      let status: DESFireStatus =
        versionParts.isEmpty || apdu.ins != 0x60 && apdu.ins != 0xAF ? .ok : .more
      return .data(answer + [0x91, status.rawValue])
    } catch {
      guard state == .active else { return .silence }
      security = nil
      return .data([0x91, error.rawValue])
    }
  }

  private func perform(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    if code == 0xAF, !versionParts.isEmpty, data.isEmpty { return versionParts.removeFirst() }
    versionParts = []
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
      return signature
    case (0xF7, 0) where silicon.hasTamperLoop:
      // Neither the stored nor the present state may be told before it was switched on.
      throw .permission
    // A host that has not authenticated: these want a key.
    case (0x51, 0), (0xF6, 1), (0x5C, 1...), (0xC4, 1...), (0x5F, 1...): throw .authentication
    // No key opens anything yet; NonFirst needs a First.
    case (0x71, 2...), (0x77, 1): throw .permission
    default: throw Self.known.contains(code) ? .length : .unknownCommand
    }
  }

  private static let known: Set<UInt8> = [
    0x60, 0x64, 0xF5, 0xAD, 0x8D, 0x3C, 0x51, 0xF6, 0x5C, 0xC4, 0x5F, 0x71, 0x77,
  ]

  /// Hardware, software, then UID, batch, week and year (10.5.2).
  private var version: [[UInt8]] {
    [
      [0x04, 0x04, silicon.subtype, 0x30, 0x00, 0x11, 0x05],
      [0x04, 0x04, 0x02, 0x01, 0x02, 0x11, 0x05],
      uid + [0xCF, 0x39, 0xD4, 0x49, 0x80, 0x34, 0x20],
    ]
  }

  private func file(_ number: UInt8) throws(DESFireStatus) -> NTAG424File {
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
    guard mayInPlain(.read, file) else { throw .authentication }
    let wanted = count == 0 ? file.size - offset : count
    guard wanted > 0, offset + wanted <= file.size else { throw .boundary }
    let start = file.start + offset
    return Array(eeprom.bytes[start..<start + wanted])
  }

  private func write(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    let (file, offset, count) = try part(data)
    guard mayInPlain(.write, file) else { throw .authentication }
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

  // MARK: Rights (8.2.3.3)

  /// Where the key for it stands in the rights.
  private enum Use: UInt16 {
    case write = 8
    case read = 12
  }

  /// Option and rights as they are stored, and what SDM adds.
  private func settings(_ file: NTAG424File) -> [UInt8] {
    let start = NTAG424File.settingsStart + (Int(file.number) - 1) * NTAG424File.settingsRoom
    let count = min(Int(eeprom.bytes[start]), NTAG424File.settingsRoom - 1)
    return Array(eeprom.bytes[start + 1..<start + 1 + count])
  }

  /// Whether a host may do so without secure messaging: it is free, or the file is plain and the key known.
  private func mayInPlain(_ use: Use, _ file: NTAG424File) -> Bool {
    let settings = settings(file)
    guard settings.count >= 3 else { return false }
    let rights = UInt16(settings[2]) << 8 | UInt16(settings[1])
    let keys = [rights >> use.rawValue & 0xF, rights >> 4 & 0xF]
    if keys.contains(0xE) { return true }
    guard settings[0] & 0x03 == 0, let known = security?.keyNumber else { return false }
    return keys.contains(UInt16(known))
  }

  /// The stand-in for the ECDSA signature over the UID (10.10.1): it verifies with no key.
  private var signature: [UInt8] {
    (0..<56).map { uid[$0 % 7] &* 0x1D &+ UInt8($0) &* 0x35 }
  }
}

/// A host that has authenticated to an NTAG 424 DNA.
protocol NTAG424Security {
  /// 0 to 4.
  var keyNumber: UInt8 { get }
}

extension VirtualNTAG424: CardWithBehaviour {}

extension VirtualNTAG424: StoredTag {
  public var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<NTAG424File.memorySize / 16))
  }
  public var userMemory: Range<Int> { 32..<288 }
  /// The UID is no part of the files.
  public func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
