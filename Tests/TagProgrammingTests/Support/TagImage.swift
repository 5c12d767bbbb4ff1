/// What a telephone would find in a tag's memory: a reader of its own, small and without any of the
/// code under test.
enum TagImage {
  enum Content: Equatable {
    /// No NDEF tag.
    case none
    /// An NDEF tag with a message of these bytes, which may be none.
    case message([UInt8])
    /// An NDEF tag whose length runs beyond its area, or stands over bytes that are no message.
    case rubbish
  }

  static func content(ofType2 memory: [UInt8], of product: String = "") -> Content {
    guard memory[12] == 0xE1, memory[13] >> 4 == 1 else { return .none }
    let memory = product.hasPrefix("ultralight") ? memory : mirrored(memory)
    return message(in: Array(memory[16..<min(memory.count, 16 + Int(memory[14]) * 8)]))
  }

  /// A Type 2 tag's memory as it is read, the counter as zeros (NTAG213/215/216, 8.7). The size
  /// tells the chip.
  private static func mirrored(_ memory: [UInt8]) -> [UInt8] {
    let places = [80: (16, 15), 164: (37, 35), 180: (41, 39), 540: (131, 129), 924: (227, 225)]
    guard let (page, last) = places[memory.count] else { return memory }
    let (kind, first) = (memory[page * 4] >> 6, Int(memory[page * 4 + 2]))
    guard first > 3, memory.count < 180 || kind != 0 else { return memory }
    let uid = memory[0..<3] + memory[4..<8]
    let digits = uid.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().uppercased()
    let text = [0: digits, 1: digits, 2: "000000", 3: digits + "x000000"][
      memory.count < 180 ? 0 : kind]!
    let start = first * 4 + Int(memory[page * 4] >> 4 & 3)
    guard start + text.utf8.count <= last * 4 + 4 else { return memory }
    return memory[..<start] + Array(text.utf8) + memory[(start + text.utf8.count)...]
  }

  static func content(ofClassic memory: [UInt8]) -> Content {
    let isPublic = Array(memory[48..<54]) == [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
    guard isPublic, hasChecksum(memory[16..<48]), memory[57] & 0x80 != 0 else { return .none }
    // Where each sector starts, its trailer, and its entry in the directory.
    var sectors = (1..<min(16, memory.count / 64)).map {
      (start: $0 * 64, trailer: $0 * 64 + 48, entry: 16 + $0 * 2)
    }
    if memory[57] & 0x03 == 2, memory.count == 4096, hasChecksum(memory[1024..<1072]) {
      sectors += (17..<32).map { ($0 * 64, $0 * 64 + 48, 1024 + ($0 - 16) * 2) }
      sectors += (32..<40).map {
        (2048 + ($0 - 32) * 256, 2048 + ($0 - 32) * 256 + 240, 1024 + ($0 - 16) * 2)
      }
    }
    var area: [UInt8] = []
    for sector in sectors {
      guard Array(memory[sector.entry..<sector.entry + 2]) == [0x03, 0xE1] else {
        if area.isEmpty { continue } else { break }
      }
      let key = Array(memory[sector.trailer..<sector.trailer + 6])
      guard key == [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7] else { break }
      area += memory[sector.start..<sector.trailer]
    }
    return area.isEmpty ? .none : message(in: area)
  }

  /// The directory's checksum over what follows it (AN10787, 3.10).
  private static func hasChecksum(_ part: ArraySlice<UInt8>) -> Bool {
    var crc: UInt8 = 0xC7
    for byte in part.dropFirst() {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : (crc << 1) ^ 0x1D }
    }
    return crc == part.first
  }

  /// Whether sector 0 says that there is a directory, and a part of that has a wrong checksum.
  static func hasBadDirectory(_ memory: [UInt8]) -> Bool {
    let isPublic = Array(memory[48..<54]) == [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
    guard isPublic, memory[57] & 0x80 != 0 else { return false }
    if memory[57] & 0x03 == 2, memory.count == 4096, !hasChecksum(memory[1024..<1072]) {
      return true
    }
    return !hasChecksum(memory[16..<48])
  }

  /// Whether the access bits of some sector contradict themselves (MF1S50YYX_V1, 8.7.1).
  static func hasDestroyedSector(_ memory: [UInt8]) -> Bool {
    let large = stride(from: 2048 + 240, to: memory.count, by: 256)
    return (Array(stride(from: 48, to: min(memory.count, 2048), by: 64)) + large).contains {
      trailer in
      let (a, b, c) = (memory[trailer + 6], memory[trailer + 7], memory[trailer + 8])
      return a & 0xF != ~b >> 4 & 0xF || a >> 4 != ~c & 0xF || b & 0xF != ~c >> 4 & 0xF
    }
  }

  /// Whether anything in a Type 2 tag says that it is locked: its capability container, a static or
  /// a dynamic lock bit.
  static func hasLocks(ofType2 memory: [UInt8], dynamicPage: Int?) -> Bool {
    let dynamic = dynamicPage.map { memory[$0 * 4..<$0 * 4 + 3] } ?? []
    return memory[15] & 0x0F != 0 || memory[10] | memory[11] != 0 || dynamic.contains { $0 != 0 }
  }

  /// Whether any sector has the access bits of a read-only NFC sector (AN1304, 6.4); sectors of
  /// four blocks only.
  static func hasLocks(ofClassic memory: [UInt8]) -> Bool {
    stride(from: 48, to: min(memory.count, 2048), by: 64).contains {
      Array(memory[$0 + 6..<$0 + 9]) == [0x07, 0x8F, 0x0F]
    }
  }

  /// The memory with the general purpose byte 43h in each read-only NFC sector: one that was torn
  /// to another value that forbids writing can never be put right, and says the same.
  static func settingTornByte(ofClassic memory: [UInt8]) -> [UInt8] {
    var memory = memory
    for trailer in stride(from: 48, to: min(memory.count, 2048), by: 64)
    where Array(memory[trailer + 6..<trailer + 9]) == [0x07, 0x8F, 0x0F]
      && memory[trailer + 9] & 0x03 != 0
    {
      memory[trailer + 9] = 0x43
    }
    return memory
  }

  private static func message(in area: [UInt8]) -> Content {
    var at = 0
    while at + 1 < area.count {
      let type = area[at]
      if type == 0 {
        at += 1
        continue
      }
      if type == 0xFE { return .rubbish }
      var length = Int(area[at + 1])
      var start = at + 2
      if length == 0xFF {
        guard at + 3 < area.count else { return .rubbish }
        length = Int(area[at + 2]) << 8 | Int(area[at + 3])
        start = at + 4
      }
      guard start + length <= area.count else { return .rubbish }
      if type == 3 { return .message(Array(area[start..<start + length])) }
      at = start + length
    }
    return .rubbish
  }
}
