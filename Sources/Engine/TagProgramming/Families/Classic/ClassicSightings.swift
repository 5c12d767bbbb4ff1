import TagMemory

/// What a run has seen of a card before its first write: nothing of it changes until then, so that
/// a pass which looks at all again asks for none of it twice.
///
/// A key that was refused is asked for once more: it may be a lost answer.
struct ClassicSightings {
  private var keys: [Sector: Set<KeyCandidate>] = [:]
  private var blocks: [Block: [KeyCandidate: [UInt8]]] = [:]
  private var refusals: [Sector: [KeyCandidate: Int]] = [:]
  /// How often the tag had been silent until then.
  private var silences = 0

  /// Forgets all where the tag was silent since: it may have been away, and another one of the same
  /// UID be in its place.
  mutating func forget(after silences: Int) {
    guard silences != self.silences else { return }
    self = ClassicSightings()
    self.silences = silences
  }

  /// Returns whether `candidate` was seen to open `sector`.
  func opens(_ sector: Sector, with candidate: KeyCandidate) -> Bool {
    keys[sector]?.contains(candidate) ?? false
  }

  /// The bytes of `block` that the tag shows to whoever opened its sector with `candidate`; nil
  /// where they were not read so.
  func bytes(of block: Block, with candidate: KeyCandidate) -> [UInt8]? {
    blocks[block]?[candidate]
  }

  /// Takes note that `candidate` has opened `sector`.
  mutating func note(_ candidate: KeyCandidate, opens sector: Sector) {
    keys[sector, default: []].insert(candidate)
  }

  /// Takes note of what `block` shows to whoever opened its sector with `candidate`.
  mutating func note(_ bytes: [UInt8], of block: Block, with candidate: KeyCandidate) {
    blocks[block, default: [:]][candidate] = bytes
  }

  /// Takes note that `sector` has refused `candidate`.
  mutating func noteRefusal(of candidate: KeyCandidate, by sector: Sector) {
    keys[sector]?.remove(candidate)
    refusals[sector, default: [:]][candidate, default: 0] += 1
  }

  /// Returns whether `sector` has refused `candidate` twice: once may be a lost answer.
  func refuses(_ sector: Sector, _ candidate: KeyCandidate) -> Bool {
    refusals[sector]?[candidate] ?? 0 > 1
  }
}
