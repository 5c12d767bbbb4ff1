import TagMemory

/// Key B of formatted sectors: it never shows, so it is known only where it was tried.
extension ClassicState {
  /// Returns whether key B alone may change the trailer of `sector`, and it is none of the keys
  /// tried.
  func lacksWriterB(_ sector: Sector) -> Bool {
    guard let known = sectors[sector], let trailer = known.trailer else { return false }
    return known.trailerWriter == nil && trailer.conditions.canChangeTrailer(with: .b)
  }

  /// Returns whether the other key of `sector` than the one that opened it has rights of its own,
  /// and was not found.
  func lacksOtherKey(of sector: Sector) -> Bool {
    guard let known = sectors[sector], known.other == nil, let opener = known.opener else {
      return false
    }
    let type: KeyType = opener.type == .a ? .b : .a
    return known.trailer?.conditions.gives(type, beyond: opener.type) == true
  }

  /// The keys of that type that were found so in any sector.
  func otherKeys(_ type: KeyType) -> [Key] {
    geometry.sectors.compactMap { sectors[$0]?.other }.filter { $0.type == type }.map(\.key)
  }

  /// Returns whether a sector that only key B may change has this one: as a formatting leaves it
  /// that gives sectors such a key B.
  func hasKeyB(_ key: Key) -> Bool {
    sectors.values.contains { known in
      known.trailerWriter == KeyCandidate(.b, key) && !known.hasDamagedKeyB
        && known.trailer?.conditions.keyBIsReadable == false
    }
  }
}
