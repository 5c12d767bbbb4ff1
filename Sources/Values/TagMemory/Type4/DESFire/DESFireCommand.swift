/// A native command of DESFire and NTAG 424 DNA: an instruction byte and data, which goes out as an
/// APDU of class 90h (MF3ICDx21, 9.8; NT4H2421Gx, 8.4).
package struct DESFireCommand: Hashable, Sendable {
  package let instruction: UInt8
  package let data: [UInt8]

  package init(_ instruction: UInt8, _ data: [UInt8] = []) {
    (self.instruction, self.data) = (instruction, data)
  }

  package var apdu: CommandAPDU {
    CommandAPDU(0x90, instruction, 0x00, 0x00, data: data, expectedLength: 0x100)
  }

  /// Instruction and data, without what wraps them.
  package var bytes: [UInt8] { [instruction] + data }

  package static let getVersion = DESFireCommand(0x60)
  package static let anotherFrame = DESFireCommand(0xAF)
  package static let getKeySettings = DESFireCommand(0x45)
  package static let getApplicationIDs = DESFireCommand(0x6A)
  package static let getFileIDs = DESFireCommand(0x6F)
  /// How many bytes no file takes: EV1 and later.
  package static let freeMemory = DESFireCommand(0x6E)

  /// An application by its identifier; 0 is the card itself.
  package static func select(_ application: UInt32) -> DESFireCommand {
    DESFireCommand(0x5A, lowFirst(Int(application), 3))
  }

  package static func getFileSettings(_ file: UInt8) -> DESFireCommand {
    DESFireCommand(0xF5, [file])
  }

  /// The version that an AES key was given with.
  package static func getKeyVersion(_ key: UInt8) -> DESFireCommand { DESFireCommand(0x64, [key]) }

  /// A change of who may do what with a file, and how it is transferred.
  package static func changeFileSettings(
    _ file: UInt8, _ communication: UInt8, _ rights: DESFireRights
  ) -> DESFireCommand {
    DESFireCommand(0x5F, [file, communication] + rights.bytes)
  }

  /// Reads `count` bytes of a data file.
  package static func readData(_ file: UInt8, from offset: Int, count: Int) -> DESFireCommand {
    DESFireCommand(0xBD, [file] + lowFirst(offset, 3) + lowFirst(count, 3))
  }

  /// Writes to a data file.
  package static func writeData(_ bytes: [UInt8], to file: UInt8, from offset: Int)
    -> DESFireCommand
  {
    DESFireCommand(0x3D, [file] + lowFirst(offset, 3) + lowFirst(bytes.count, 3) + bytes)
  }

  /// An application whose files have ISO identifiers, with one key of `kind`. `settings` are its
  /// master key's rights: 0F lets files be created and listed without it, and it be changed.
  package static func createApplication(
    _ application: UInt32, settings: UInt8, kind: DESFireKey.Kind, isoFile: FileID, name: [UInt8]
  ) -> DESFireCommand {
    DESFireCommand(
      0xCA,
      lowFirst(Int(application), 3) + [settings, kind.rawValue | 0x20 | 0x01]
        + isoFile.bytes.reversed() + name)
  }

  /// A file of plain data.
  package static func createDataFile(
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
package struct DESFireRights: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// Everyone reads, the application's key writes.
  package static let readOnly = DESFireRights(0xE000)
  /// Everyone reads, nobody writes or changes that.
  package static let closed = DESFireRights(0xEFFF)
  /// Everyone reads and writes, the application's key changes that.
  package static let free = DESFireRights(0xEEE0)

  /// Low byte first.
  package var bytes: [UInt8] { [UInt8(rawValue & 0xFF), UInt8(rawValue >> 8)] }

  package var read: UInt8 { UInt8(rawValue >> 12) }
  package var write: UInt8 { UInt8(rawValue >> 8 & 0xF) }
  package var readAndWrite: UInt8 { UInt8(rawValue >> 4 & 0xF) }
  package var change: UInt8 { UInt8(rawValue & 0xF) }

  package static let everyone: UInt8 = 0xE
  package static let nobody: UInt8 = 0xF

  /// Is true if everyone may read.
  package var isFreeToRead: Bool { read == Self.everyone || readAndWrite == Self.everyone }
  /// Is true if everyone may write.
  package var isFreeToWrite: Bool { write == Self.everyone || readAndWrite == Self.everyone }

  /// Is true if nobody may write, or change that.
  package var isClosed: Bool { rawValue & 0x0FFF == 0x0FFF }

  /// Returns these rights once nobody may write the file or change that; `underKey`: nobody without
  /// the application's key. Everyone may read it.
  package func locked(underKey: Bool) -> DESFireRights {
    guard underKey else { return .closed }
    return isFreeToWrite || change == Self.everyone || read != Self.everyone ? .readOnly : self
  }
}

/// What GetFileSettings answers of a data file: seven bytes, more where NTAG 424 DNA mirrors into
/// it.
package struct DESFireFileSettings: Hashable, Sendable {
  /// 0: standard data, 1: backup data; others hold no bytes as such.
  package let type: UInt8
  /// How the file is transferred, and on NTAG 424 DNA whether it mirrors (40h).
  package private(set) var options: UInt8
  package var rights: DESFireRights
  package let byteCount: Int
  /// What NTAG 424 DNA adds where it mirrors.
  package private(set) var mirror: [UInt8]
  /// Is true if an NTAG 424 DNA fills something in as the file is read.
  package var isMirrored: Bool { options & 0x40 != 0 }

  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 7, bytes[0] <= 1 else { return nil }
    (type, options) = (bytes[0], bytes[1])
    rights = DESFireRights(UInt16(bytes[3]) << 8 | UInt16(bytes[2]))
    byteCount = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16
    mirror = Array(bytes[7...])
  }

  /// These are the settings of a tag that fills nothing in as the file is read.
  package var withoutMirror: DESFireFileSettings {
    var settings = self
    (settings.options, settings.mirror) = (options & ~0x40, [])
    return settings
  }
}

/// What GetKeySettings answers: what may be done without the master key, and how many keys of which
/// kind there are.
package struct DESFireKeySettings: Hashable, Sendable {
  package let settings: UInt8
  package let count: UInt8

  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    (settings, count) = (bytes[0], bytes[1])
  }

  package var kind: DESFireKey.Kind? { DESFireKey.Kind(rawValue: count & 0xC0) }
  /// Applications, or files, can be created without the master key.
  package var isFreeToCreate: Bool { settings & 0x04 != 0 }
  /// The master key can be changed.
  package var canChangeMasterKey: Bool { settings & 0x01 != 0 }
}
