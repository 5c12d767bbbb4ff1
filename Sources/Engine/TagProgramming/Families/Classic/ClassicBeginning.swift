import TagMemory

/// How far a formatting has got on a tag that was blank: its writes in their order, sector by
/// sector, data before trailer, the directory last.
///
/// Power may have failed while one of them was programmed, and that block may hold anything. It is
/// known by its place: everything before it is as the job wants it. With nothing before it, it may
/// as well be somebody's data or somebody's key.
struct ClassicBeginning {
  private enum Unit {
    case data(Block, [UInt8])
    case trailer(Sector, KeyCandidate)

    var sector: Sector {
      switch self {
      case .data(let block, _): block.sector
      case .trailer(let sector, _): sector
      }
    }
  }

  private let state: ClassicState
  private var units: [Unit] = []

  init(state: ClassicState) { self.state = state }

  /// Adds the writes of one sector: `data` are those in it.
  mutating func add(_ sector: Sector, data: [(block: Block, bytes: [UInt8])], keyA: Key) {
    units += data.filter { $0.block.sector == sector }.map { .data($0.block, $0.bytes) }
    units.append(.trailer(sector, KeyCandidate(.a, keyA)))
  }

  /// The data block that may be torn; nil for none, and where it cannot be told from somebody's
  /// data.
  var tornBlock: Block? {
    if case .data(let block, _)? = next, isBegun { block } else { nil }
  }

  /// The closed sector whose trailer may be torn; nil for none, and where it may be somebody's.
  var tornSector: Sector? {
    guard let sector = next?.sector, isBegun, let known = state.sectors[sector],
      known.opener == nil
    else { return nil }
    return sector
  }

  /// The data block that comes first, while nothing is written: torn, it could not be told from
  /// somebody's data.
  var blindSpot: Block? {
    if case .data(let block, _)? = next, !isBegun { block } else { nil }
  }

  /// The first write that is not done.
  private var next: Unit? { units.first { !isDone($0) } }

  private var isBegun: Bool { units.first.map(isDone) ?? false }

  private func isDone(_ unit: Unit) -> Bool {
    switch unit {
    case .data(let block, let bytes): state.blocks[block] == bytes
    case .trailer(let sector, let key): state.sectors[sector]?.opener == key
    }
  }
}
