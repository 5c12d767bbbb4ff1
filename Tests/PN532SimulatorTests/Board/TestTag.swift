import PN532Simulator

/// The least a tag can be: 16 pages of memory, READ, WRITE and COMPATIBILITY_WRITE; as a Classic
/// also authentication with one key; with an ATS it echoes APDUs.
final class TestTag: VirtualTag {
  let product = "test"
  let atqa: UInt16
  let sak: UInt8
  let uid: [UInt8]
  let ats: [UInt8]
  let technology: TagTechnology
  let eeprom = EEPROM([UInt8](0..<64))
  private(set) var state = TagState.idle
  /// Why it is awake: from HALT it falls back there.
  private var cameFromHalt = false
  private var isAuthenticated = false
  private var pendingPage: Int?
  /// Frames it took while active.
  private(set) var heard: [[UInt8]] = []
  let waitExtensions: Int

  init(
    uid: [UInt8], sak: UInt8 = 0x00, atqa: UInt16 = 0x0044, ats: [UInt8] = [],
    technology: TagTechnology = .a, waits: Int = 0
  ) {
    waitExtensions = waits
    (self.uid, self.sak, self.atqa, self.ats, self.technology) = (uid, sak, atqa, ats, technology)
  }

  static func type2() -> TestTag { TestTag(uid: [0x04, 0x7F, 0xA9, 0x9A, 0x1F, 0x66, 0x80]) }
  static func classic(_ uid: [UInt8] = [0x27, 0x8B, 0x70, 0x34]) -> TestTag {
    TestTag(uid: uid, sak: 0x08, atqa: 0x0004)
  }
  static func isoDEP() -> TestTag {
    TestTag(
      uid: [0x04, 1, 2, 3, 4, 5, 6], sak: 0x20, atqa: 0x0344, ats: [0x75, 0x77, 0x81, 0x02, 0x80])
  }
  static func feliCa() -> TestTag {
    TestTag(uid: [1, 2, 3, 4, 5, 6, 7, 8], technology: .f)
  }

  static let key: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

  func powerOff() {
    (state, cameFromHalt, isAuthenticated, pendingPage) = (.idle, false, false, nil)
  }

  func select() {
    cameFromHalt = state == .halt
    (state, isAuthenticated, pendingPage) = (.active, false, nil)
  }

  func halt() { (state, isAuthenticated, pendingPage) = (.halt, false, nil) }

  func receive(_ frame: [UInt8]) -> TagAnswer {
    if technology == .f { return answerFeliCa(frame) }
    guard state == .active else { return .silence }
    heard.append(frame)
    if !ats.isEmpty {
      if frame.first == 0xD6 { _ = program([0, 0, 0, 0], 0) }
      return .data(frame + [0x90, 0x00])
    }
    if let page = pendingPage {
      pendingPage = nil
      return frame.count >= 4 ? program(Array(frame.prefix(4)), page) : refuse()
    }
    guard sak != 0x08 || isAuthenticated else { return refuse() }
    switch (frame.first, frame.count) {
    case (0x30, 2) where frame[1] < 13:
      return .data(Array(eeprom.bytes[Int(frame[1]) * 4..<Int(frame[1]) * 4 + 16]))
    case (0xA2, 6) where frame[1] < 16: return program(Array(frame[2...]), Int(frame[1]))
    case (0xA0, 2) where frame[1] < 16:
      pendingPage = Int(frame[1])
      return .nibble(0xA)
    case (0x60, 1): return .data([0, 4, 4, 2, 1, 0, 0x0F, 3])
    default: return refuse()
    }
  }

  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid given: [UInt8]) -> Bool {
    isAuthenticated = state == .active && key == Self.key && given == Array(uid.suffix(4))
    if !isAuthenticated { _ = refuse() }
    return isAuthenticated
  }

  func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? {
    guard technology == .f, systemCode == 0xFFFF || systemCode == 0x12FC else { return nil }
    return [0x01] + uid + [UInt8](repeating: 0xFF, count: 8)
      + (requestCode == 1 ? [0x12, 0xFC] : [])
  }

  /// Polling and, to everything else, Request Response (JIS X 6319-4).
  private func answerFeliCa(_ frame: [UInt8]) -> TagAnswer {
    guard frame.count == 6, frame[1] == 0x00 else { return .data([0x0B, 0x05] + uid + [0x00]) }
    let found = poll(
      systemCode: UInt16(frame[2]) << 8 | UInt16(frame[3]), requestCode: frame[4])
    return found.map { .data([UInt8($0.count + 1)] + $0) } ?? .silence
  }

  private func program(_ bytes: [UInt8], _ page: Int) -> TagAnswer {
    guard case .programmed = eeprom.program(bytes, at: page * 4) else {
      powerOff()
      return .silence
    }
    return .nibble(0xA)
  }

  private func refuse() -> TagAnswer {
    state = cameFromHalt ? .halt : .idle
    isAuthenticated = false
    return .nibble(0x0)
  }
}
