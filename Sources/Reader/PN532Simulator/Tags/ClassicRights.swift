/// Which key opens an operation.
enum KeyRight {
  case never, a, b, either

  /// Returns whether the key of authentication command 60h (A) or 61h (B) does.
  func allows(_ command: UInt8) -> Bool {
    switch self {
    case .never: false
    case .a: command == 0x60
    case .b: command == 0x61
    case .either: true
    }
  }
}

/// One row of MF1S50YYX_V1, table 8: what may be done to a data block.
struct DataRights {
  let read: KeyRight
  let write: KeyRight
  let increment: KeyRight
  /// Decrement, transfer and restore.
  let decrement: KeyRight

  /// By C1 C2 C3, C1 the highest bit.
  static let table: [DataRights] = [
    .init(read: .either, write: .either, increment: .either, decrement: .either),  // 000
    .init(read: .either, write: .never, increment: .never, decrement: .either),  // 001
    .init(read: .either, write: .never, increment: .never, decrement: .never),  // 010
    .init(read: .b, write: .b, increment: .never, decrement: .never),  // 011
    .init(read: .either, write: .b, increment: .never, decrement: .never),  // 100
    .init(read: .b, write: .never, increment: .never, decrement: .never),  // 101
    .init(read: .either, write: .b, increment: .b, decrement: .either),  // 110
    .init(read: .never, write: .never, increment: .never, decrement: .never),  // 111
  ]
}

/// One row of MF1S50YYX_V1, table 7: what may be done to a sector trailer. Key A is never readable.
struct TrailerRights {
  let writeKeyA: KeyRight
  let readBits: KeyRight
  let writeBits: KeyRight
  let readKeyB: KeyRight
  let writeKeyB: KeyRight

  /// A key B that can be read is data: whoever authenticates with it is refused everything (table
  /// 8, note 1).
  var keyBIsData: Bool { readKeyB != .never }

  /// By C1 C2 C3, C1 the highest bit.
  static let table: [TrailerRights] = [
    .init(.a, .a, .never, .a, .a),  // 000
    .init(.a, .a, .a, .a, .a),  // 001, transport
    .init(.never, .a, .never, .a, .never),  // 010
    .init(.b, .either, .b, .never, .b),  // 011
    .init(.b, .either, .never, .never, .b),  // 100
    .init(.never, .either, .b, .never, .never),  // 101
    .init(.never, .either, .never, .never, .never),  // 110
    .init(.never, .either, .never, .never, .never),  // 111
  ]

  private init(
    _ writeKeyA: KeyRight, _ readBits: KeyRight, _ writeBits: KeyRight, _ readKeyB: KeyRight,
    _ writeKeyB: KeyRight
  ) {
    self.writeKeyA = writeKeyA
    self.readBits = readBits
    self.writeBits = writeBits
    self.readKeyB = readKeyB
    self.writeKeyB = writeKeyB
  }
}

/// The access conditions that a sector's trailer holds (MF1S50YYX_V1, 8.7.1).
struct SectorRights {
  /// C1 C2 C3 of groups 0 to 3.
  private let conditions: [Int]

  /// Nil when the inverted copies of the bits disagree with the others: the sector is blocked.
  init?(trailer: some Collection<UInt8>) {
    let bytes = Array(trailer)
    let (c1, c2, c3) = (bytes[7] >> 4, bytes[8] & 0xF, bytes[8] >> 4)
    guard bytes[6] & 0xF == ~c1 & 0xF, bytes[6] >> 4 == ~c2 & 0xF, bytes[7] & 0xF == ~c3 & 0xF
    else { return nil }
    conditions = (0..<4).map { group in
      [c1, c2, c3].reduce(0) { $0 << 1 | Int($1 >> UInt8(group) & 1) }
    }
  }

  func data(group: Int) -> DataRights { DataRights.table[conditions[group]] }
  var trailer: TrailerRights { TrailerRights.table[conditions[3]] }
}
