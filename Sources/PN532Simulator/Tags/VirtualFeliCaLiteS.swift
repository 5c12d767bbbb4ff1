/// A FeliCa Lite-S tag (Sony, FeliCa Lite-S User's Manual; NFC Forum Type 3 Tag 1.0), without its MAC.
///
/// `receive` takes and gives frames with their length byte first. EEPROM layout: blocks 0 to 14, then 82h to 88h.
public final class VirtualFeliCaLiteS: VirtualTag {
  public let product = "felica-lite-s"
  public let technology = TagTechnology.f
  public let atqa: UInt16 = 0
  public let sak: UInt8 = 0
  public let ats: [UInt8] = []
  /// The IDm, 8 bytes.
  public let uid: [UInt8]
  public let eeprom: EEPROM
  public private(set) var state = TagState.idle

  /// What the tag can do and how long it takes: FeliCa Lite-S.
  public static let pmm: [UInt8] = [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]
  /// The blocks in EEPROM order: S_PAD 0 to 13, REG, then ID, D_ID, SER_C, SYS_C, CKV, CK and MC.
  static let blocks = Array(0...14) + Array(0x82...0x88)
  private static let mc = 0x88

  /// Bits 0 to 13 of a 16-bit mask in MC stand for S_PAD 0 to 13, bit 14 for REG.
  private enum Mask: Int {
    case writable = 0
    case readNeedsAuthentication = 6
    case writeNeedsAuthentication = 8
    case writeNeedsMAC = 10
  }

  /// An empty NDEF tag (13 blocks for a message), or with `blank` one as Sony delivers it, which does not answer
  /// to the NDEF system code. `idm` has 8 bytes.
  public init(idm: [UInt8], blank: Bool = false) {
    precondition(idm.count == 8, "an IDm of a wrong size")
    uid = idm
    eeprom = EEPROM([UInt8](repeating: 0, count: Self.blocks.count * 16))
    var memory = eeprom.bytes
    func put(_ bytes: [UInt8], _ block: Int) {
      let offset = Self.offset(of: block) ?? 0
      memory.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(idm, 0x82)
    put(idm + Self.pmm, 0x83)
    put([0x88, 0xB4], 0x85)
    put([0xFF, 0xFF, 0xFF, blank ? 0x00 : 0x01, 0x07], Self.mc)
    if !blank {
      put([0x10, 0x04, 0x01, 0x00, 0x0D, 0, 0, 0, 0, 0x00, 0x01, 0, 0, 0, 0x00, 0x23], 0)
    }
    eeprom.load(memory)
  }

  public func powerOff() { state = .idle }
  public func select() { state = .active }
  /// FeliCa has no HALT state.
  public func halt() { state = .idle }

  public func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  public func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    let isNDEF = stored(Self.mc)[3] == 0x01
    guard
      let code = (isNDEF ? [0x88B4, 0x12FC] : [0x88B4]).first(where: { (code: UInt16) in
        let matches = { (mask: UInt16) in
          systemCode & mask == mask || systemCode & mask == code & mask
        }
        return matches(0xFF00) && matches(0x00FF)
      })
    else { return nil }
    let tail = requestCode == 1 ? [UInt8(code >> 8), UInt8(code & 0xFF)] : []
    return [0x01] + uid + Self.pmm + tail
  }

  public func receive(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count >= 2, Int(frame[0]) == frame.count else { return .silence }
    if frame[1] == 0x00, frame.count == 6 {
      let code = UInt16(frame[2]) << 8 | UInt16(frame[3])
      return poll(systemCode: code, requestCode: frame[4]).map(framed) ?? .silence
    }
    guard frame[1] == 0x06 || frame[1] == 0x08, frame.count >= 10, Array(frame[2..<10]) == uid
    else { return .silence }
    let isRead = frame[1] == 0x06
    do throws(BlockRequest.Flag) {
      let request = try BlockRequest(Array(frame[10...]), isRead: isRead)
      return isRead ? try read(request) : try write(request)
    } catch {
      return framed([isRead ? 0x07 : 0x09] + uid + [0x01, error.rawValue])
    }
  }

  private func read(_ request: BlockRequest) throws(BlockRequest.Flag) -> TagAnswer {
    var data: [UInt8] = []
    for block in request.blocks {
      guard Self.offset(of: block) != nil else { throw .illegalBlock }
      if isSet(.readNeedsAuthentication, block) { throw .notAllowed }
      data += block == 0x87 ? [UInt8](repeating: 0, count: 16) : stored(block)
    }
    return framed([0x07] + uid + [0x00, 0x00, UInt8(request.blocks.count)] + data)
  }

  private func write(_ request: BlockRequest) throws(BlockRequest.Flag) -> TagAnswer {
    let block = request.blocks[0]
    guard let offset = Self.offset(of: block) else { throw .illegalBlock }
    guard mayWrite(block) else { throw .notAllowed }
    if block == 14, !decreases(to: request.data) { throw .writeFailed }
    switch eeprom.program(request.data, at: offset) {
    case .programmed: return framed([0x09] + uid + [0x00, 0x00])
    case .failed: throw .memoryError
    case .powerLost:
      powerOff()
      return .silence
    }
  }

  /// ID, CKV, CK and MC are open until MC_ALL is no longer FFh; D_ID, SER_C and SYS_C never are.
  private func mayWrite(_ block: Int) -> Bool {
    guard block <= 14 else {
      return [0x82, 0x86, 0x87, Self.mc].contains(block) && stored(Self.mc)[2] == 0xFF
    }
    return isSet(.writable, block) && !isSet(.writeNeedsAuthentication, block)
      && !isSet(.writeNeedsMAC, block)
  }

  private func isSet(_ mask: Mask, _ block: Int) -> Bool {
    guard block <= 14 else { return false }
    return stored(Self.mc)[mask.rawValue + block / 8] >> UInt8(block % 8) & 1 == 1
  }

  /// The subtraction register: two 4-byte numbers, low byte first, that never grow.
  private func decreases(to new: [UInt8]) -> Bool {
    let old = stored(14)
    return [0, 4].allSatisfy { start in
      let number = { (bytes: [UInt8]) in
        bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      return number(new) <= number(old)
    }
  }

  private static func offset(of block: Int) -> Int? {
    blocks.firstIndex(of: block).map { $0 * 16 }
  }

  private func stored(_ block: Int) -> [UInt8] {
    Self.offset(of: block).map { Array(eeprom.bytes[$0..<$0 + 16]) } ?? []
  }

  private func framed(_ body: [UInt8]) -> TagAnswer { .data([UInt8(body.count + 1)] + body) }
}

extension VirtualFeliCaLiteS: StoredTag {
  public var rows: MemoryRows { MemoryRows(label: "Block", size: 16, numbers: Self.blocks) }
  public var userMemory: Range<Int> { 0..<14 * 16 }
  /// Block 83h starts with the IDm.
  public func bearsUID(_ memory: [UInt8]) -> Bool { Array(memory[256..<264]) == uid }
}
