import TagMemory

/// What a tag would refuse of steps that were planned knowing less of it than this.
extension ClassicState {
  /// The number of the first step that a tag in this state refuses; nil where it takes them all, as
  /// far as is known.
  func firstRefusal(of program: TagProgram) -> Int? {
    var state = self
    var open: KeyCandidate?
    for (index, step) in program.steps.enumerated() {
      switch (step.place, step.action) {
      case (.sector(let sector), .authenticate(.key(let candidate))):
        guard state.sectors[sector]?.mayOpen(with: candidate) ?? true else { return index }
        open = candidate
      case (.block(let block), .write):
        guard state.lets(open?.type ?? .a, write: block) else { return index }
        state = state.applying([step])
      default: break
      }
    }
    return nil
  }

  /// Returns whether the key of this type that opened the sector of `block` may write it; a trailer
  /// that was not read forbids nothing.
  private func lets(_ type: KeyType, write block: Block) -> Bool {
    guard let known = sectors[block.sector] else { return true }
    guard !known.isDestroyed else { return false }
    guard let conditions = known.trailer?.conditions else { return true }
    guard let group = block.group else { return conditions.canChangeTrailer(with: type) }
    return conditions.allows(.write, group, with: type)
  }
}

extension ClassicState.SectorState {
  /// Returns whether `candidate` may open the sector: there is one key of each type, and those that
  /// were found are no other.
  fileprivate func mayOpen(with candidate: KeyCandidate) -> Bool {
    guard opener != nil else { return false }
    let found = keys
    if found.contains(candidate) { return true }
    // The keys A that any plan counts on were tried before a key B was.
    return candidate.type == .b && !found.contains { $0.type == .b }
  }
}
