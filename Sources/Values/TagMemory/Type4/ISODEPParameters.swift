/// What a tag that speaks ISO-DEP says of its frames when it is activated (ISO/IEC 14443-4, 5.2;
/// type B: 14443-3, 7.9.4).
package struct ISODEPParameters: Hashable, Sendable {
  /// FSC: the most bytes of one frame, with everything that stands around the data.
  package let frameByteCount: Int
  /// What the tag's maker says in its answer to select.
  package let historicalBytes: [UInt8]

  /// By FSCI, the code in the answer; codes from 9 on are not used yet and mean the last.
  private static let frames = [16, 24, 32, 40, 48, 64, 96, 128, 256]

  package init(ats: [UInt8]) {
    // Without a format byte the tag takes 32 bytes (5.2.3).
    let format = ats.first ?? 0x02
    frameByteCount = Self.frames[min(Int(format & 0x0F), Self.frames.count - 1)]
    let interfaceBytes = [0x10, 0x20, 0x40].count { format & $0 != 0 }
    historicalBytes = Array(ats.dropFirst(1 + interfaceBytes))
  }

  package init(_ target: Target) {
    switch target {
    case .typeB(let tag):
      let code = tag.protocolInfo.count > 1 ? Int(tag.protocolInfo[1] >> 4) : 0
      self.init(ats: [UInt8(code)])
    case .typeA(let tag): self.init(ats: tag.ats)
    case .feliCa, .topaz: self.init(ats: [])
    }
  }

  /// The most data of an UPDATE BINARY that goes into one frame: a block has a prologue byte,
  /// perhaps the card's number, and a CRC of two bytes (7.1); the command a header and Lc.
  package var updateByteCount: Int { max(1, frameByteCount - 9) }
}
