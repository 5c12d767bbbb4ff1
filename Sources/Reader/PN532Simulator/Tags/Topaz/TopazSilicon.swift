/// The Topaz chips (NFC Forum Type 1 Tag 1.2; Innovision Topaz data sheets): one row a product. To
/// add a chip, add a row here.
package struct TopazSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// HR0: 11h static memory, 12h dynamic.
  let header: UInt8
  /// 8-byte blocks.
  let blockCount: Int
  /// What block 1 holds as delivered, formatted for NDEF: capability container, then TLVs up to an
  /// empty message.
  let factoryContent: [UInt8]

  /// Is true if it has more than static memory, and with it the commands that take eight bytes at
  /// once.
  var isDynamic: Bool { header == 0x12 }

  static let all = [
    TopazSilicon(
      name: "topaz96", header: 0x11, blockCount: 15,
      factoryContent: [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x00, 0xFE]),
    TopazSilicon(
      name: "topaz512", header: 0x12, blockCount: 64,
      factoryContent: [0xE1, 0x10, 0x3F, 0x00]
        + [0x01, 0x03, 0xF2, 0x30, 0x33, 0x02, 0x03, 0xF0, 0x02, 0x03, 0x03, 0x00, 0xFE]),
  ]
}
