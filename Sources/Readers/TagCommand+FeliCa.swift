import PN532

/// FeliCa commands (JIS X 6319-4; NFC Forum Type 3 Tag 1.0, 5). The reader adds the length and the tag's IDm, checks both and the
/// status flags in the answer, and hands out the rest.
///
/// InDataExchange takes a FeliCa frame with its length byte and gives one back (so do libnfc's `nfc-read-forum-tag3` and
/// Seeed's PN532 library; UM0701-02, 7.3.8 says nothing of it).
extension TagCommand {
  /// Read Without Encryption from service 000Bh: 16 bytes a block, up to four blocks on a Lite tag (FeliCa Lite-S User's
  /// Manual).
  public static func feliCaRead(_ blocks: [UInt8]) -> TagCommand {
    precondition((1...15).contains(blocks.count), "one to fifteen blocks")
    return TagCommand(
      [0x06, 0x01, 0x0B, 0x00, UInt8(blocks.count)] + blocks.flatMap { [0x80, $0] },
      kind: .read, answer: .bytes(1 + 16 * blocks.count), addressing: .idm, mayRepeat: true)
  }

  /// Write Without Encryption to service 0009h: the 16 bytes of one block. The card key (87h) is secret.
  public static func feliCaWrite(block: UInt8, data: [UInt8]) -> TagCommand {
    precondition(data.count == 16, "a block has 16 bytes")
    return TagCommand(
      [0x08, 0x01, 0x09, 0x00, 0x01, 0x80, block] + data, kind: .write, answer: .none,
      addressing: .idm, work: .programming,
      secrets: block == feliCaCardKey ? Secrets(frame: [7..<23]) : .none)
  }

  /// Polling: whether the tag serves `systemCode`, too (12FCh: NDEF). The answer is 01h, IDm, PMm and the system code; a tag
  /// that does not serve it stays silent.
  public static func feliCaPolling(systemCode: UInt16) -> TagCommand {
    TagCommand(
      [0x00, UInt8(systemCode >> 8), UInt8(systemCode & 0xFF), 0x01, 0x00], answer: .bytes(19),
      addressing: .length, mayRepeat: true)
  }

  /// CK.
  static let feliCaCardKey: UInt8 = 0x87
}
