/// The blocks of a FeliCa Lite or Lite-S (FeliCa Lite-S User's Manual, block list).
public enum LiteMemory {
  /// Blocks that hold something, in the order of dumps; those from 90h on only a Lite-S has.
  public static let blocks: [UInt16] = Array(0x00...0x0E) + Array(0x80...0x88)
  public static let blocksOfLiteS: [UInt16] = blocks + [0x90, 0x91, 0x92]

  /// Those of `chip`, which is one of the two.
  public static func blocks(of chip: FeliCaChip) -> [UInt16] {
    chip.kind == .liteS ? blocksOfLiteS : blocks
  }

  /// CK, the card key: never shown.
  public static let cardKey: UInt16 = 0x87

  /// How a block is called in Sony's manuals; nil where the tag has none of this number.
  public static func name(of block: UInt16) -> String? {
    switch block {
    case 0...13: "S_PAD\(block)"
    default: names[block]
    }
  }

  private static let names: [UInt16: String] = [
    0x0E: "REG", 0x80: "RC", 0x81: "MAC", 0x82: "ID", 0x83: "D_ID", 0x84: "SER_C", 0x85: "SYS_C",
    0x86: "CKV", 0x87: "CK", 0x88: "MC", 0x90: "WCNT", 0x91: "MAC_A", 0x92: "STATE",
  ]
}
