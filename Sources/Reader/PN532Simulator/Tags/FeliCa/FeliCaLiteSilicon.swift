/// The FeliCa Lite chips: one row a product (Sony, FeliCa Lite and FeliCa Lite-S User's Manuals,
/// block tables). To add a chip, add a row here.
package struct FeliCaLiteSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// What the tag can do and how long it takes; the second byte tells the chips apart.
  package let pmm: [UInt8]
  /// One write of a block; nil: as other chips. The PMm promises an answer within 1.5 ms for a
  /// Lite, within 6 for a Lite-S.
  let programmingTime: Duration?
  /// It has a write counter, MAC_A and STATE: it takes a MAC with a write, and can ask for one.
  let authenticatesWrites: Bool

  static let all = [
    FeliCaLiteSilicon(
      name: "felica-lite", pmm: [0x00, 0xF0, 0x00, 0x00, 0x02, 0x06, 0x03, 0x00],
      programmingTime: .milliseconds(1), authenticatesWrites: false),
    FeliCaLiteSilicon(
      name: "felica-lite-s", pmm: [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00],
      programmingTime: nil, authenticatesWrites: true),
  ]

  /// The blocks in EEPROM order: S_PAD 0 to 13, REG, then ID, D_ID, SER_C, SYS_C, CKV, CK and MC.
  static let blocks = Array(0...14) + Array(0x82...0x88)

  /// Where a block lies in the EEPROM; nil for those that are computed or forgotten without power.
  static func offset(of block: Int) -> Int? { blocks.firstIndex(of: block).map { $0 * 16 } }

  /// A tag with an empty NDEF message (13 blocks), or with `blank` as Sony delivers it: it does not
  /// answer to the NDEF system code.
  func memory(idm: [UInt8], blank: Bool) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: Self.blocks.count * 16)
    func put(_ bytes: [UInt8], _ block: Int) {
      let offset = Self.offset(of: block) ?? 0
      memory.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(idm, FeliCaBlock.id)
    put(idm + pmm, FeliCaBlock.deviceID)
    put([0x88, 0xB4], FeliCaBlock.systemCodes)
    put([0xFF, 0xFF, 0xFF, blank ? 0x00 : 0x01, 0x07], FeliCaBlock.configuration)
    if !blank {
      put([0x10, 0x04, 0x01, 0x00, 0x0D, 0, 0, 0, 0, 0x00, 0x01, 0, 0, 0, 0x00, 0x23], 0)
    }
    return memory
  }
}

/// The blocks of a FeliCa Lite beside the 14 of user memory.
enum FeliCaBlock {
  /// REG: two numbers that can only be lowered.
  static let register = 0x0E
  /// RC: the random challenge, which makes the session key.
  static let challenge = 0x80
  static let mac = 0x81
  static let id = 0x82
  /// D_ID: IDm and PMm.
  static let deviceID = 0x83
  /// SER_C.
  static let serviceCode = 0x84
  /// SYS_C.
  static let systemCodes = 0x85
  /// CKV.
  static let keyVersion = 0x86
  /// CK.
  static let key = 0x87
  /// MC.
  static let configuration = 0x88
  /// WCNT, Lite-S only, as are the next two.
  static let writeCount = 0x90
  static let macA = 0x91
  static let state = 0x92
}
