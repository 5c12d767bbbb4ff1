/// C1 C2 C3 of a sector trailer, as a number whose highest bit is C1 (MF1S50YYX_V1, 8.7.2, table
/// 7).
///
/// Key A can never be read.
package enum TrailerCondition: UInt8, Hashable, Sendable, CaseIterable {
  /// Key A changes both keys, the access bits are frozen; key B is data.
  case keysWithA = 0b000
  /// Nothing can be changed; key B is data that can be read.
  case keyBShown = 0b010
  /// Key B changes both keys, the access bits are frozen.
  case keysWithB = 0b100
  /// Nothing can be changed.
  case closed = 0b110
  /// Key A changes everything; key B is data. As delivered.
  case transport = 0b001
  /// Key B changes everything.
  case managedWithB = 0b011
  /// Key B changes the access bits, the keys stay.
  case bitsWithB = 0b101
  /// Nothing can be changed; the same rights as `closed`.
  case closedToo = 0b111

  /// The row of the table: who may read, who may write.
  package var rights: (read: TrailerRights, write: TrailerRights) {
    switch self {
    case .keysWithA: (shown(bits: .keyA, b: .keyA), changed(.keyA, bits: .never, .keyA))
    case .keyBShown: (shown(bits: .keyA, b: .keyA), changed(.never, bits: .never, .never))
    case .keysWithB: (shown(bits: .either, b: .never), changed(.keyB, bits: .never, .keyB))
    case .closed: (shown(bits: .either, b: .never), changed(.never, bits: .never, .never))
    case .transport: (shown(bits: .keyA, b: .keyA), changed(.keyA, bits: .keyA, .keyA))
    case .managedWithB: (shown(bits: .either, b: .never), changed(.keyB, bits: .keyB, .keyB))
    case .bitsWithB: (shown(bits: .either, b: .never), changed(.never, bits: .keyB, .never))
    case .closedToo: (shown(bits: .either, b: .never), changed(.never, bits: .never, .never))
    }
  }

  private func shown(bits: KeyHolders, b keyB: KeyHolders) -> TrailerRights {
    TrailerRights(keyA: .never, accessBits: bits, keyB: keyB)
  }

  private func changed(_ keyA: KeyHolders, bits: KeyHolders, _ keyB: KeyHolders) -> TrailerRights {
    TrailerRights(keyA: keyA, accessBits: bits, keyB: keyB)
  }
}

extension TrailerCondition: CustomStringConvertible {
  /// Three digits, C1 first: `001`.
  package var description: String { threeDigits(rawValue) }
}
