import PN532Simulator

/// What happens to the cells of one page or block, and how often.
enum CellFault: String, CaseIterable, Sendable {
  /// A bit takes the wrong value whenever it is programmed.
  case stuckBit = "bad bit"
  /// A byte keeps what it held whenever it is programmed.
  case stuckByte = "bad cell"
  /// One write stores a wrong bit.
  case missedBit = "write stores a wrong bit"
  /// Power fails within a write, and the whole unit holds anything.
  case scrambled = "torn write, any bytes"
  case scrambledPutBack = "torn write, any bytes, put back"

  /// Whether the cells stay bad.
  var isPermanent: Bool { self == .stuckBit || self == .stuckByte }

  /// One fault: in which write of the job, at which of its bytes, at which bit; for tears a seed in
  /// place of both.
  struct Place: Sendable {
    let write: Int
    let byte: Int
    let bit: Int
  }

  /// The places of a job; a sample of them unless every one is asked for.
  func places(of rehearsal: Rehearsal, isExhaustive: Bool, number: Int) -> [Place] {
    var places: [Place] = []
    for (write, unit) in rehearsal.writes.enumerated() {
      // What is written again later meets the same bad cell.
      if isPermanent, rehearsal.writes[..<write].contains(unit) { continue }
      switch self {
      case .stuckBit:
        for byte in rehearsal.writable(unit) {
          let bits = rehearsal.isStruckWhole(unit) ? 0..<8 : rehearsal.bit(of: unit, byte)
          places += bits.map { Place(write: write, byte: byte, bit: $0) }
        }
      case .stuckByte:
        places += rehearsal.writable(unit)
          .filter {
            rehearsal.before[unit.lowerBound + $0] != rehearsal.wanted[unit.lowerBound + $0]
          }
          .map { Place(write: write, byte: $0, bit: 0) }
      case .missedBit:
        places += rehearsal.writable(unit).map {
          Place(write: write, byte: $0, bit: (write + $0) % 8)
        }
      case .scrambled, .scrambledPutBack:
        let seeds = rehearsal.isStruckWhole(unit) ? 0..<8 : 0..<2
        places += seeds.map { Place(write: write, byte: 0, bit: $0) }
      }
    }
    guard !isExhaustive, places.count > 2 else { return places }
    // Two of each job, others for every job; and one beside the message, where what goes wrong may
    // be for ever.
    func one(of places: [Place], _ seed: Int) -> Place {
      places[(number &* 31 &+ seed &* 17) % places.count]
    }
    let beside = places.filter { rehearsal.isBeside(rehearsal.writes[$0.write]) }
    return [one(of: places, 7), one(of: places, 13)] + (beside.isEmpty ? [] : [one(of: beside, 5)])
  }

  /// Lays the fault.
  func arm(_ place: Place, _ rehearsal: Rehearsal, _ plan: inout FaultPlan) {
    let unit = rehearsal.writes[place.write]
    let address = unit.lowerBound + place.byte
    switch self {
    case .stuckBit:
      let wanted = rehearsal.wanted[address] >> UInt8(place.bit) & 1
      plan.stuckBits = [StuckBit(address: address, bit: place.bit, value: wanted ^ 1)]
    case .stuckByte:
      let old = rehearsal.before[address]
      plan.stuckBits = (0..<8).map {
        StuckBit(address: address, bit: $0, value: old >> UInt8($0) & 1)
      }
    case .missedBit:
      var flipped = [UInt8](repeating: 0, count: unit.count)
      flipped[place.byte] = 1 << UInt8(place.bit)
      plan.eepromWrites = [(.at(place.write), .missed(flipped: flipped))]
    case .scrambled, .scrambledPutBack:
      let seed = UInt64(place.write) << 8 | UInt64(place.bit)
      plan.eepromWrites = [
        (.at(place.write), .scrambled(seed: seed, putBack: self == .scrambledPutBack))
      ]
    }
  }
}

/// Which cells of a 4K are struck, whose 40 sectors would take half of all the time.
extension Rehearsal {
  /// Whether every bit of `unit` is: on a 4K those of both directories, of the first two and the
  /// last sector of each size, and of every sixth. Of each byte of the others it is one bit,
  /// another one in each block, and of eight torn contents two.
  func isStruckWhole(_ unit: Range<Int>) -> Bool {
    guard isLarge else { return true }
    let block = unit.lowerBound / 16
    let sector = block < 128 ? block / 4 : 32 + (block - 128) / 16
    return [0, 1, 2, 16, 31, 32, 33, 39].contains(sector) || sector.isMultiple(of: 6)
  }

  fileprivate func bit(of unit: Range<Int>, _ byte: Int) -> Range<Int> {
    let bit = (unit.lowerBound / 16 + byte) % 8
    return bit..<bit + 1
  }
}
