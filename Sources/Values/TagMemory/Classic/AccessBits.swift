/// The access conditions of one MIFARE Classic sector as bytes 6 to 8 of its trailer hold them.
///
/// MF1S50YYX_V1, 8.7.1. Each bit is stored twice, once inverted; a card that finds the two copies
/// disagreeing blocks the sector for good. Bit n belongs to block group n, 3 is the trailer.
///
///     byte   bits 7…4      bits 3…0
///     6      C2 inverted   C1 inverted
///     7      C1            C3 inverted
///     8      C3            C2
package struct AccessBits: Hashable, Sendable {
  /// C1, C2 and C3 of the four groups, in the low nibbles; the high nibbles are zero.
  package let c1, c2, c3: UInt8

  /// The three bits of each group, gathered by C1, C2 and C3.
  package init(_ conditions: AccessConditions) {
    let codes = [
      conditions.first.rawValue, conditions.second.rawValue, conditions.third.rawValue,
      conditions.trailer.rawValue,
    ]
    func nibble(_ bit: UInt8) -> UInt8 {
      codes.reversed().reduce(0) { $0 << 1 | $1 >> bit & 1 }
    }
    (c1, c2, c3) = (nibble(2), nibble(1), nibble(0))
  }

  /// Reads trailer bytes 6 to 8; throws when there are not three, or when their copies disagree.
  package init(parsing bytes: some Collection<UInt8>) throws(TagMemoryError) {
    let stored = Array(bytes)
    guard stored.count == 3 else {
      throw .wrongLength(format: "an access bits field", expected: 3, found: stored.count)
    }
    (c1, c2, c3) = (stored[1] >> 4, stored[2] & 0xF, stored[2] >> 4)
    guard serialize() == stored else { throw .accessBitsDisagree(stored) }
  }

  /// Trailer bytes 6 to 8.
  package func serialize() -> [UInt8] {
    [~c2 << 4 | ~c1 & 0xF, c1 << 4 | ~c3 & 0xF, c3 << 4 | c2]
  }

  /// Who may do what.
  package var conditions: AccessConditions {
    AccessConditions(
      data(0), data(1), data(2), trailer: TrailerCondition(rawValue: code(3)) ?? .closed)
  }

  // Three bits name one of eight cases, so the defaults are never taken.
  private func data(_ group: UInt8) -> DataCondition {
    DataCondition(rawValue: code(group)) ?? .closed
  }

  private func code(_ group: UInt8) -> UInt8 {
    [c1, c2, c3].reduce(0) { $0 << 1 | $1 >> group & 1 }
  }
}
