/// The MIFARE DESFire chips: one row a product. To add a chip, add a row here.
///
/// Versions as libfreefare's and Proxmark3's users print them; the ATS is the same in all three.
public struct DESFireSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  public let name: String
  /// Hardware and software major and minor version of GetVersion.
  let hardware: (major: UInt8, minor: UInt8)
  let software: (major: UInt8, minor: UInt8)
  /// The longest command, in bytes, beyond which an EV1 wants it in parts (AN11004: MLc 34h); nil: as the frames are chained.
  let longestCommand: Int?

  static let all = [
    DESFireSilicon("desfire-ev1", hardware: (0x01, 0x00), software: (0x01, 0x04), longest: 60),
    DESFireSilicon("desfire-ev2", hardware: (0x12, 0x00), software: (0x02, 0x01), longest: nil),
    DESFireSilicon("desfire-ev3", hardware: (0x33, 0x00), software: (0x03, 0x00), longest: nil),
  ]

  /// Bytes for files, as the storage byte of GetVersion tells them: 2^(n / 2).
  static let sizes = [2048: UInt8(0x16), 4096: UInt8(0x18), 8192: UInt8(0x1A)]

  init(
    _ name: String, hardware: (UInt8, UInt8), software: (UInt8, UInt8), longest: Int?
  ) {
    self.name = name
    self.hardware = hardware
    self.software = software
    longestCommand = longest
  }

  public static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
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
