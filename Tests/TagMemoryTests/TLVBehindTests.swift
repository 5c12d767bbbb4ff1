import SeededNumbers
import TagMemory
import Testing

@Suite("What stands behind a message")
struct TLVBehindTests {
  /// A message of one record whose payload looks like TLVs: of others, of a job that was cut short,
  /// and Terminators.
  private static func message(
    _ count: Int, _ numbers: inout SeededGenerator
  ) -> [UInt8] {
    let pieces: [[UInt8]] = [
      [0xFD, 1, 9], [0xFD, 0], [0], [0xFE], [0xFD, 2, 7, 7, 0xFE], [1, 3, 1, 1, 1],
      [2, 3, 0xA0, 1, 4], [0xFC, 1, 0], [0xFB, 0],
    ]
    let payload = Self.payload(of: pieces, count, &numbers)
    let type: [UInt8] = [[], [0xFD], Array("a/b".utf8)].randomElement(using: &numbers) ?? []
    let format: UInt8 = type.isEmpty ? 0x05 : type.count == 1 ? 0x04 : 0x02
    let length: [UInt8] =
      count < 256 ? [UInt8(count)] : [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)]
    return [0xC0 | (count < 256 ? 0x10 : 0) | format, UInt8(type.count)] + length + type + payload
  }

  private static func payload(
    of pieces: [[UInt8]], _ count: Int, _ numbers: inout SeededGenerator
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += pieces.randomElement(using: &numbers) ?? [] }
    return Array(bytes.prefix(count))
  }

  @Test(
    "the payload of a message is nobody's TLVs, whatever became of its length",
    arguments: [nil, 4..<5, 9..<20] as [Range<Int>?])
  func payload(_ hole: Range<Int>?) throws {
    var numbers = SeededGenerator(seed: UInt64(hole?.count ?? 0))
    let area = TLVArea.type2(byteCount: 720, reserved: [hole].compactMap(\.self))
    for _ in 0..<400 {
      let counts = [0, 1, 2, 5, 20, 100, 246, 247, 248, 249, 250, 254, 256, 300]
      let value = Self.message(counts.randomElement(using: &numbers) ?? 0, &numbers)
      let layout = try TLVLayout(message: value, in: area)
      var memory = layout.applied(to: [])
      memory += Self.payload(
        of: [[0xFD, 1, 9], [0xFE], [0], [7, 7]], 720 - memory.count, &numbers)
      #expect(TLVScan(memory, of: area).othersBehindMessage == nil)
      let (first, last) = (
        layout.lengthOffsets[0], layout.lengthOffsets[layout.lengthOffsets.count - 1]
      )
      var torn = memory
      torn[first] = 0
      #expect(TLVScan(torn, of: area).othersBehindMessage == nil, "length 0: \(value.prefix(20))")
      // Bits that did not arrive.
      for bit in 0..<8 {
        torn = memory
        torn[last] &= ~(1 << UInt8(bit))
        #expect(
          TLVScan(torn, of: area).othersBehindMessage == nil, "bit \(bit): \(value.prefix(20))")
      }
    }
  }

  @Test(
    "TLVs of others behind a message of any length are found", arguments: [0, 20, 254, 255, 300])
  func others(_ count: Int) throws {
    let area = TLVArea.type2(byteCount: 720)
    let value = [UInt8](repeating: 0x55, count: count)
    let layout = try TLVLayout(message: value, in: area)
    let end = layout.terminatorOffset ?? 0
    for gap in [0, 1, 9] {
      let memory =
        layout.applied(to: []).prefix(end) + [UInt8](repeating: 0, count: gap)
        + [0xFD, 1, 9, 0xFE]
      let whole = Array(memory) + [UInt8](repeating: 0, count: 720 - memory.count)
      #expect(TLVScan(whole, of: area).othersBehindMessage == end + gap)
    }
  }
}
