/// A FeliCa Lite or Lite-S tag (Sony, FeliCa Lite-S User's Manual; NFC Forum Type 3 Tag 1.0).
///
/// `receive` takes and gives frames with their length byte first. EEPROM layout:
/// `FeliCaLiteSilicon.blocks`.
package final class VirtualFeliCaLite: VirtualTag {
  package let silicon: FeliCaLiteSilicon
  package let technology = TagTechnology.f
  package let atqa: UInt16 = 0
  package let sak: UInt8 = 0
  package let ats: [UInt8] = []
  /// The IDm, 8 bytes.
  package let uid: [UInt8]
  package let eeprom: EEPROM
  package private(set) var state = TagState.idle
  /// WCNT: writes that were carried out, 24 bits. It survives without power.
  var writeCount = 0
  /// A challenge was written.
  var session: FeliCaSession?
  /// EXT_AUTH: the host has proved that it knows the card key.
  var hostIsAuthenticated = false

  package var product: String { silicon.name }
  package var programmingTime: Duration? { silicon.programmingTime }

  /// An empty NDEF tag, or with `blank` one as Sony delivers it. `idm` has 8 bytes.
  package init(_ silicon: FeliCaLiteSilicon, idm: [UInt8], blank: Bool = false) {
    precondition(idm.count == 8, "an IDm of a wrong size")
    self.silicon = silicon
    uid = idm
    eeprom = EEPROM(silicon.memory(idm: idm, blank: blank))
  }

  package func powerOff() {
    state = .idle
    session = nil
    hostIsAuthenticated = false
  }
  package func select() { state = .active }
  /// FeliCa has no HALT state.
  package func halt() { state = .idle }

  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    false
  }

  package func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    let codes: [UInt16] = configuration.servesNDEF ? [0x88B4, 0x12FC] : [0x88B4]
    let served = codes.first { code in
      [0xFF00, 0x00FF].allSatisfy { (mask: UInt16) in
        systemCode & mask == mask || systemCode & mask == code & mask
      }
    }
    guard let served else { return nil }
    let request: [UInt8] =
      switch requestCode {
      case 1: [UInt8(served >> 8), UInt8(served & 0xFF)]
      // 212 and 424 kbit/s, told by itself.
      case 2: [0x00, 0x83]
      default: []
      }
    return [0x01] + uid + silicon.pmm + request
  }

  package func receive(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count >= 2, Int(frame[0]) == frame.count else { return .silence }
    if frame[1] == 0x00, frame.count == 6 {
      let code = UInt16(frame[2]) << 8 | UInt16(frame[3])
      return poll(systemCode: code, requestCode: frame[4]).map(framed) ?? .silence
    }
    guard frame[1] == 0x06 || frame[1] == 0x08, frame.count >= 10, Array(frame[2..<10]) == uid
    else { return .silence }
    let (isRead, request) = (frame[1] == 0x06, Array(frame[10...]))
    let head = [isRead ? 0x07 : 0x09] + uid
    do throws(BlockRequest.Refusal) {
      guard isRead else { return try write(request) ? framed(head + [0, 0]) : .silence }
      let (count, data) = try read(request)
      return framed(head + [0, 0, UInt8(count)] + data)
    } catch {
      return framed(head + error.status)
    }
  }

  var configuration: FeliCaConfiguration {
    FeliCaConfiguration(bytes: stored(FeliCaBlock.configuration))
  }

  func stored(_ block: Int) -> [UInt8] {
    FeliCaLiteSilicon.offset(of: block).map { Array(eeprom.bytes[$0..<$0 + 16]) } ?? []
  }

  private func framed(_ body: [UInt8]) -> TagAnswer { .data([UInt8(body.count + 1)] + body) }
}

extension VirtualFeliCaLite: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: FeliCaLiteSilicon.blocks)
  }
  package var userMemory: Range<Int> { 0..<14 * 16 }
  /// Block 83h starts with the IDm.
  package func bearsUID(_ memory: [UInt8]) -> Bool { Array(memory[256..<264]) == uid }

  package var storedRegisters: [StoredRegister] {
    guard silicon.authenticatesWrites else { return [] }
    return [
      StoredRegister(name: "Write count", value: writeCount, maximum: 0xFF_FFFF, usual: 0)
    ]
  }

  package func store(_ value: Int, in register: String) {
    guard register == "Write count", (0...0xFF_FFFF).contains(value) else { return }
    writeCount = value
  }
}
