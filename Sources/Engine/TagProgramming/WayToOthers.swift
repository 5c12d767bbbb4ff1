import TagMemory

/// How TLVs of others behind a message stay in the reach of readers, and of a later start of the
/// job, while the message is off: a TLV with the tag `TLV.Tag.rest`, or `restOfMore`, stands behind
/// its length and reaches to them. Where its header lies in two write units, the one that holds the
/// length may have other bytes meanwhile; of each state in between `TLVScan.behind` finds those
/// TLVs.
struct WayToOthers {
  /// Offsets of the bytes that TLVs use, from the message's length to the TLVs of others.
  private let places: [Int]
  private let end: Int
  private let area: TLVArea
  private let unitSize: Int
  /// The bytes of a message that is off, its length first; nil for those that stay.
  private let header: [UInt8?]

  /// The tag of the TLV that leads to them.
  private let tag: TLV.Tag

  /// `length`: where the message's length begins in `area`. `marks`: a later start has to see that
  /// the job changes more than the area.
  init(from length: Int, to end: Int, in area: TLVArea, unitSize: Int, marks: Bool) {
    self.end = end
    self.unitSize = unitSize
    // What is behind does not count: two bytes stand for it.
    self.area = area.prefix(end + Self.others.count)
    let count = area.usableCount(from: length) - area.usableCount(from: end)
    places = (area.runs(from: length, count: max(0, count)) ?? []).flatMap { Array($0) }
    tag = marks ? .restOfMore : .rest
    let room = places.count - 1
    let first = places.first.map { $0 / unitSize }
    let isSplitBeforeLast =
      places.count > 5 && places[3] / unitSize == first && places[4] / unitSize != first
    // Of a long header only the last byte is in the next unit: a TLV of three bytes fills this one.
    header =
      room > 2 + TLV.longestShortValue && isSplitBeforeLast
      ? [0, tag.rawValue, 1, nil] + Self.header(tag, over: room - 3)
      : [0] + Self.header(tag, over: room)
  }

  /// A proprietary TLV of no bytes.
  private static let others: [UInt8] = [TLV.Tag.proprietary.rawValue, 0]

  /// `tag` and the length of a TLV that takes `room` bytes; a NULL TLV for one byte.
  private static func header(_ tag: TLV.Tag, over room: Int) -> [UInt8] {
    switch room {
    case ...0: []
    case 1: [TLV.Tag.null.rawValue]
    case ...(2 + TLV.longestShortValue): [tag.rawValue, UInt8(room - 2)]
    default:
      [tag.rawValue, 0xFF, UInt8((room - 4) >> 8), UInt8((room - 4) & 0xFF)]
    }
  }

  /// The units of the header, the one with the length first.
  private var headerUnits: [Int] {
    places.prefix(header.count).map { $0 / unitSize }.reduce(into: []) { units, unit in
      if units.last != unit { units.append(unit) }
    }
  }

  /// The last unit of the header.
  var lastUnit: Int? { headerUnits.last }

  /// What the unit of the length may hold while the other one is written, laid over its bytes.
  private var pauses: [[UInt8?]] {
    let short = UInt8(max(0, min(places.count - 3, TLV.longestShortValue)))
    let led: [[UInt8?]] = [[0, tag.rawValue, short], [0, tag.rawValue, 1]]
    // Nothing behind the length would say that the job changes more than the area.
    return tag == .restOfMore ? led + [[0]] : [[0]] + led
  }

  /// `bytes` of `unit` with `header` over them.
  private func laying(_ header: [UInt8?], over bytes: [UInt8], of unit: Int) -> [UInt8] {
    var bytes = bytes
    for (place, byte) in zip(places, header) where place / unitSize == unit {
      if let byte { bytes[place % unitSize] = byte }
    }
    return bytes
  }

  /// Returns whether the TLVs of others are found in an area that holds `units`.
  private func leads(_ units: [Int: [UInt8]]) -> Bool {
    var bytes: [UInt8] = []
    for unit in 0..<(end + unitSize - 1) / unitSize {
      guard let known = units[unit] else { return false }
      bytes += known
    }
    return TLVScan(bytes.prefix(end) + Self.others, of: area).othersBehindMessage == end
  }

  /// The writes that switch the message off in an area that holds `held`, and would hold `meant` if
  /// no write had gone wrong; none where it is off, and the header of this way behind it.
  func switchingOff(_ held: [Int: [UInt8]], meant: [Int: [UInt8]])
    -> [(unit: Int, bytes: [UInt8])]
  {
    let units = held.merging(meant) { $1 }
    let final = headerUnits.compactMap { unit in
      units[unit].map { (unit: unit, bytes: laying(header, over: $0, of: unit)) }
    }
    guard final.contains(where: { held[$0.unit] != $0.bytes }) else { return [] }
    guard final.count == 2, let before = units[final[0].unit] else { return final }
    let ways =
      [final]
      + pauses.map { pause in
        let bytes = laying(pause, over: before, of: final[0].unit)
        return [(final[0].unit, bytes), final[1], final[0]]
      }
      // A message whose records tell no end is damaged before it is off.
      + [final.reversed()]
    return ways.first { allLead($0, in: units) } ?? final
  }

  /// The writes that bring the units of the header to `wanted`, and the message on with them, in an
  /// area that holds `units`.
  func switchingOn(_ wanted: [[UInt8]], in units: [Int: [UInt8]]) -> [(unit: Int, bytes: [UInt8])] {
    let final = headerUnits.reversed().filter(wanted.indices.contains).map { ($0, wanted[$0]) }
    guard final.count == 2 else { return final }
    let (unit, bytes) = final[1]
    let ways = [final] + pauses.map { [(unit, laying($0, over: bytes, of: unit))] + final }
    return ways.first { allLead($0, in: units) } ?? final
  }

  /// Returns whether the TLVs of others are found after each of `writes` but the last.
  private func allLead(_ writes: [(unit: Int, bytes: [UInt8])], in units: [Int: [UInt8]]) -> Bool {
    var units = units
    return writes.dropLast().allSatisfy { write in
      units[write.unit] = write.bytes
      return leads(units)
    }
  }
}
