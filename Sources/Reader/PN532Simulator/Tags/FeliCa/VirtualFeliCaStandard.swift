/// A FeliCa Standard card with two systems: its maker's, which a polling for all finds, and one of
/// NDEF (12FCh), whose files need no key. Each system has an IDm of its own: the first four bits
/// number it (FeliCa Card User's Manual, 2.2.2).
///
/// `receive` takes and gives frames with their length byte first. EEPROM layout: the blocks of the
/// NDEF system.
package final class VirtualFeliCaStandard: VirtualTag {
  package let product = "felica-standard"
  package let technology = TagTechnology.f
  package let atqa: UInt16 = 0
  package let sak: UInt8 = 0
  package let ats: [UInt8] = []
  /// The IDm of system 0.
  package let uid: [UInt8]
  package let eeprom: EEPROM
  package private(set) var state = TagState.idle

  /// RC-S960.
  private static let pmm: [UInt8] = [0x01, 0x0D, 0x00, 0x00, 0x02, 0x06, 0x03, 0x00]
  /// In the order of their numbers.
  private static let systems: [UInt16] = [0x0003, 0x12FC]
  static let blockCount = 41
  /// Nbr and Nbw of its attribute block.
  private static let (blocksPerRead, blocksPerWrite) = (12, 8)

  /// An empty NDEF tag. `idm` has 8 bytes.
  package init(idm: [UInt8]) {
    precondition(idm.count == 8, "an IDm of a wrong size")
    uid = [idm[0] & 0x0F] + idm.dropFirst()
    var memory = [UInt8](repeating: 0, count: Self.blockCount * 16)
    let attributes: [UInt8] = [
      0x10, UInt8(Self.blocksPerRead), UInt8(Self.blocksPerWrite), 0, UInt8(Self.blockCount - 1),
      0, 0, 0, 0, 0, 0x01, 0, 0, 0,
    ]
    let sum = attributes.reduce(0) { $0 + Int($1) }
    memory.replaceSubrange(0..<16, with: attributes + [UInt8(sum >> 8), UInt8(sum & 0xFF)])
    eeprom = EEPROM(memory)
  }

  package func powerOff() { state = .idle }
  package func select() { state = .active }
  package func halt() { state = .idle }
  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  private func idm(_ system: Int) -> [UInt8] {
    [UInt8(system << 4) | uid[0] & 0x0F] + uid.dropFirst()
  }

  package func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    let served = Self.systems.firstIndex { code in
      [0xFF00, 0x00FF].allSatisfy { (mask: UInt16) in
        systemCode & mask == mask || systemCode & mask == code & mask
      }
    }
    guard let served else { return nil }
    let code = Self.systems[served]
    let request = requestCode == 1 ? [UInt8(code >> 8), UInt8(code & 0xFF)] : []
    return [0x01] + idm(served) + Self.pmm + request
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count >= 2, Int(frame[0]) == frame.count else { return .silence }
    if frame[1] == 0x00, frame.count == 6 {
      let code = UInt16(frame[2]) << 8 | UInt16(frame[3])
      return poll(systemCode: code, requestCode: frame[4]).map(framed) ?? .silence
    }
    let addressed = Self.systems.indices.first {
      frame.count >= 10 && Array(frame[2..<10]) == idm($0)
    }
    guard let system = addressed, frame[1] == 0x06 || frame[1] == 0x08 else { return .silence }
    let isRead = frame[1] == 0x06
    let head = [frame[1] + 1] + idm(system)
    do throws(BlockRequest.Refusal) {
      // What the maker's system has is under keys.
      guard system == 1 else { throw BlockRequest.Refusal(.illegalService, at: 0) }
      guard let data = try carryOut(Array(frame[10...]), isRead: isRead) else { return .silence }
      return framed(head + [0, 0] + (isRead ? [UInt8(data.count / 16)] + data : []))
    } catch {
      return framed(head + error.status)
    }
  }

  /// What was read, or nothing of what was written; nil: power was lost within it.
  private func carryOut(_ bytes: [UInt8], isRead: Bool) throws(BlockRequest.Refusal) -> [UInt8]? {
    let limit = isRead ? Self.blocksPerRead : Self.blocksPerWrite
    let request = try BlockRequest(bytes, isRead: isRead, limit: limit)
    if let place = request.blocks.firstIndex(where: { $0 >= Self.blockCount }) {
      throw BlockRequest.Refusal(.illegalBlock, at: place)
    }
    if isRead { return request.blocks.flatMap { Array(eeprom.bytes[$0 * 16..<$0 * 16 + 16]) } }
    for (place, block) in request.blocks.enumerated() {
      switch eeprom.program(Array(request.data[place * 16..<place * 16 + 16]), at: block * 16) {
      case .programmed: break
      case .failed: throw BlockRequest.Refusal(.memoryError)
      case .powerLost:
        powerOff()
        return nil
      }
    }
    return []
  }

  private func framed(_ body: [UInt8]) -> TagAnswer { .data([UInt8(body.count + 1)] + body) }
}

extension VirtualFeliCaStandard: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<Self.blockCount))
  }
  package var userMemory: Range<Int> { 0..<Self.blockCount * 16 }
  /// The IDm stands in no block of this system.
  package func bearsUID(_ memory: [UInt8]) -> Bool { true }
}
