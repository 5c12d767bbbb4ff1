/// The MIFARE DESFire chips: one row a product. To add a chip, add a row here.
///
/// Versions as libfreefare's and Proxmark3's users print them; the ATS is the same in all three.
package struct DESFireSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// Hardware and software major and minor version of GetVersion.
  let hardware: (major: UInt8, minor: UInt8)
  let software: (major: UInt8, minor: UInt8)
  /// The longest command, in bytes, beyond which an EV1 wants it in parts (AN11004: MLc 34h); nil:
  /// as the frames are chained.
  let longestCommand: Int?

  static let all = [
    DESFireSilicon("desfire-ev1", hardware: (0x01, 0x00), software: (0x01, 0x04), longest: 60),
    DESFireSilicon("desfire-ev2", hardware: (0x12, 0x00), software: (0x02, 0x01), longest: nil),
    DESFireSilicon("desfire-ev3", hardware: (0x33, 0x00), software: (0x03, 0x00), longest: nil),
  ]

  init(
    _ name: String, hardware: (UInt8, UInt8), software: (UInt8, UInt8), longest: Int?
  ) {
    self.name = name
    self.hardware = hardware
    self.software = software
    longestCommand = longest
  }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The memory of a card, by what it is sold as.
struct DESFireMemory: Hashable {
  /// In its name, and in GetVersion.
  let nominal: Int
  /// The storage byte of GetVersion: 2^(n / 2).
  let storage: UInt8
  /// What GetFreeMemory tells of a blank card: 2K in Proxmark3's `doc/desfire.md`, 4K and 8K at
  /// GetFreeMemory in ElmüSoft's `Desfire.cpp`, each as a card told it.
  let free: Int

  static let all = [
    DESFireMemory(nominal: 2048, storage: 0x16, free: 2304),
    DESFireMemory(nominal: 4096, storage: 0x18, free: 4864),
    DESFireMemory(nominal: 8192, storage: 0x1A, free: 7936),
  ]

  /// The smallest that is sold as having at least `count` bytes.
  static func atLeast(_ count: Int) -> DESFireMemory {
    all.first { $0.nominal >= count } ?? all[all.count - 1]
  }

  /// Memory comes in pieces of this size.
  static let piece = 32
  /// What a file takes beside its content. Assumed: then the application of AN11004 with its file
  /// of 0800h fits on a 2K card.
  static let fileHeader = piece
  /// What an application takes with `count` AES keys: 160 bytes with two (Proxmark3,
  /// `doc/desfire.md`); how they are made up is assumed.
  static func application(keys count: Int) -> Int { 4 * piece + (count + 1) / 2 * piece }
}

/// The status byte of a native command (MF3ICD81, table 9).
enum DESFireStatus: UInt8, Error {
  case ok = 0x00
  case noChanges = 0x0C
  case outOfMemory = 0x0E
  case unknownCommand = 0x1C
  case integrity = 0x1E
  case noSuchKey = 0x40
  case length = 0x7E
  case permission = 0x9D
  case parameter = 0x9E
  case noApplication = 0xA0
  /// Too many failed authentications: the tag makes the host wait.
  case delay = 0xAD
  case authentication = 0xAE
  case more = 0xAF
  case boundary = 0xBE
  case aborted = 0xCA
  case countError = 0xCE
  case duplicate = 0xDE
  case memoryError = 0xEE
  case noFile = 0xF0
}
