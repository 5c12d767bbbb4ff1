import CardCrypto

/// An NTAG 424 DNA: three files, five AES keys, secure messaging, and a message that proves the tag
/// as it is read.
///
/// `receive` takes and gives APDUs. Sections: NT4H2421Gx.
package final class VirtualNTAG424: ActivatedTag {
  package let silicon: NTAG424Silicon
  package let sak: UInt8 = 0x20
  /// What the field sees: another random one each time, once that was switched on.
  package private(set) var uid: [UInt8]
  package let storedUID: [UInt8]
  package let eeprom: EEPROM
  package var behaviour = Type4Behaviour()
  package var registers = NTAG424Registers()
  /// Where challenges, transaction identifiers, random UIDs and paddings come from.
  package var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  package var product: String { silicon.name }
  package var waitExtensions: Int { behaviour.waits }
  /// The host that has authenticated; nil: none.
  var session: NTAG424Session?
  var handshake: NTAG424Handshake?
  /// Parts of GetVersion that have not been fetched.
  var versionParts: [[UInt8]] = []
  /// The NDEF file as it is read in the present run of readings; nil: the next reading begins one.
  var chain: [UInt8]?
  /// How often the present delay after failed authentications was answered.
  var delaysAnswered = 0

  package var activation = Activation()
  private(set) var applicationIsSelected = false
  private var selectedFile: NTAG424File?

  private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
  private static let masterFile: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00]

  package init(_ silicon: NTAG424Silicon, uid: [UInt8]) {
    precondition(uid.count == 7, "a UID of a wrong size")
    (self.silicon, self.uid, storedUID) = (silicon, uid, uid)
    eeprom = EEPROM(NTAG424File.factoryContent)
  }

  package var atqa: UInt16 { uid.count == 4 ? 0x0304 : 0x0344 }
  /// Frames of 128 bytes, 106 to 848 kbit/s, FWI 7 (8.4).
  package var ats: [UInt8] { [0x70 | frameSizeIndex, 0x77, 0x71, 0x02, 0x80] }
  private var frameSizeIndex: UInt8 { behaviour.frameSizeIndex ?? 7 }

  package func powerOff() {
    returnToIdle()
    if behaviour.loopIsOpen, configuration.tamperKey != nil { registers.wasOpened = true }
    guard configuration.hasRandomUID else {
      uid = storedUID
      return
    }
    uid = [0x08] + randomBytes(3)
  }

  package func forget() {
    (applicationIsSelected, selectedFile) = (false, nil)
    (session, handshake, versionParts, chain) = (nil, nil, [], nil)
  }

  /// Is true if the next frame of a native command is awaited. What is refused meanwhile does not
  /// end that: the tables do not say that it does.
  var isInMiddle: Bool { handshake != nil || !versionParts.isEmpty }

  func randomBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...0xFF, using: &generator) }
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    guard let apdu = CommandAPDU(parsing: frame) else { return .data(StatusWord.wrongLength.bytes) }
    switch (apdu.cla, apdu.ins) {
    case (0x90, _): return receiveNative(apdu)
    // Tables 86, 89 and 92: a wrapped chained command, or one of several passes, is ongoing.
    case (0x00, let code) where isInMiddle && [0xA4, 0xB0, 0xD6].contains(code):
      return .data(StatusWord.outOfTurn.bytes)
    case (0x00, 0xB0): return readBinary(apdu)
    default: chain = nil
    }
    switch (apdu.cla, apdu.ins) {
    case (0x00, 0xA4): return .data(select(apdu).bytes)
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
    guard let content = contentAsRead(file) else { return .data(StatusWord.notAllowed.bytes) }
    let count = min(wanted, 256, file.size - apdu.offset)
    return .data(Array(content[apdu.offset..<apdu.offset + count]) + StatusWord.ok.bytes)
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
  func program(
    _ data: [UInt8], in file: NTAG424File, at offset: Int, header: Int
  ) -> EEPROM.Outcome {
    let writer = Type4Writer(
      eeprom: eeprom, tearing: .frame, frameSize: ProtocolParameters.sizes[Int(frameSizeIndex)])
    let outcome = writer.program(data, at: file.start + offset, header: header)
    if outcome == .powerLost { powerOff() }
    return outcome
  }
}

extension VirtualNTAG424: CardWithBehaviour {}

extension VirtualNTAG424: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<NTAG424File.memorySize / 16))
  }
  package var userMemory: Range<Int> { 32..<288 }
  /// Files of the application, from their starts.
  package func load(files: [Int: [UInt8]]) -> Bool {
    var bytes = eeprom.bytes
    for (id, content) in files {
      guard let file = NTAG424File.all.first(where: { Int($0.isoID) == id }),
        content.count <= file.size
      else { return false }
      bytes.replaceSubrange(file.start..<file.start + content.count, with: content)
    }
    eeprom.load(bytes)
    return true
  }
  /// The UID is no part of the files.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }

  package var storedRegisters: [StoredRegister] {
    [
      StoredRegister(
        name: "Readings", value: registers.readings, maximum: 0xFF_FFFF, usual: 0),
      StoredRegister(
        name: "Loop opened", value: registers.wasOpened ? 1 : 0, maximum: 1, usual: 0),
    ]
      + registers.failures.enumerated().map { number, count in
        StoredRegister(
          name: "Failures of key \(number)", value: count, maximum: 0xFFFF, usual: 0)
      }
  }

  package func store(_ value: Int, in register: String) {
    switch register {
    case "Readings" where 0...0xFF_FFFF ~= value: registers.readings = value
    case "Loop opened" where 0...1 ~= value: registers.wasOpened = value == 1
    default:
      guard register.hasPrefix("Failures of key "), 0...0xFFFF ~= value,
        let number = register.last?.wholeNumberValue, number < 5
      else { return }
      registers.failures[number] = value
    }
  }
}
