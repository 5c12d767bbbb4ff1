/// A FeliCa chip, by the second byte of its PMm (Sony, list of FeliCa technology codes; FeliCa
/// Lite-S User's Manual).
package struct FeliCaChip: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// 14 blocks, a memory configuration, one block a write.
    case lite
    /// The chip has 14 blocks, a memory configuration, one block a write, and write protection by
    /// key.
    case liteS
    /// A file system with keys; NDEF where its issuer has made a system 12FC.
    case standard
    /// A telephone or watch.
    case mobile
    /// A microcontroller answers through it.
    case plug
    /// In no table here.
    case unknown
  }

  package let kind: Kind
  /// `RC-S966`; nil where it is not known.
  package let model: String?

  /// Is true if it is laid out as a FeliCa Lite.
  package var isLite: Bool { kind == .lite || kind == .liteS }
  /// Blocks that one read may ask for, where the chip alone says it.
  package var blocksPerRead: UInt8 { isLite ? 4 : 1 }
  /// Blocks that one write may carry, likewise.
  package var blocksPerWrite: UInt8 { 1 }

  /// What it is called here.
  package var product: Product {
    switch kind {
    case .lite: .feliCaLite
    case .liteS: model == Self.link ? .feliCaLink : .feliCaLiteS
    case .standard: .feliCaStandard
    case .mobile: .feliCaMobile
    case .plug: .feliCaPlug
    case .unknown: .feliCa
    }
  }

  package init(pmm: [UInt8]) {
    let code = pmm.count == 8 ? pmm[1] : nil
    (kind, model) = code.flatMap { Self.table[$0] } ?? (.unknown, nil)
  }

  /// FeliCa Link: two of its modes answer as different chips.
  private static let link = "RC-S730"

  /// A row each.
  private static let table: [UInt8: (Kind, String?)] = [
    0x00: (.standard, "RC-S830"), 0x01: (.standard, "RC-S915"), 0x02: (.standard, "RC-S919"),
    0x08: (.standard, "RC-S952"), 0x09: (.standard, "RC-S953"), 0x0B: (.standard, nil),
    0x0C: (.standard, "RC-S954"), 0x0D: (.standard, "RC-S960"), 0x20: (.standard, "RC-S962"),
    0x32: (.standard, "RC-SA00/1"), 0x35: (.standard, "RC-SA00/2"),
    0x06: (.mobile, "1.0"), 0x07: (.mobile, "1.0"),
    0x10: (.mobile, "2.0"), 0x11: (.mobile, "2.0"), 0x12: (.mobile, "2.0"), 0x13: (.mobile, "2.0"),
    0x14: (.mobile, "3.0"), 0x15: (.mobile, "3.0"), 0x16: (.mobile, "3.0"), 0x17: (.mobile, "3.0"),
    0x18: (.mobile, "3.0"), 0x19: (.mobile, "3.0"), 0x1A: (.mobile, "3.0"), 0x1B: (.mobile, "3.0"),
    0x1C: (.mobile, "3.0"), 0x1D: (.mobile, "3.0"), 0x1E: (.mobile, "3.0"), 0x1F: (.mobile, "3.0"),
    0xE0: (.plug, "RC-S926"), 0xE1: (.plug, link),
    0xF0: (.lite, "RC-S965"), 0xF1: (.liteS, "RC-S966"), 0xF2: (.liteS, link),
  ]
}
