import TagMemory
import Testing

@testable import TagProgramming

/// The planner alone, on states that no tag was asked for.
@Suite("Raw blocks of a MIFARE Classic are planned")
struct ClassicBlockPlannerTests {
  private static let keys = (a: Key([1, 2, 3, 4, 5, 6])!, b: FaultCase.ownKeyB)
  private static let zeros = [UInt8](repeating: 0, count: 16)

  /// Sectors 0 and 1 as delivered, looked at as a survey does.
  private static func delivered(_ geometry: Geometry = .oneK) -> ClassicState {
    var state = ClassicState(geometry: geometry)
    for sector in geometry.sectors.prefix(20) {
      state.sectors[sector] = ClassicState.SectorState(writtenWith: .transport)
      for block in sector.dataBlocks { state.blocks[block] = zeros }
    }
    return state
  }

  /// Sector 1 as an NFC sector with a key B of the operator's.
  private static func formatted(knowingKeyB: Bool) -> ClassicState {
    var state = delivered()
    state.sectors[1] = ClassicState.SectorState(writtenWith: .nfcReadWrite(keyB: keys.b))
    if !knowingKeyB { state.sectors[1]?.trailerWriter = nil }
    return state
  }

  private static func trailer(_ conditions: AccessConditions, _ keyB: Key = keys.b) -> [UInt8] {
    SectorTrailer(
      keyA: keys.a, conditions: conditions, generalPurposeByte: .nfcReadWrite, keyB: keyB
    ).serialize()
  }

  private func plan(_ state: ClassicState, _ start: Int, _ bytes: [UInt8], force: Bool = false)
    throws -> (program: TagProgram, warnings: [String])
  {
    let job = BlockWrite(start: start, bytes: bytes, force: force)
    let blocks = try ClassicBlockPlanner.blocks(of: job, on: state.geometry)
    return try ClassicBlockPlanner(state: state, blocks: blocks, force: force).plan()
  }

  private static let some: [UInt8] = Array(1...16)

  @Test(
    "step by step: data, what was written read back, the trailer, both its keys",
    arguments: [
      (
        delivered(), 5, some + zeros, false,
        [
          "open sector 1: ",
          "write block 5: 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10",
          "read block 5 back",
        ]
      ),
      (
        delivered(), 6, some + trailer(.nfcReadWrite), true,
        [
          "open sector 1: ",
          "write block 6: 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10",
          "read block 6 back", "open sector 1: ",
          "write block 7: keys and access bits 7F0788, general purpose byte 40",
          "open sector 1: ", "open sector 1: ", "read block 7 back",
        ]
      ),
      (delivered(), 4, zeros + zeros, false, []),
      (delivered(), 7, SectorTrailer.transport.serialize(), true, []),
      (
        formatted(knowingKeyB: true), 7, trailer(.nfcReadOnly), true,
        [
          "open sector 1: ",
          "write block 7: access bits 078F0F, general purpose byte 40  (locked, irreversible)",
          "open sector 1: ", "open sector 1: ", "read block 7 back",
        ]
      ),
    ] as [(ClassicState, Int, [UInt8], Bool, [String])])
  func steps(
    _ state: ClassicState, _ start: Int, _ bytes: [UInt8], _ force: Bool, _ steps: [String]
  ) throws {
    let found = try plan(state, start, bytes, force: force).program.steps.map { "\($0)" }
    #expect(found.count == steps.count, "\(found)")
    // Keys have no name but the well-known ones.
    for (found, wanted) in zip(found, steps) { #expect(found.hasPrefix(wanted), "\(found)") }
  }

  @Test(
    "never: block 0, blocks that are not there, invalid access bits",
    arguments: [
      (0, zeros), (63, zeros + zeros), (64, zeros), (-1, zeros), (4, [1, 2, 3]), (4, []),
      (7, some), (7, Array(repeating: 0xFF, count: 16)),
      (6, zeros + keys.a.bytes + [0xFF, 0x07, 0x69, 0x80] + keys.b.bytes),
    ] as [(Int, [UInt8])])
  func never(_ start: Int, _ bytes: [UInt8]) {
    for force in [false, true] {
      let failure = #expect(throws: JobFailure.self) {
        try plan(Self.delivered(), start, bytes, force: force)
      }
      #expect(failure?.kind == .badInput && failure?.holds == nil)
    }
  }

  @Test(
    "with the operator's leave only: trailers and the directory",
    arguments: [
      (1, some), (2, some), (7, trailer(.nfcReadWrite)),
      (4, zeros + zeros + zeros + trailer(.value)),
    ] as [(Int, [UInt8])])
  func leave(_ start: Int, _ bytes: [UInt8]) throws {
    let failure = #expect(throws: JobFailure.self) {
      try plan(Self.delivered(), start, bytes)
    }
    #expect(failure?.kind == .badInput)
    #expect(try plan(Self.delivered(), start, bytes, force: true).program.changesTag)
  }

  @Test("sector 16 is data unless there is a MAD2")
  func secondDirectory() throws {
    var state = Self.delivered(.fourK)
    #expect(try plan(state, 64, Self.some).program.changesTag)
    state.sectors[.mad] = ClassicState.SectorState(writtenWith: .mad(.two, keyB: .factory))
    #expect(throws: JobFailure.self) { try plan(state, 64, Self.some) }
    state.sectors[.mad] = ClassicState.SectorState(writtenWith: .mad(.one, keyB: .factory))
    #expect(try plan(state, 64, Self.some).program.changesTag)
  }

  @Test(
    "what a trailer costs is said, before leave is given and after",
    arguments: [
      (trailer(.nfcReadOnly), ["freeze", "no key can change its keys", "no key can write"]),
      (Array(repeating: 0, count: 6) + trailer(.nfcReadWrite)[6...], ["key A becomes all zeros"]),
      (trailer(.nfcReadWrite, .zeros), ["key B becomes all zeros"]),
      (
        trailer(AccessConditions(data: .open, trailer: .bitsWithB)),
        ["no key can change its keys"]
      ),
      (trailer(.nfcReadWrite), []),
    ] as [([UInt8], [String])])
  func costs(_ bytes: [UInt8], _ words: [String]) throws {
    let failure = #expect(throws: JobFailure.self) { try plan(Self.delivered(), 7, bytes) }
    let warnings = try plan(Self.delivered(), 7, bytes, force: true).warnings
    #expect(warnings.count == words.count)
    for (warning, word) in zip(warnings, words) {
      #expect(warning.contains(word) && failure?.what.contains(word) == true, "\(warning)")
    }
  }

  @Test("what no key found may write is refused before anything is written")
  func rights() throws {
    let state = Self.formatted(knowingKeyB: false)
    #expect(try plan(state, 4, Self.some).program.changesTag)
    let failure = #expect(throws: JobFailure.self) {
      try plan(state, 4, Self.some + Self.zeros + Self.zeros + Self.trailer(.value), force: true)
    }
    #expect(failure?.kind == .refused)
    var closed = Self.delivered()
    closed.sectors[1] = ClassicState.SectorState()
    #expect(throws: JobFailure.self) { try plan(closed, 3, Self.trailer(.value) + Self.some) }
  }
}
