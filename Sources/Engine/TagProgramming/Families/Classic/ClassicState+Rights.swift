import TagMemory

/// Which of the keys that were found may do what (MF1S50YYX_V1, 8.7.2 and 8.7.3).
extension ClassicState {
  /// The key, of those found, that may write all of `blocks` in `sector`; a trailer that was not
  /// read counts as open to what opened the sector.
  func dataWriter(of sector: Sector, blocks: [Block]) -> KeyCandidate? {
    key(of: sector, mayDo: .write, on: blocks)
  }

  /// The key, of those found, that may read `block`.
  func reader(of block: Block) -> KeyCandidate? {
    key(of: block.sector, mayDo: .read, on: [block])
  }

  /// Returns whether a reader that has the public key A of `sector` alone may read every data block
  /// of it, as far as its trailer was read.
  func isReadableWithA(_ sector: Sector) -> Bool {
    guard let conditions = sectors[sector]?.trailer?.conditions else { return true }
    return sector.dataBlocks.allSatisfy { block in
      block.group.map { conditions.allows(.read, $0, with: .a) } ?? true
    }
  }

  private func key(of sector: Sector, mayDo operation: DataOperation, on blocks: [Block])
    -> KeyCandidate?
  {
    guard let known = sectors[sector] else { return nil }
    guard let conditions = known.trailer?.conditions else { return known.opener }
    return known.keys.first { conditions.allows(operation, on: blocks, with: $0.type) }
  }
}

extension ClassicState.SectorState {
  /// The keys that were found, each once: first the one that opened the sector.
  var keys: [KeyCandidate] {
    ClassicSurveyor.unique([opener, trailerWriter, other].compactMap(\.self))
  }
}

extension AccessConditions {
  /// Returns whether a reader that authenticated with `key` may do `operation` on each of the data
  /// blocks.
  func allows(_ operation: DataOperation, on blocks: [Block], with key: KeyType) -> Bool {
    blocks.allSatisfy { block in
      block.group.map { allows(operation, $0, with: key) } ?? false
    }
  }

  /// Returns whether `key` may change all of the trailer, or read or write a data block, where the
  /// other key may not.
  func gives(_ key: KeyType, beyond other: KeyType) -> Bool {
    if canChangeTrailer(with: key), !canChangeTrailer(with: other) { return true }
    return BlockGroup.allCases.contains { group in
      [DataOperation.read, .write].contains { operation in
        allows(operation, group, with: key) && !allows(operation, group, with: other)
      }
    }
  }
}

extension SectorTrailer {
  /// The key of this trailer that may write all of `blocks` under it: key A where it may.
  func writer(of blocks: [Block]) -> KeyCandidate? {
    let candidates = [KeyCandidate(.a, keyA), KeyCandidate(.b, keyB)]
    return candidates.first { conditions.allows(.write, on: blocks, with: $0.type) }
  }
}
