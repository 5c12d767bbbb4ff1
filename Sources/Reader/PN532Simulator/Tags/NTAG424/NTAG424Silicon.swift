/// The NTAG 424 DNA chips: one row a product (NT4H2421Gx and NT4H2421Tx, rev. 3.0). To add a chip,
/// add a row here.
package struct NTAG424Silicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// The hardware subtype of GetVersion: 02h, the TagTamper's 08h.
  let subtype: UInt8
  /// It knows GetTTStatus.
  let hasTamperLoop: Bool

  static let all = [
    NTAG424Silicon(name: "ntag424", subtype: 0x02, hasTamperLoop: false),
    NTAG424Silicon(name: "ntag424tt", subtype: 0x08, hasTamperLoop: true),
  ]
}

/// One of the three files of an NTAG 424 DNA (8.2.3): where it lies, and what may be done with it.
struct NTAG424File: Hashable {
  let number: UInt8
  let isoID: UInt16
  let start: Int
  let size: Int

  static let all = [
    NTAG424File(number: 1, isoID: 0xE103, start: 0, size: 32),
    NTAG424File(number: 2, isoID: 0xE104, start: 32, size: 256),
    NTAG424File(number: 3, isoID: 0xE105, start: 288, size: 128),
  ]
  /// Behind the files: 32 bytes of settings for each (their length, then FileOption, rights and
  /// what follows), then five keys of 16 bytes with their versions.
  static let settingsStart = 416
  static let settingsRoom = 32
  static let keysStart = settingsStart + 3 * settingsRoom
  static let keyRoom = 17
  static let memorySize = 608

  /// The files as delivered.
  static var factoryContent: [UInt8] {
    var memory = [UInt8](repeating: 0, count: memorySize)
    func put(_ bytes: [UInt8], _ offset: Int) {
      memory.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(
      [0x00, 0x17, 0x20, 0x01, 0x00, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00, 0x00]
        + [0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83], 0)
    put([0x00, 0x7E], 288)
    // Plain, read free and the rest key 0; plain, all free but changing; full, keys 2, 3, 3 and 0.
    // Low byte first.
    for (index, settings) in [[0x00, 0x00, 0xE0], [0x00, 0xE0, 0xEE], [0x03, 0x30, 0x23]]
      .enumerated()
    {
      put([3] + settings.map { UInt8($0) }, settingsStart + index * settingsRoom)
    }
    return memory
  }
}
