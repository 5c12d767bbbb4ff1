import Bytes
import SeededNumbers
import TagMemory
import Testing

@Suite("Reserved bytes in a Type 2 data area")
struct TLVReservedTests {
  @Test("ranges are kept in order, merged and inside the area")
  func area() {
    let area = TLVArea.type2(byteCount: 48, reserved: [20..<22, -5..<2, 40..<99, 21..<25, 60..<61])
    #expect(area.reserved == [0..<2, 20..<25, 40..<48])
    #expect(area.usable(from: 0) == 2)
    #expect(area.usable(from: 19) == 19)
    #expect(area.usable(from: 20) == 25)
    #expect(area.usable(from: 40) == 48)
    #expect(area.usable(from: .max) == 48)
    #expect(area.usable(from: .min) == 2)
    #expect(area.usableCount(from: 0) == 33)
    #expect(area.usableCount(from: 22) == 15)
    #expect(area.usableCount(from: .max) == 0)
    #expect(area.runs(from: 18, count: 5) == [18..<20, 25..<28])
    #expect(area.runs(from: 18, count: 17) == [18..<20, 25..<40])
    #expect(area.runs(from: 18, count: 18) == nil)
    #expect(area.runs(from: 0, count: 0) == [])
  }

  @Test("a message straddles the bytes that a Memory Control TLV reserves")
  func straddle() {
    // Byte 28 of the tag (area offset 12), 2 bytes.
    let bytes: [UInt8] = [
      2, 3, 0x1C, 2, 4, 3, 8, 1, 2, 3, 4, 5, 0xFE, 0xFE, 6, 7, 8, 0xFE,
    ]
    let scan = TLVScan(bytes, of: .type2(byteCount: 48))
    #expect(scan.area.reserved == [12..<14])
    #expect(scan.message?.value == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(scan.message?.valueRuns == [7..<12, 14..<17])
    #expect(scan.terminator == 17)
    #expect(TLVScan(bytes.prefix(16), of: .type2(byteCount: 48)).progress == .needs(byteCount: 17))
  }

  @Test(
    "a control TLV that is too long is repaired, unless it covers TLVs of others",
    arguments: [
      ([1, 7, 0xA0, 0x0C, 0x34, 0, 0, 0, 0, 3, 0, 0xFE], [0..<9]),
      ([1, 7, 0xA0, 0x0C, 0x34, 0xFD, 2, 0xCA, 0xFE, 3, 0, 0xFE], nil),
      ([1, 11, 0xA0, 0x0C, 0x34, 2, 3, 0x90, 8, 3, 0xFD, 1, 0xCA, 3, 0, 0xFE], nil),
    ] as [([UInt8], [Range<Int>]?)])
  func tooLong(_ bytes: [UInt8], _ repaired: [Range<Int>]?) {
    let scan = TLVScan(bytes, of: .type2(byteCount: 48))
    #expect(scan.message?.offset == bytes.count - 3)
    #expect(scan.damage?.ranges == repaired)
    #expect(scan.hidesOthers == (repaired == nil))
  }

  @Test("tag, length field and Terminator straddle as well", arguments: 0...12)
  func everyPlace(_ gap: Int) throws {
    let area = TLVArea.type2(byteCount: 400, reserved: [gap..<gap + 3, gap + 5..<gap + 6])
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 + 1) }
    let layout = try TLVLayout(message: message, in: area)
    let bytes = layout.applied(to: Array(repeating: 0xEE, count: 400))
    for range in area.reserved { #expect(bytes[range].allSatisfy { $0 == 0xEE }) }
    let scan = TLVScan(bytes, of: area)
    #expect(scan.message?.value == message)
    #expect(scan.message?.offset == layout.tagOffset)
    #expect(scan.message?.lengthOffsets == layout.lengthOffsets)
    #expect(scan.terminator == layout.terminatorOffset)
    #expect(scan.faults.isEmpty)
  }

  @Test("A0 10 44 on an NTAG215 costs two bytes in the middle, on a MF0UL21 nothing")
  func wrongLockControl() {
    let leading: [UInt8] = [1, 3, 0xA0, 0x10, 0x44]
    #expect(TLVScan(leading, of: .type2(byteCount: 496)).area.reserved == [144..<146])
    #expect(TLVLayout.capacity(of: .type2(byteCount: 496), leading: leading) == 496 - 5 - 2 - 4)
    #expect(TLVLayout.capacity(of: .type2(byteCount: 128), leading: leading) == 121)
  }

  @Test("a control TLV that reserves its own place does no harm")
  func reservesItself() {
    // Bytes 16 to 47 of the tag, the first 32 of the area.
    let scan = TLVScan(
      [2, 3, 0x10, 32, 4] + Array(repeating: 3, count: 27) + [3, 1, 9, 0xFE],
      of: .type2(byteCount: 48))
    #expect(scan.message?.offset == 32)
    #expect(scan.message?.value == [9])
  }

  @Test("an area that reserves all of itself is complete and has no room")
  func allReserved() {
    let area = TLVArea.type2(byteCount: 48, reserved: [0..<48])
    #expect(TLVScan([], of: area).progress == .complete)
    #expect(TLVLayout.capacity(of: area) == nil)
    #expect(throws: TagMemoryError.noRoomForMessage(area: 48, leading: 0)) {
      try TLVLayout(message: [], in: area)
    }
  }

  @Test("hostile areas end the walk, whatever of them is available", arguments: 0..<300)
  func hostile(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = Int.random(in: 0...900, using: &generator)
    let tags: [UInt8] = [0, 1, 2, 3, 0xFD, 0xFE, 0xFF, 0x10, 0x11, 4, 8]
    let bytes = (0..<size).map { _ in
      Bool.random(using: &generator)
        ? UInt8.random(in: 0...255, using: &generator) : tags.randomElement(using: &generator) ?? 0
    }
    for area in [TLVArea.type2(byteCount: size), .classic(byteCount: size)] {
      var count = 0
      while case .needs(let more) = TLVScan(bytes.prefix(count), of: area).progress {
        #expect(more > count && more <= size)
        guard more > count else { return }
        count = more
      }
      let scan = TLVScan(bytes.prefix(count), of: area)
      let whole = TLVScan(bytes, of: area)
      #expect(scan == whole)
      #expect((scan.progress == .broken) == (scan.faults.last?.endsWalk ?? false))
      for block in scan.blocks { #expect(block.endOffset ?? block.offset <= size) }
      _ = TLVLayout.capacity(of: area, leading: bytes.prefix(scan.messageOffset))
    }
  }
}
