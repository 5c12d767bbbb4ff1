import PN532

/// FeliCa commands (JIS X 6319-4; NFC Forum Type 3 Tag 1.0, 5). The reader adds the length and the
/// tag's IDm, checks both and the status flags in the answer, and hands out the rest.
///
/// InDataExchange takes a FeliCa frame with its length byte and gives one back (so do libnfc's
/// `nfc-read-forum-tag3` and Seeed's PN532 library; UM0701-02, 7.3.8 says nothing of it).
extension TagCommand {
  /// Read Without Encryption from service 000Bh: 16 bytes a block, up to four blocks on a Lite tag
  /// (FeliCa Lite-S User's Manual).
  package static func feliCaRead(_ blocks: [UInt16]) -> TagCommand {
    precondition((1...15).contains(blocks.count), "one to fifteen blocks")
    return TagCommand(
      [0x06, 0x01, 0x0B, 0x00, UInt8(blocks.count)] + blocks.flatMap(feliCaElement),
      kind: .read, answer: .bytes(1 + 16 * blocks.count), addressing: .idm, mayRepeat: true)
  }

  /// Write Without Encryption to service 0009h: 16 bytes for each block from `block` on, of which a
  /// Lite tag takes one. The card key (87h) is secret.
  package static func feliCaWrite(block: UInt16, data: [UInt8]) -> TagCommand {
    let count = data.count / 16
    precondition((1...13).contains(count) && data.count == 16 * count, "whole blocks, one to 13")
    let elements = (0..<count).flatMap { feliCaElement(block + UInt16($0)) }
    let holdsKey = (block...block + UInt16(count - 1)).contains(UInt16(feliCaCardKey))
    return TagCommand(
      [0x08, 0x01, 0x09, 0x00, UInt8(count)] + elements + data, kind: .write, answer: .none,
      addressing: .idm, work: .programming,
      secrets: holdsKey
        ? Secrets(frame: [5 + elements.count..<5 + elements.count + data.count]) : .none)
  }

  /// An element of a block list: two bytes, or three with the low byte of the number first (JIS X
  /// 6319-4).
  private static func feliCaElement(_ block: UInt16) -> [UInt8] {
    block < 0x100 ? [0x80, UInt8(block)] : [0x00, UInt8(block & 0xFF), UInt8(block >> 8)]
  }

  /// Polling: whether the tag serves `systemCode`, too (12FCh: NDEF). The answer is 01h, IDm, PMm
  /// and the system code; a tag that does not serve it stays silent.
  package static func feliCaPolling(systemCode: UInt16) -> TagCommand {
    TagCommand(
      [0x00, UInt8(systemCode >> 8), UInt8(systemCode & 0xFF), 0x01, 0x00], answer: .bytes(19),
      addressing: .length, mayRepeat: true)
  }

  /// CK.
  static let feliCaCardKey: UInt8 = 0x87
}
