import NDEF
import TagMemory
import Testing

@testable import TagProgramming

/// The planner alone: which sectors it takes, by what was learnt of the tag.
@Suite("The fewest sectors are planned")
struct FewestPlannerTests {
  /// A card as delivered, all of which was looked at but `unseen` sectors.
  private static func delivered(_ geometry: Geometry, unseen: Range<Int> = 0..<0) -> ClassicState {
    var state = ClassicState(geometry: geometry)
    for sector in geometry.sectors where !unseen.contains(sector.index) {
      state.sectors[sector] = ClassicState.SectorState(writtenWith: .transport)
      for block in sector.dataBlocks { state.blocks[block] = [UInt8](repeating: 0, count: 16) }
    }
    return state
  }

  private static func closing(_ sector: Int, destroyed: Bool = false) -> ClassicState {
    var state = delivered(.oneK)
    // One that is destroyed opens, and refuses everything then.
    state.sectors[Sector(sector)!] = ClassicState.SectorState(
      opener: destroyed ? KeyCandidate(.a, .factory) : nil, isDestroyed: destroyed)
    return state
  }

  /// An NDEF tag of the sectors `nfc`, with another application's sectors `foreign`.
  private static func formatted(_ nfc: ClosedRange<Int>, foreign: [Int] = []) -> ClassicState {
    var state = delivered(.oneK)
    var directory = MAD(for: .oneK, version: .one, nfc: nfc.map { Sector($0)! }).serialize()
    for sector in foreign {
      let place = 16 + sector * 2 - 16
      let block = place / 16
      directory[block].bytes.replaceSubrange(place % 16..<place % 16 + 2, with: [0x01, 0x48])
    }
    let bytes = directory.flatMap(\.bytes)
    directory[0].bytes[0] = MAD.checksum(bytes[1...])
    for (block, bytes) in directory { state.blocks[block] = bytes }
    state.sectors[.mad] = ClassicState.SectorState(writtenWith: .mad(.one, keyB: .factory))
    for sector in nfc {
      state.sectors[Sector(sector)!] = ClassicState.SectorState(
        writtenWith: .nfcReadWrite(keyB: .factory))
    }
    let first = Sector(nfc.lowerBound)!.firstBlock
    state.blocks[first] = [0x03, 0x00, 0xFE] + [UInt8](repeating: 0, count: 13)
    return state
  }

  @Test(
    "from the first sector that can be used on, as many as the message takes",
    arguments: [
      (delivered(.oneK), 46, 1...1, 1), (delivered(.oneK), 47, 1...2, 1),
      (delivered(.oneK, unseen: 3..<16), 47, 1...2, 1), (delivered(.oneK), 716, 1...15, 1),
      (delivered(.fourK), 716, 1...15, 1), (delivered(.fourK), 717, 1...17, 2),
      (closing(1, destroyed: true), 46, 2...2, 1), (closing(2, destroyed: true), 47, 3...4, 1),
      (closing(2), 46, 1...1, 1), (formatted(1...1), 46, 1...1, 1),
      (formatted(1...3), 10, 1...3, 1), (formatted(1...1), 100, 1...3, 1),
      (formatted(1...2, foreign: [4]), 140, 1...3, 1),
    ] as [(ClassicState, Int, ClosedRange<Int>, Int)])
  func sectors(
    _ state: ClassicState, _ byteCount: Int, _ sectors: ClosedRange<Int>, _ version: Int
  ) throws {
    var format = ClassicFormat()
    format.sectors = .fewest
    format.followingByteCount = byteCount
    if !state.isFormatted {
      let overhead = FaultCase.media(byteCount).serialize().count - byteCount
      format.message = FaultCase.media(byteCount - overhead)
      format.followingByteCount = nil
    }
    let (program, area) = try ClassicFormatPlanner(state: state, format: format, isSurveyed: true)
      .plan()
    let wanted = sectors.filter { $0 != 16 }
    #expect(area.sectors.map(\.index) == wanted)
    let places = Set(program.steps.compactMap { $0.written?.place.block?.sector.index })
    #expect(places.isSubset(of: Set(wanted + (version == 2 ? [0, 16] : [0]))), "\(places)")
  }

  @Test(
    "and none where they do not suffice, or one that is needed does not open",
    arguments: [
      (delivered(.oneK), 717, JobFailure.Kind.badInput), (delivered(.mini), 191, .badInput),
      (formatted(1...2, foreign: [4]), 147, .badInput), (closing(1), 46, .refused),
      (closing(2), 47, .refused), (closing(0), 46, .refused),
    ])
  func refused(_ state: ClassicState, _ byteCount: Int, _ kind: JobFailure.Kind) throws {
    var format = ClassicFormat()
    format.sectors = .fewest
    let overhead = FaultCase.media(byteCount).serialize().count - byteCount
    format.message = FaultCase.media(byteCount - overhead)
    let failure = #expect(throws: JobFailure.self) {
      try ClassicFormatPlanner(state: state, format: format, isSurveyed: true).plan()
    }
    #expect(failure?.kind == kind && failure?.holds == nil, "\(failure as Any)")
  }
}
