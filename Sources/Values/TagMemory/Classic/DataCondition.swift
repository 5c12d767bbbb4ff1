/// C1 C2 C3 of a data group, as a number whose highest bit is C1 (MF1S50YYX_V1, 8.7.3, table 8).
package enum DataCondition: UInt8, Hashable, Sendable, CaseIterable {
  /// Everything with either key; as delivered.
  case open = 0b000
  /// Reading with either key, nothing else.
  case readOnly = 0b010
  /// Reading with either key, writing with key B.
  case writtenWithB = 0b100
  /// A value: key B writes and increments, either key decrements.
  case value = 0b110
  /// A value that can only be read and decremented.
  case decrementOnly = 0b001
  /// Reading and writing with key B.
  case keyBOnly = 0b011
  /// Reading with key B, nothing else.
  case readOnlyWithB = 0b101
  /// Nothing.
  case closed = 0b111

  /// The row of the table.
  package var rights: DataRights {
    switch self {
    case .open: row(read: .either, write: .either, increment: .either, decrement: .either)
    case .readOnly: row(read: .either, write: .never, increment: .never, decrement: .never)
    case .writtenWithB: row(read: .either, write: .keyB, increment: .never, decrement: .never)
    case .value: row(read: .either, write: .keyB, increment: .keyB, decrement: .either)
    case .decrementOnly: row(read: .either, write: .never, increment: .never, decrement: .either)
    case .keyBOnly: row(read: .keyB, write: .keyB, increment: .never, decrement: .never)
    case .readOnlyWithB: row(read: .keyB, write: .never, increment: .never, decrement: .never)
    case .closed: row(read: .never, write: .never, increment: .never, decrement: .never)
    }
  }

  private func row(
    read: KeyHolders, write: KeyHolders, increment: KeyHolders, decrement: KeyHolders
  ) -> DataRights {
    DataRights(read: read, write: write, increment: increment, decrement: decrement)
  }
}

extension DataCondition: CustomStringConvertible {
  /// Three digits, C1 first: `010`.
  package var description: String { threeDigits(rawValue) }
}

/// The three low bits of `code`, highest first.
func threeDigits(_ code: UInt8) -> String {
  [4, 2, 1].map { code & $0 == 0 ? "0" : "1" }.joined()
}
