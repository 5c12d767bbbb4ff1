import Bytes

/// The blocks of a FeliCa Lite or Lite-S (FeliCa Lite-S User's Manual, block list).
package enum LiteMemory {
  /// Which of the two.
  package enum Kind: Hashable, Sendable, CaseIterable {
    case lite
    case liteS

    /// Every block, in the order of dumps.
    package var blocks: [UInt16] {
      Array(0x00...0x0E) + Array(0x80...0x88) + (self == .liteS ? [0x90, 0x91, 0x92] : [])
    }

    /// The blocks that keep something and show it: neither what is computed nor the card key.
    package var readableBlocks: [UInt16] { blocks.filter { !LiteMemory.unreadable.contains($0) } }

    /// Where `block` is in the order of dumps; nil where there is none of this number.
    package func row(of block: UInt16) -> Int? { blocks.firstIndex(of: block) }

    /// The IDm in a whole memory: D_ID starts with it.
    func uid(in memory: [UInt8]) -> UID {
      let start = (row(of: LiteMemory.deviceID) ?? 0) * AttributeBlock.byteCount
      return UID(memory[start..<start + 8])
    }

    /// Returns whether these bytes are a whole memory: SYS_C starts with the system code 88B4.
    func recognises(_ memory: [UInt8]) -> Bool {
      let start = (row(of: LiteMemory.systemCode) ?? 0) * AttributeBlock.byteCount
      return memory.count == blocks.count * AttributeBlock.byteCount
        && Array(memory[start..<start + 2]) == [0x88, 0xB4]
    }
  }

  /// D_ID: IDm and PMm.
  package static let deviceID: UInt16 = 0x83
  /// SYS_C.
  package static let systemCode: UInt16 = 0x85
  /// CK, the card key.
  package static let cardKey: UInt16 = 0x87
  /// WCNT of a Lite-S: how often it was written, low byte first.
  package static let writeCount: UInt16 = 0x90
  /// RC, MAC and MAC_A are computed, and the card key is never shown: they read as zeros, or not at
  /// all.
  package static let unreadable: Set<UInt16> = [0x80, 0x81, cardKey, 0x91]

  /// How a block is called in Sony's manuals; nil where the tag has none of this number.
  package static func name(of block: UInt16) -> String? {
    switch block {
    case 0...13: "S_PAD\(block)"
    default: names[block]
    }
  }

  /// `5`; of the system blocks `88h`, as Sony's manuals write them.
  package static func text(of block: UInt16) -> String {
    0x80...0x92 ~= block ? Hex.byte(UInt8(block)).uppercased() + "h" : "\(block)"
  }

  private static let names: [UInt16: String] = [
    0x0E: "REG", 0x80: "RC", 0x81: "MAC", 0x82: "ID", 0x83: "D_ID", 0x84: "SER_C", 0x85: "SYS_C",
    0x86: "CKV", 0x87: "CK", 0x88: "MC", 0x90: "WCNT", 0x91: "MAC_A", 0x92: "STATE",
  ]
}

extension FeliCaChip {
  /// How its memory is laid out; nil for a chip that is no Lite.
  package var lite: LiteMemory.Kind? {
    switch kind {
    case .lite: .lite
    case .liteS: .liteS
    case .standard, .mobile, .plug, .unknown: nil
    }
  }
}
