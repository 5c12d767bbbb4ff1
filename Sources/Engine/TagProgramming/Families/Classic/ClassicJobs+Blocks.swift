import Readers
import TagMemory

extension ClassicJobs {
  /// What has to be known before `blocks` are written: what they hold, what opens their sectors and
  /// may change them.
  func look(at blocks: [Block: [UInt8]]) throws(ReaderError) -> ClassicState {
    var surveyor = ClassicSurveyor(
      session: session, geometry: geometry, keys: credentials.keys,
      expected: [KeyCandidate(.a, .factory)])
    let trailers = blocks.filter(\.key.isTrailer)
    for (block, bytes) in trailers {
      guard let trailer = try? SectorTrailer(parsing: bytes) else { continue }
      surveyor.intended[block.sector] = (trailer.keyA, trailer.keyB)
    }
    let sectors = Set(blocks.keys.map(\.sector)).sorted()
    // Whether sector 16 is a directory's, sector 0 says.
    if sectors.contains(.secondMAD), !sectors.contains(.mad) {
      try surveyor.survey(.mad, [.trailer])
    }
    for sector in sectors {
      try surveyor.survey(sector, [.trailer, .trailerWriter])
      try surveyor.read(blocks.keys.filter { $0.sector == sector && !$0.isTrailer }.sorted())
    }
    // A card may have less memory than its SAK says.
    let isClosed = sectors.contains {
      $0 >= .secondMAD && surveyor.state.sectors[$0]?.opener == nil
    }
    if isClosed { try surveyor.probeSize() }
    try surveyor.findTornKeys()
    for (sector, keys) in surveyor.intended { try surveyor.prove(keys, of: sector) }
    return surveyor.state
  }
}
