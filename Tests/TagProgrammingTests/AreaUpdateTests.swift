import NDEF
import TagMemory
import Testing

@testable import TagProgramming

@Suite("The order in which an NDEF area is rewritten")
struct AreaUpdateTests {
  private static let message: [UInt8] = [
    0xD1, 0x01, 0x10, 0x55, 0x04, 0x65, 0x78, 0x61, 0x6D, 0x70, 0x6C, 0x65, 0x2E, 0x63, 0x6F, 0x6D,
    0x2F, 0x74, 0x2F, 0x31,
  ]

  /// An area of 48 bytes with `value` in a message TLV at its start.
  private static func desired(_ value: [UInt8]) throws -> AreaUpdate.Desired {
    let layout = try TLVLayout(message: value, in: .type2(byteCount: 48))
    return AreaUpdate.Desired(
      bytes: layout.applied(to: []), messageStart: layout.tagOffset,
      valueStart: (layout.lengthOffsets.last ?? 0) + 1)
  }

  private static func units(_ bytes: [UInt8]) -> [Int: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: AreaUpdate.units(of: bytes, size: 4).enumerated().map { ($0, $1) })
  }

  @Test("an empty message is filled from the end, the length last, without being switched off")
  func fillsEmpty() throws {
    let update = AreaUpdate(
      from: .init(units: Self.units([3, 0, 0xFE, 0]), length: (offset: 1, isOn: false)),
      to: try Self.desired(Self.message), unitSize: 4)
    #expect(update.writes.map(\.unit) == [5, 4, 3, 2, 1, 0])
    #expect(
      update.writes.map(\.role) == [.content, .content, .content, .content, .content, .switchOn])
    #expect(update.writes.last?.bytes == [0x03, 20, 0xD1, 0x01])
  }

  @Test("a message that differs in one unit is changed by one write")
  func changesOneUnit() throws {
    let old = try Self.desired(Self.message)
    var other = Self.message
    other[19] = 0x32
    let update = AreaUpdate(
      from: .init(units: Self.units(old.bytes), length: (offset: 1, isOn: true)),
      to: try Self.desired(other), unitSize: 4)
    #expect(update.writes.map(\.unit) == [5])
    #expect(update.unchanged == 5)
  }

  @Test("a message that differs in several units is switched off first")
  func switchesOff() throws {
    let old = try Self.desired(Self.message)
    let new = try Self.desired(Array(Self.message.reversed()))
    let update = AreaUpdate(
      from: .init(units: Self.units(old.bytes), length: (offset: 1, isOn: true)), to: new,
      unitSize: 4)
    #expect(
      update.writes.first
        == .init(unit: 0, bytes: [3, 0, 0xFE, 1], role: .switchOff, shows: .emptyMessage))
    #expect(update.writes.last?.role == .switchOn)
  }

  @Test("nothing is written where everything stands already")
  func writesNothing() throws {
    let old = try Self.desired(Self.message)
    let update = AreaUpdate(
      from: .init(units: Self.units(old.bytes), length: (offset: 1, isOn: true)), to: old,
      unitSize: 4)
    #expect(update.writes.isEmpty)
    #expect(update.unchanged == 6)
  }

  @Test("in rubbish an empty message is laid down before anything else")
  func emptiesRubbish() throws {
    let rubbish = [UInt8](repeating: 0x5A, count: 24)
    let update = AreaUpdate(
      from: .init(units: Self.units(rubbish), length: nil), to: try Self.desired(Self.message),
      unitSize: 4)
    #expect(
      update.writes.first
        == .init(unit: 0, bytes: [3, 0, 0xFE, 0], role: .switchOff, shows: .emptyMessage))
    #expect(update.writes.last?.unit == 0)
  }

  @Test(
    "after every write a reader finds the old message, an empty one or the new one",
    arguments: [4, 16], 0..<60)
  func neverHalf(unitSize: Int, seed: Int) throws {
    var generator = SystemRandomNumberGenerator()
    let area = TLVArea.type2(byteCount: 720)
    func random(_ range: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: range, using: &generator)).map { _ in .random(in: 1...255) }
    }
    let (old, new) = (random(0...400), random(1...400))
    let oldLayout = try TLVLayout(message: old, in: area)
    let newLayout = try TLVLayout(message: new, in: area)
    var memory = oldLayout.applied(to: [])
    memory += [UInt8](repeating: 0x77, count: 720 - memory.count)
    var units: [Int: [UInt8]] = [:]
    for (unit, bytes) in AreaUpdate.units(of: memory, size: unitSize).enumerated() {
      units[unit] = bytes
    }
    let update = AreaUpdate(
      from: .init(units: units, length: (offset: 1, isOn: !old.isEmpty)),
      to: .init(
        bytes: newLayout.applied(to: []), messageStart: 0,
        valueStart: (newLayout.lengthOffsets.last ?? 0) + 1),
      unitSize: unitSize)
    for write in update.writes {
      memory.replaceSubrange(write.unit * unitSize..<(write.unit + 1) * unitSize, with: write.bytes)
      let found = TLVScan(memory, of: area).message?.value
      #expect(found == old || found == [] || found == new)
    }
    #expect(TLVScan(memory, of: area).message?.value == new)
  }

  /// Bytes of messages with a header of one length or the other.
  private static func message(_ count: Int, _ fill: UInt8) throws -> [UInt8] {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) &* fill }
    return Message(try Record(.media, type: Array("a/b".utf8), payload: payload)).serialize()
  }

  @Test(
    "after every write TLVs of others are found where they begin",
    arguments: (0..<6).map { (4, $0) } + (10..<17).map { (16, $0) })
  func othersBehind(unitSize: Int, before: Int) throws {
    let leading =
      before < 2
      ? [UInt8](repeating: 0, count: before)
      : [0xFD, UInt8(before - 2)] + [UInt8](repeating: 5, count: before - 2)
    let reserved = [
      nil, before + 2..<before + 3, before + 4..<before + 9, before + 5..<before + 6, 40..<52,
    ]
    for hole in reserved {
      let area = TLVArea.type2(byteCount: 1024, reserved: [hole].compactMap(\.self))
      // Messages of 254 and 255 bytes have lengths of one byte and of three.
      for old in [nil, 20, 248, 249, 300] {
        for new in [1, 248, 249] {
          for gap in [0, 1, 40, 300] {
            for marks in [false, true] where !marks || new == 1 && gap <= 40 {
              try check(area, leading, old, new, gap: gap, unitSize: unitSize, marks: marks)
            }
          }
        }
      }
    }
  }

  @Test(
    "and where the old message's records tell no end",
    arguments: (2..<8).map { (4, $0) } + (12..<18).map { (16, $0) })
  func garbageBefore(unitSize: Int, before: Int) throws {
    let leading = [0xFD, UInt8(before - 2)] + [UInt8](repeating: 5, count: before - 2)
    let area = TLVArea.type2(byteCount: 1024)
    for old in [12, 254] {
      let garbage = (0..<old).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x40) }
      for gap in [0, 1, 40, 300] {
        try check(
          area, leading, old, 4, gap: gap, unitSize: unitSize, marks: false, garbage: garbage)
      }
    }
  }

  /// In how many units the length at `start` and the header of a TLV lie that reaches from there to
  /// `others`. Of a header of five bytes whose last byte alone is in another unit, a TLV of three
  /// bytes fills the first one.
  private static func headerUnitCount(
    _ area: TLVArea, from start: Int, to others: Int, _ unitSize: Int
  ) -> Int {
    let room = area.usableCount(from: start) - area.usableCount(from: others)
    func units(_ count: Int) -> [Int] {
      (area.runs(from: start, count: count) ?? []).flatMap { $0.map { $0 / unitSize } }
    }
    guard room > 257 else { return Set(units(min(room, 3))).count }
    let long = units(5)
    let isLastApart = long[3] == long[0] && long[4] != long[0]
    return Set(isLastApart ? units(8) : long).count
  }

  /// `marks`: the job changes a mirror, too; `garbage`: what the old message holds.
  private func check(
    _ area: TLVArea, _ leading: [UInt8], _ old: Int?, _ new: Int, gap: Int, unitSize: Int,
    marks: Bool, garbage: [UInt8]? = nil
  ) throws {
    let what =
      "\(leading.count) before, \(old ?? -1) to \(new), gap \(gap), \(area.reserved), marks \(marks)"
    let before = try TLVLayout(
      message: garbage ?? old.map { try Self.message($0, 7) } ?? [], in: area, leading: leading)
    let after = try TLVLayout(message: Self.message(new, 11), in: area, leading: leading)
    // Others begin behind the message, without its Terminator, and `gap` usable bytes.
    let last = before.terminatorOffset ?? before.endOffset
    guard let others = area.runs(from: last, count: gap + 1)?.last?.last,
      (after.terminatorOffset ?? after.endOffset) <= others
    else { return }
    var memory = Array(before.applied(to: leading).prefix(last))
    memory += [UInt8](repeating: 0, count: others - memory.count) + [0xFD, 1, 9, 0xFE]
    memory += [UInt8](repeating: 0, count: 1024 - memory.count)
    try #require(TLVScan(memory, of: area).othersBehindMessage == others, "\(what)")
    let lengthAt = try #require(before.lengthOffsets.first)
    // The one exception: a header in three units, as bytes among them are reserved.
    guard Self.headerUnitCount(area, from: lengthAt, to: others, unitSize) < 3 else { return }
    var current = AreaUpdate.Current(
      units: [:], length: (offset: lengthAt, isOn: old != nil), others: (others, after.area))
    current.changesMore = marks
    for (unit, bytes) in AreaUpdate.units(of: memory, size: unitSize).enumerated() {
      current.units[unit] = bytes
    }
    var wanted = Array(after.applied(to: leading).prefix(after.terminatorOffset ?? after.endOffset))
    for offset in wanted.count..<others {
      wanted.append(area.usable(from: offset) == offset ? 0 : memory[offset])
    }
    while wanted.count % unitSize != 0 { wanted.append(memory[wanted.count]) }
    let update = AreaUpdate(
      from: current,
      to: .init(
        bytes: wanted, messageStart: after.tagOffset, lengthStart: after.lengthOffsets.first,
        valueStart: (after.lengthOffsets.last ?? 0) + 1), unitSize: unitSize)
    for (step, write) in update.writes.enumerated() {
      memory.replaceSubrange(write.unit * unitSize..<(write.unit + 1) * unitSize, with: write.bytes)
      let scan = TLVScan(memory, of: area)
      #expect(
        scan.othersBehindMessage == others, "\(what), write \(step) of \(update.writes.count)")
      guard scan.othersBehindMessage == others else { return }
      // A later start sees that the job changes more, from where the message is off until it is on.
      guard marks, write.role == .content, write.shows == .emptyMessage, others > lengthAt + 1
      else { continue }
      #expect([0, 0xFB].contains(memory[lengthAt + 1]), "\(what), write \(step)")
    }
  }
}
