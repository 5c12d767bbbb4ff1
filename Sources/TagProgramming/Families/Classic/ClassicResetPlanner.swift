import TagMemory

/// Plans a MIFARE Classic back to its state of delivery: the directory first, so that the tag stops
/// being an NDEF tag before its sectors do; then every sector's data, then its trailer.
///
/// In sector 0 the trailer goes first: with it the tag has no directory any more, where one of its
/// two blocks alone would leave it with a wrong one.
struct ClassicResetPlanner {
  let state: ClassicState

  func plan() throws(JobFailure) -> TagProgram {
    let unopened = state.geometry.sectors.filter {
      state.sectors[$0]?.opener == nil && state.sectors[$0]?.isDestroyed != true
    }
    guard unopened.isEmpty else { throw ClassicRefusal.unopened(unopened, state: state) }
    let blank = [UInt8](repeating: 0, count: Block.byteCount)
    var program = TagProgram(.reset)
    var closed: [Sector] = []
    for sector in state.geometry.sectors where state.sectors[sector]?.isDestroyed != true {
      let data = sector.dataBlocks.map {
        (block: $0, bytes: blank, purpose: TagProgram.Purpose.blank)
      }
      if !program.addSector(
        sector, data: data, trailer: .transport, trailerFirst: sector == .mad, from: state)
      {
        closed.append(sector)
      }
    }
    guard closed.isEmpty else { throw ClassicRefusal.notChangeable(closed, state: state) }
    var showing = Showing(state.isFormatted ? .oldMessage : .notNDEF)
    if let first = program.steps.firstIndex(where: \.isWrite) {
      showing.change(to: .notNDEF, after: first)
    }
    program.showing = showing
    return program
  }
}
