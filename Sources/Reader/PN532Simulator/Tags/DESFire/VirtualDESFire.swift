/// A MIFARE DESFire EV1, EV2 or EV3 (MF3ICD81 and its successors): native commands, bare or wrapped
/// in `90 … 00`, and ISO/IEC 7816-4 SELECT, READ and UPDATE BINARY.
///
/// `receive` takes and gives APDUs. Value and record files, and the secure messaging that came with
/// EV2, are not here: those commands are answered as an EV1 of an older mask answers them (1Ch).
/// EEPROM layout: the structure, then the files' contents by 32-byte pages.
package final class VirtualDESFire: ActivatedTag {
  package let silicon: DESFireSilicon
  package let sak: UInt8 = 0x20
  /// As a real card answered a Proxmark3 (`hf_14a_reader_7b_rats.trace`).
  package let sakBeforeLast: UInt8 = 0x24
  package let storedUID: [UInt8]
  package private(set) var uid: [UInt8]
  package let eeprom: EEPROM
  /// How it does what it does.
  package var behaviour = Type4Behaviour()
  /// Where the challenges come from.
  package var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  package var product: String { silicon.name }
  package var waitExtensions: Int { behaviour.waits }

  package var activation = Activation()
  /// The application that is selected, 0 the card itself.
  var selected: UInt32 = 0
  /// The file that SELECT has chosen.
  var selectedFile: UInt8?
  var session: DESFireSession?
  var pending: Pending?
  /// The last ReadData was of a file whose answers are enciphered.
  var readIsEnciphered = false

  /// What the next AFh goes on with.
  enum Pending {
    /// Parts of an answer that have not been fetched.
    case answer([[UInt8]])
    /// A command that comes in parts: its code and what has come.
    case command(UInt8, [UInt8])
    case authentication(DESFireHandshake)
  }

  /// A card as delivered: no application, a DES key of zeros. `size`: what it is sold as, 2048,
  /// 4096 or 8192 bytes.
  package init(_ silicon: DESFireSilicon, uid: [UInt8], size: Int = 2048) {
    precondition(uid.count == 7, "a UID of a wrong size")
    (self.silicon, self.uid, storedUID) = (silicon, uid, uid)
    let structure = DESFireStructure().serialize() ?? []
    let count = DESFireMemory.atLeast(size).free
    eeprom = EEPROM(structure + [UInt8](repeating: 0, count: count))
  }

  package var atqa: UInt16 { uid.count == 4 ? 0x0304 : 0x0344 }
  package var ats: [UInt8] { [0x70 | frameSizeIndex, 0x77, 0x81, 0x02, 0x80] }
  var frameSizeIndex: UInt8 { behaviour.frameSizeIndex ?? 5 }

  package func powerOff() {
    returnToIdle()
    guard structure.hasRandomUID else {
      uid = storedUID
      return
    }
    uid = [0x08] + (0..<3).map { _ in UInt8.random(in: 0...0xFF, using: &generator) }
  }

  package func forget() {
    selected = 0
    deselect()
  }

  /// Whoever selects something is a stranger again.
  func deselect() {
    (selectedFile, session, pending) = (nil, nil, nil)
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active, let first = frame.first else { return .silence }
    let isTooLong = silicon.longestCommand.map { frame.count > $0 } ?? false
    switch first {
    case 0x00 where frame.count >= 4:
      guard !isTooLong, let apdu = CommandAPDU(parsing: frame) else {
        return .data(StatusWord.wrongLength.bytes)
      }
      return receiveISO(apdu, header: 5)
    case 0x90 where frame.count >= 4:
      guard !isTooLong, let apdu = CommandAPDU(parsing: frame), apdu.p1 == 0, apdu.p2 == 0 else {
        return .data([0x91, DESFireStatus.length.rawValue])
      }
      guard let reply = receiveNative(apdu.ins, apdu.data) else { return .silence }
      return .data(reply.data + [0x91, reply.status.rawValue])
    default:
      guard !isTooLong else { return .data([DESFireStatus.length.rawValue]) }
      guard let reply = receiveNative(first, Array(frame.dropFirst())) else { return .silence }
      return .data([reply.status.rawValue] + reply.data)
    }
  }

  // MARK: Memory

  var structure: DESFireStructure {
    DESFireStructure(parsing: eeprom.bytes[..<DESFireStructure.byteCount].map { $0 })
      ?? DESFireStructure()
  }

  /// Where the files' contents start.
  var fileMemory: Range<Int> { DESFireStructure.byteCount..<eeprom.bytes.count }

  /// By the room for files.
  var memory: DESFireMemory {
    DESFireMemory.all.first { $0.free == fileMemory.count } ?? DESFireMemory.all[0]
  }

  /// Stores another structure, in one piece. Only what changes is programmed.
  func replace(_ structure: DESFireStructure) throws(DESFireStatus) {
    guard let new = structure.serialize() else { throw .outOfMemory }
    let old = eeprom.bytes
    guard let first = new.indices.first(where: { new[$0] != old[$0] }),
      let last = new.indices.last(where: { new[$0] != old[$0] })
    else { return }
    try check(eeprom.program(Array(new[first...last]), at: first, tearingSafe: true))
  }

  /// What is programmed into the files.
  func program(_ data: [UInt8], at offset: Int, header: Int) throws(DESFireStatus) {
    let writer = Type4Writer(
      eeprom: eeprom, tearing: behaviour.tearing,
      frameSize: ProtocolParameters.sizes[Int(frameSizeIndex)])
    try check(writer.program(data, at: offset, header: header))
  }

  /// A cycle that fails is a memory error; power that is lost ends everything, and nothing is
  /// answered.
  private func check(_ outcome: EEPROM.Outcome) throws(DESFireStatus) {
    switch outcome {
    case .programmed: return
    case .failed: throw .memoryError
    case .powerLost:
      powerOff()
      throw .aborted
    }
  }
}

extension VirtualDESFire: CardWithBehaviour {}

extension VirtualDESFire: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 32, numbers: Array(0..<eeprom.bytes.count / 32))
  }
  package var userMemory: Range<Int> { fileMemory }
  /// The UID is no part of the memory.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }

  /// What it is sold as, in bytes.
  package var storedRegisters: [StoredRegister] {
    [StoredRegister(name: "File memory", value: memory.nominal, maximum: 8192, usual: 2048)]
  }

  package func store(_ value: Int, in register: String) {
    guard register == "File memory",
      let memory = DESFireMemory.all.first(where: { $0.nominal == value })
    else { return }
    let bytes = eeprom.bytes.prefix(DESFireStructure.byteCount)
    eeprom.resize(to: bytes + [UInt8](repeating: 0, count: memory.free))
  }
}
