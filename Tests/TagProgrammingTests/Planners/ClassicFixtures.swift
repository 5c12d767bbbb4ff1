import TagMemory

@testable import TagProgramming

/// A MIFARE Mini (five sectors of four blocks) as a survey finds it. All bytes are written out here
/// from AN1304 and AN10787.
enum Mini {
  static let factory = KeyCandidate(.a, .factory)
  static let factoryB = KeyCandidate(.b, .factory)
  static let nfc = KeyCandidate(.a, .nfc)

  /// The directory, AN10787, 3: checksum, info byte 01, NFC (03E1) in sectors 1 to 4; a Mini has no
  /// others (0005).
  static let directory = [
    hex("b401 03e1 03e1 03e1 03e1 0500 0500 0500"),
    hex("0500 0500 0500 0500 0500 0500 0500 0500"),
  ]
  /// Trailers as they read: no key A, and key B only where it is data.
  static let transport = hex("000000000000 ff078069 ffffffffffff")
  static let directoryTrailer = hex("000000000000 787788c1 000000000000")
  static let openTrailer = hex("000000000000 7f078840 000000000000")
  static let lockedTrailer = hex("000000000000 078f0f43 000000000000")
  static let zeros = [UInt8](repeating: 0, count: 16)

  static let sectors: [Sector] = [1, 2, 3, 4]
  static let area = NDEFArea(sectors)

  /// As delivered, every block read.
  static let delivered: ClassicState = {
    var state = ClassicState(geometry: .mini)
    for sector in Geometry.mini.sectors {
      set(&state, sector, opener: factory, writer: factory, trailer: transport)
      for block in sector.dataBlocks { state.blocks[block] = zeros }
    }
    return state
  }()

  /// An NDEF tag with the factory's key B and this in block 4.
  static func formatted(_ first: String = "0300fe") -> ClassicState {
    var state = delivered
    set(
      &state, .mad, opener: KeyCandidate(.a, .mad), writer: factoryB, trailer: directoryTrailer)
    (state.blocks[1], state.blocks[2]) = (directory[0], directory[1])
    for sector in sectors {
      set(&state, sector, opener: nfc, writer: factoryB, trailer: openTrailer)
    }
    let bytes = hex(first)
    state.blocks[4] = bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    return state
  }

  static func set(
    _ state: inout ClassicState, _ sector: Sector, opener: KeyCandidate?, writer: KeyCandidate?,
    trailer: [UInt8]?
  ) {
    state.sectors[sector] = ClassicState.SectorState(
      opener: opener, trailerWriter: writer,
      trailer: trailer.flatMap { try? SectorTrailer(parsing: $0) })
  }

  /// `state` after `change`.
  static func with(_ state: ClassicState, _ change: (inout ClassicState) -> Void) -> ClassicState {
    var state = state
    change(&state)
    return state
  }

  /// The whole memory of `state`, with these keys in the trailers: what a dump holds that knows
  /// them.
  static func image(of state: ClassicState, keys: [Sector: (a: Key, b: Key)] = [:]) -> MemoryImage {
    let bytes = Geometry.mini.blocks.flatMap { block -> [UInt8] in
      guard block.isTrailer else { return state.blocks[block] ?? zeros }
      var trailer = state.sectors[block.sector]!.trailer!.serialize()
      let pair = keys[block.sector] ?? (.factory, .factory)
      trailer.replaceSubrange(0..<6, with: pair.a.bytes)
      trailer.replaceSubrange(10..<16, with: pair.b.bytes)
      return trailer
    }
    return MemoryImage(.classic(.mini), uid: UID([1, 2, 3, 4]), bytes: bytes)!
  }

  /// The keys of an NDEF tag.
  static let keys: [Sector: (a: Key, b: Key)] = {
    var keys: [Sector: (a: Key, b: Key)] = [.mad: (.mad, .factory)]
    for sector in sectors { keys[sector] = (.nfc, .factory) }
    return keys
  }()
}
