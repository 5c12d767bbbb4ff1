import PN532
import TagMemory

/// MIFARE Classic commands (MF1S50YYX_V1, 9), through InDataExchange.
extension TagCommand {
  /// AUTH: opens the sector of `block`; the selected tag's UID is added.
  package static func authenticate(block: Int, key: Key, type: KeyType) -> TagCommand {
    TagCommand(
      [type.rawValue, UInt8(block)] + key.bytes, kind: .authentication, answer: .none,
      addressing: .uid, work: .classicAuthentication, secrets: Secrets(frame: [2..<8]),
      mayRepeat: true)
  }

  /// READ: the 16 bytes of a block in an open sector. A trailer's keys are secret.
  package static func readBlock(_ block: Int) -> TagCommand {
    TagCommand(
      [0x30, UInt8(block)], kind: .read, answer: .bytes(16),
      secrets: isTrailer(block) ? Secrets(answer: [0..<6, 10..<16]) : .none, mayRepeat: true)
  }

  /// WRITE: the 16 bytes of a block in an open sector. A trailer's keys are secret.
  package static func writeBlock(_ block: Int, _ bytes: [UInt8]) -> TagCommand {
    precondition(bytes.count == 16, "a block has 16 bytes")
    return TagCommand(
      [0xA0, UInt8(block)] + bytes, kind: .write, answer: .none, work: .classicWrite,
      secrets: isTrailer(block) ? Secrets(frame: [2..<8, 12..<18]) : .none)
  }

  private static func isTrailer(_ block: Int) -> Bool { Block(UInt8(block)).isTrailer }
}
