/// A native command of DESFire and NTAG 424 DNA: an instruction byte and data, which goes out as an
/// APDU of class 90h (MF3ICDx21, 9.8; NT4H2421Gx, 8.4).
public struct DESFireCommand: Hashable, Sendable {
  public let instruction: UInt8
  public let data: [UInt8]

  public init(_ instruction: UInt8, _ data: [UInt8] = []) {
    (self.instruction, self.data) = (instruction, data)
  }

  public var apdu: CommandAPDU {
    CommandAPDU(0x90, instruction, 0x00, 0x00, data: data, expectedLength: 0x100)
  }

  /// Instruction and data, without what wraps them.
  public var bytes: [UInt8] { [instruction] + data }

  public static let getVersion = DESFireCommand(0x60)
  public static let anotherFrame = DESFireCommand(0xAF)
  public static let getKeySettings = DESFireCommand(0x45)
  public static let getApplicationIDs = DESFireCommand(0x6A)
  public static let getFileIDs = DESFireCommand(0x6F)
  /// How many bytes no file takes: EV1 and later.
  public static let freeMemory = DESFireCommand(0x6E)

  /// An application by its identifier; 0 is the card itself.
  public static func select(_ application: UInt32) -> DESFireCommand {
    DESFireCommand(0x5A, lowFirst(Int(application), 3))
  }

  public static func getFileSettings(_ file: UInt8) -> DESFireCommand {
    DESFireCommand(0xF5, [file])
  }

  /// The version that an AES key was given with.
  public static func getKeyVersion(_ key: UInt8) -> DESFireCommand { DESFireCommand(0x64, [key]) }

  /// A change of who may do what with a file, and how it is transferred.
  public static func changeFileSettings(
    _ file: UInt8, _ communication: UInt8, _ rights: DESFireRights
  ) -> DESFireCommand {
    DESFireCommand(0x5F, [file, communication] + rights.bytes)
  }

  /// Reads `count` bytes of a data file.
  public static func readData(_ file: UInt8, from offset: Int, count: Int) -> DESFireCommand {
    DESFireCommand(0xBD, [file] + lowFirst(offset, 3) + lowFirst(count, 3))
  }

  /// Writes to a data file.
  public static func writeData(_ bytes: [UInt8], to file: UInt8, from offset: Int)
    -> DESFireCommand
  {
    DESFireCommand(0x3D, [file] + lowFirst(offset, 3) + lowFirst(bytes.count, 3) + bytes)
  }

  /// An application whose files have ISO identifiers, with one key of `kind`. `settings` are its
  /// master key's rights: 0F lets files be created and listed without it, and it be changed.
  public static func createApplication(
    _ application: UInt32, settings: UInt8, kind: DESFireKey.Kind, isoFile: FileID, name: [UInt8]
  ) -> DESFireCommand {
    DESFireCommand(
      0xCA,
      lowFirst(Int(application), 3) + [settings, kind.rawValue | 0x20 | 0x01]
        + isoFile.bytes.reversed() + name)
  }

  /// A file of plain data.
  public static func createDataFile(
    _ file: UInt8, isoFile: FileID, rights: DESFireRights, byteCount: Int
  ) -> DESFireCommand {
    DESFireCommand(
      0xCD,
      [file] + isoFile.bytes.reversed() + [0x00] + rights.bytes + lowFirst(byteCount, 3))
  }

  private static func lowFirst(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// Who may read, write, do both, and change these rights: a nibble each from the highest on. 0 to D
/// are keys, E everyone, F nobody (MF3ICDx21, 9.3.3).
public struct DESFireRights: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// Everyone reads, the application's key writes.
  public static let readOnly = DESFireRights(0xE000)
  /// Everyone reads and writes, the application's key changes that.
  public static let free = DESFireRights(0xEEE0)

  /// Low byte first.
  public var bytes: [UInt8] { [UInt8(rawValue & 0xFF), UInt8(rawValue >> 8)] }

  public var read: UInt8 { UInt8(rawValue >> 12) }
  public var write: UInt8 { UInt8(rawValue >> 8 & 0xF) }
  public var readAndWrite: UInt8 { UInt8(rawValue >> 4 & 0xF) }
  public var change: UInt8 { UInt8(rawValue & 0xF) }

  public static let everyone: UInt8 = 0xE
  public static let nobody: UInt8 = 0xF

  /// Whether everyone may write.
  public var isFreeToWrite: Bool { write == Self.everyone || readAndWrite == Self.everyone }
}

/// What GetFileSettings answers of a data file: seven bytes, more where NTAG 424 DNA mirrors into
/// it.
public struct DESFireFileSettings: Hashable, Sendable {
  /// 0: standard data, 1: backup data; others hold no bytes as such.
  public let type: UInt8
  /// How the file is transferred, and on NTAG 424 DNA whether it mirrors (40h).
  public let options: UInt8
  public var rights: DESFireRights
  public let byteCount: Int
  /// What NTAG 424 DNA adds where it mirrors.
  public let mirror: [UInt8]

  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 7, bytes[0] <= 1 else { return nil }
    (type, options) = (bytes[0], bytes[1])
    rights = DESFireRights(UInt16(bytes[3]) << 8 | UInt16(bytes[2]))
    byteCount = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16
    mirror = Array(bytes[7...])
  }
}

/// What GetKeySettings answers: what may be done without the master key, and how many keys of which
/// kind there are.
public struct DESFireKeySettings: Hashable, Sendable {
  public let settings: UInt8
  public let count: UInt8

  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    (settings, count) = (bytes[0], bytes[1])
  }

  public var kind: DESFireKey.Kind? { DESFireKey.Kind(rawValue: count & 0xC0) }
  /// Applications, or files, can be created without the master key.
  public var isFreeToCreate: Bool { settings & 0x04 != 0 }
  /// The master key can be changed.
  public var canChangeMasterKey: Bool { settings & 0x01 != 0 }
}
