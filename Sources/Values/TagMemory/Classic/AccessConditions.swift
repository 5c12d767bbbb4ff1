/// Who may do what in a MIFARE Classic sector (MF1S50YYX_V1, 8.7.2 and 8.7.3).
///
/// Every value can be stored: there is no way to write one that blocks the sector by its form. It
/// may still freeze the sector (`isFrozen`) or take away every right to its data.
package struct AccessConditions: Hashable, Sendable {
  package var first: DataCondition
  package var second: DataCondition
  package var third: DataCondition
  package var trailer: TrailerCondition

  package init(
    _ first: DataCondition, _ second: DataCondition, _ third: DataCondition,
    trailer: TrailerCondition
  ) {
    (self.first, self.second, self.third, self.trailer) = (first, second, third, trailer)
  }

  /// Makes access conditions that are alike for all data blocks.
  package init(data: DataCondition, trailer: TrailerCondition) {
    self.init(data, data, data, trailer: trailer)
  }

  package subscript(group: BlockGroup) -> DataCondition {
    switch group {
    case .first: first
    case .second: second
    case .third: third
    }
  }
}

extension AccessConditions {
  /// As delivered: FF 07 80.
  package static let transport = AccessConditions(data: .open, trailer: .transport)
  /// MAD sectors, 78 77 88: anyone reads, key B writes (AN10787, 3).
  package static let mad = AccessConditions(data: .writtenWithB, trailer: .managedWithB)
  /// NFC sectors that can be written, 7F 07 88 (AN1304, 6.4).
  package static let nfcReadWrite = AccessConditions(data: .open, trailer: .managedWithB)
  /// NFC sectors that can never be written again, 07 8F 0F (AN1304, 6.4).
  package static let nfcReadOnly = AccessConditions(data: .readOnly, trailer: .closed)
  /// What libfreefare gives sector 0, 79 67 88: as `mad`, the manufacturer block open.
  package static let libfreefareMAD = AccessConditions(
    .open, .writtenWithB, .writtenWithB, trailer: .managedWithB)
  /// Value blocks, 08 77 8F.
  package static let value = AccessConditions(data: .value, trailer: .managedWithB)
}

extension AccessConditions {
  /// Returns whether a reader that authenticated with `key` may do `operation` on the blocks of
  /// `group`.
  package func allows(_ operation: DataOperation, _ group: BlockGroup, with key: KeyType) -> Bool {
    canUse(key) && self[group].rights[operation].includes(key)
  }

  /// Returns whether a reader that authenticated with `key` may read `part` of the trailer; where
  /// it may not, the part reads as zeros.
  package func canReadTrailer(_ part: TrailerPart, with key: KeyType) -> Bool {
    canUse(key) && trailer.rights.read[part].includes(key)
  }

  /// Returns whether a reader that authenticated with `key` may change `part` of the trailer.
  package func canWriteTrailer(_ part: TrailerPart, with key: KeyType) -> Bool {
    canUse(key) && trailer.rights.write[part].includes(key)
  }

  /// Returns whether a reader that authenticated with `key` may change all of the trailer.
  package func canChangeTrailer(with key: KeyType) -> Bool {
    TrailerPart.allCases.allSatisfy { canWriteTrailer($0, with: key) }
  }

  /// Returns whether `key` gives any right: a key B that can be read is data, and the card refuses
  /// every access after an authentication with it (MF1S50YYX_V1, 8.7.2).
  package func canUse(_ key: KeyType) -> Bool { key == .a || !keyBIsReadable }

  /// Is true if key B can be read from the trailer.
  package var keyBIsReadable: Bool { trailer.rights.read.keyB != .never }

  /// Is true if nobody can ever change the access conditions again.
  package var isFrozen: Bool { trailer.rights.write.accessBits == .never }
}

extension AccessConditions: CustomStringConvertible {
  /// C1 C2 C3 of the three groups and of the trailer: `000 000 000, trailer 001`.
  package var description: String {
    "\(first) \(second) \(third), trailer \(trailer)"
  }
}
