/// The keys that may do something.
package enum KeyHolders: Hashable, Sendable {
  case never
  case keyA
  case keyB
  case either

  package func includes(_ key: KeyType) -> Bool {
    switch self {
    case .never: false
    case .keyA: key == .a
    case .keyB: key == .b
    case .either: true
    }
  }
}

/// What can be done with a data block.
package enum DataOperation: Hashable, Sendable, CaseIterable {
  case read
  case write
  case increment
  /// Decrement, transfer and restore, which go together.
  case decrement
}

/// A part of a sector trailer that has rights of its own; the general purpose byte goes with the
/// access bits.
package enum TrailerPart: Hashable, Sendable, CaseIterable {
  case keyA
  case accessBits
  case keyB
}

/// Who may do what with a data block.
package struct DataRights: Hashable, Sendable {
  package let read, write, increment, decrement: KeyHolders

  package subscript(operation: DataOperation) -> KeyHolders {
    switch operation {
    case .read: read
    case .write: write
    case .increment: increment
    case .decrement: decrement
    }
  }
}

/// Who may read, or who may write, the parts of a trailer.
package struct TrailerRights: Hashable, Sendable {
  package let keyA, accessBits, keyB: KeyHolders

  package subscript(part: TrailerPart) -> KeyHolders {
    switch part {
    case .keyA: keyA
    case .accessBits: accessBits
    case .keyB: keyB
    }
  }
}
