import PN532
import Readers
import TagMemory

/// Which bytes of commands and answers are keys and passwords, by the bytes alone.
package enum FrameSecrets {
  /// A card of type A whose commands are a MIFARE Classic's.
  private static let classic = Target.typeA(
    Activation(atqa: 0x0004, sak: 0x08, uid: UID([1, 2, 3, 4]), ats: []))

  /// `command` with nil for each byte of a key or a password. `isClassic`: blocks that are trailers
  /// hold keys.
  package static func masked(_ command: [UInt8], isClassic: Bool) -> [UInt8?] {
    guard let (tag, start) = tagCommand(command, isClassic: isClassic) else {
      return command.map { $0 }
    }
    return mask(command.map { $0 }, tag.secrets.frame, from: start)
  }

  /// Returns the answer to `command`, its status first, with nil for each byte of a key or a
  /// password. `isClassic`: blocks that are trailers hold keys.
  package static func masked(
    answer: [UInt8?], to command: [UInt8?], isClassic: Bool
  ) -> [UInt8?] {
    let bytes = command.map { $0 ?? 0 }
    guard let (tag, _) = tagCommand(bytes, isClassic: isClassic) else { return answer }
    return tag.secrets.masked(answer: answer)
  }

  /// Returns `exchange`, which is known in part, with nil for each byte of a key or a password.
  package static func masked(_ exchange: RecordedExchange, isClassic: Bool) -> RecordedExchange {
    var masked = exchange
    let shown = Self.masked(exchange.command.map { $0 ?? 0 }, isClassic: isClassic)
    masked.command = zip(exchange.command, shown).map { $1 == nil ? nil : $0 }
    if let answer = exchange.answer {
      masked.outcome = .answer(
        Self.masked(answer: answer, to: exchange.command, isClassic: isClassic))
    }
    return masked
  }

  /// Both, as a tag without ISO-DEP and one with it understand them: what either keeps to itself.
  private static func tagCommand(
    _ command: [UInt8], isClassic: Bool
  ) -> (command: TagCommand, start: Int)? {
    guard let frame = TagFrame.bytes(in: command) else { return nil }
    let start = command.count - frame.count
    // FeliCa: the length, then Read or Write Without Encryption and the IDm; the card key is a
    // block.
    if frame.count > 10, Int(frame[0]) == frame.count, [0x06, 0x08].contains(frame[1]) {
      let tag = FeliCaActivation(
        idm: Array(frame[2..<10]), pmm: [UInt8](repeating: 0, count: 8), systemCode: nil,
        bitRate: .kbit212)
      // Its frame is counted without the length.
      return (TagCommand(raw: frame, for: .feliCa(tag), inProtocol: false), start + 1)
    }
    // The tag's challenge, under its key.
    // A MIFARE Classic's: block, key, and the bytes of the UID, which the table does not count.
    if [0x60, 0x61].contains(frame.first), frame.count >= 8 {
      return (TagCommand(raw: Array(frame[..<8]), for: classic, inProtocol: false), start)
    }
    if frame.first == 0xAF, [17, 33].contains(frame.count) {
      return (.proveKey(Array(frame.dropFirst())), start)
    }
    if frame == [0x1A, 0x00] { return (.beginKeyProof(blockByteCount: 16), start) }
    let bare = TagCommand(raw: frame, for: isClassic ? classic : nil, inProtocol: false)
    guard bare.secrets == .none else {
      return (bare, start)
    }
    return (TagCommand(raw: frame, for: nil, inProtocol: true), start)
  }

  private static func mask(
    _ bytes: [UInt8?], _ ranges: [Range<Int>], from start: Int
  ) -> [UInt8?] {
    bytes.enumerated().map { index, byte in
      ranges.contains { $0.contains(index - start) } ? nil : byte
    }
  }
}
