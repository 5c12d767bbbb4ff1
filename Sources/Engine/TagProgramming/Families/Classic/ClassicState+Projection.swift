import TagMemory

/// What a tag holds after steps that are only planned: the next part of a job is planned on it,
/// before the first write.
extension ClassicState {
  /// This state once `program` has been carried out.
  func applying(_ program: TagProgram) -> ClassicState { applying(program.steps) }

  /// This state once `steps` have been carried out: what a survey would find then.
  func applying(_ steps: some Sequence<TagProgram.Step>) -> ClassicState {
    var state = self
    for (place, bytes) in steps.compactMap(\.written) {
      guard let block = place.block else { continue }
      state.sent[block] = nil
      if !block.isTrailer {
        state.blocks[block] = bytes
      } else if let trailer = try? SectorTrailer(parsing: bytes) {
        state.sectors[block.sector] = SectorState(writtenWith: trailer)
      }
    }
    return state
  }

  /// What a survey that reads the same blocks finds once `steps` have been carried out.
  func seeing(_ steps: some Sequence<TagProgram.Step>) -> ClassicState {
    var state = applying(steps)
    state.blocks = state.blocks.filter { blocks[$0.key] != nil }
    return state
  }
}

extension ClassicState.SectorState {
  /// A sector that has just got `trailer`: key A opens it, and its keys show no more than they do
  /// on a tag.
  init(writtenWith trailer: SectorTrailer) {
    let conditions = trailer.conditions
    opener = KeyCandidate(.a, trailer.keyA)
    trailerWriter = KeyType.allCases.first(where: conditions.canChangeTrailer).map {
      KeyCandidate($0, $0 == .a ? trailer.keyA : trailer.keyB)
    }
    if conditions.gives(.b, beyond: .a) { other = KeyCandidate(.b, trailer.keyB) }
    var shown = trailer
    shown.keyA = .zeros
    if !conditions.keyBIsReadable { shown.keyB = .zeros }
    self.trailer = shown
  }
}
