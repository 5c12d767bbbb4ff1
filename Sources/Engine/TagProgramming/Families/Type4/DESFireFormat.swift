import TagMemory

/// The NDEF application of a blank DESFire, as AN11004 has it: its numbers, its files, and what
/// stands in them.
enum DESFireFormat {
  /// The card itself.
  static let card: UInt32 = 0
  /// The number that the application gets where no other has it.
  static let firstNumber: UInt32 = 0x000001
  /// Its ISO file identifier.
  static let isoFile = FileID(0xE110)
  /// The files' numbers.
  static let capabilityFile: UInt8 = 1
  static let messageFile: UInt8 = 2
  /// Files can be created and listed without the application's key, which can be changed.
  static let settings: UInt8 = 0x0F
  /// The version that a new AES key gets: a delivered one has 0.
  static let keyVersion: UInt8 = 1
  /// What directory, key and the two files take besides their bytes: more is free on a 2K card with
  /// the largest file.
  static let overhead = 192
  /// Files take memory in pieces of this size.
  static let pieceByteCount = 32

  /// The container of a message's file of `byteCount` bytes.
  static func container(byteCount: Int) -> CapabilityFile {
    CapabilityFile(
      longestRead: 0x3A, longestWrite: 0x34,
      message: FileControl(.message, .usualMessage, byteCount: byteCount))
  }

  /// Bytes of the message's file on a card of `version` with `free` bytes left: as large as AN11004
  /// says for its size, or what is left. Nil where not even a short message fits.
  static func messageFileByteCount(_ version: DESFireVersion?, free: Int?) -> Int? {
    let usual =
      switch version?.leastByteCount ?? 0 {
      case ..<4096: 0x0800
      case ..<8192: 0x1000
      default: 0x1E00
      }
    guard let free else { return usual }
    let left = (free - overhead - pieceByteCount) / pieceByteCount * pieceByteCount
    return left < 2 * pieceByteCount ? nil : min(usual, left)
  }
}

extension DESFireCommand {
  static let changeKeyInstruction: UInt8 = 0xC4

  /// ChangeKey as a plan holds it: what is encrypted only in a session. The key is the one that was
  /// proven, number 0.
  static func plannedChangeKey(to key: DESFireKey, version: UInt8) -> [UInt8] {
    [changeKeyInstruction, key.kind.rawValue, version] + key.bytes
  }

  /// The key and its version in such a command.
  static func changedKey(in command: DESFireCommand) -> (DESFireKey, version: UInt8) {
    guard command.data.count > 2, let kind = DESFireKey.Kind(rawValue: command.data[0]),
      let key = DESFireKey(kind, Array(command.data[2...]))
    else { preconditionFailure("the planner made an invalid ChangeKey") }
    return (key, command.data[1])
  }
}
