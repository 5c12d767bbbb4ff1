import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("Memory configuration of a FeliCa Lite-S, block MC")
struct MemoryConfigurationTests {
  private func configuration(_ text: String, of chip: LiteMemory.Kind = .liteS) throws
    -> MemoryConfiguration
  {
    let bytes = try Hex.bytes(text)
    let padding = [UInt8](repeating: 0, count: 16 - bytes.count)
    return try #require(MemoryConfiguration(parsing: bytes + padding, of: chip))
  }

  @Test(
    "counts the blocks for a message that anybody can write",
    arguments: [
      ("FFFFFF0007", 13), ("FF3FFF0007", 13), ("FFDFFF0007", 12), ("FEFFFF0007", 13),
      ("FDFFFF0007", 0), ("0000000107", 0), ("FF00FF0107", 7),
      ("FFFFFF010700 0000 0800", 2), ("FFFFFF010700 0000 0000 0020", 12),
    ])
  func room(_ text: String, _ count: Int) throws {
    #expect(try configuration(text).messageBlockCount == count)
  }

  @Test("asks no key of a Lite, whatever stands in the bytes that are reserved there")
  func reserved() throws {
    let text = "FFFFFF010700FFFFFFFFFFFF01"
    let (lite, liteS) = (try configuration(text, of: .lite), try configuration(text))
    #expect(lite.messageBlockCount == 13 && liteS.messageBlockCount == 0)
    #expect(!lite.needsKeyToRead(1) && liteS.needsKeyToRead(1))
    // It stores nothing there either.
    let without = try configuration("FFFFFF0107", of: .lite)
    #expect(without.merged(with: lite) == without && !without.canBecome(lite))
    #expect(lite.serialize() == liteS.serialize())
  }

  @Test(
    "declares NDEF where that is open, and leaves all else as it is",
    arguments: [
      ("FFFFFF0007", "FFFFFF0107"), ("FF7FFF0002", "FF7FFF0102"), ("FFFFFF0107", "FFFFFF0107"),
      ("FFFF000107", "FFFF000107"), ("FFFF000007", nil), ("FFFF7F0007", nil),
      ("FFFFFFFD07", "FFFFFF0107"), ("FFFF00FD07", "FFFF00FD07"),
    ])
  func declares(_ before: String, _ after: String?) throws {
    let wanted = try after.map { try configuration($0) }
    #expect(try configuration(before).declaringNDEF == wanted)
  }

  @Test("locks the user blocks, not REG, and freezes the rest")
  func locks() throws {
    let open = try configuration("FFFFFF0107")
    let locked = open.locking(MemoryConfiguration.userBlocks)
    #expect(locked == (try configuration("00C0FF0107")))
    #expect(!locked.isLocked)
    #expect(locked.frozen == (try configuration("0040000107")))
    #expect(locked.frozen.isLocked && locked.frozen.isFrozen && !locked.frozen.canLock)
    #expect(open.locking(1...13) == (try configuration("01C0FF0107")))
    #expect(open.locking(14...200) == open)
    #expect(locked.isWritable(14) && !locked.isWritable(15) && !locked.isWritable(200))
  }

  @Test("gives back no right, whatever is done in whatever order")
  func oneWay() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<2000 {
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let start = MemoryConfiguration(parsing: bytes, of: .liteS) else { continue }
      var value = start
      for _ in 0..<4 {
        let before = value
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: value = value.declaringNDEF ?? value
        case 1: value = value.locking(UInt16.random(in: 0...13, using: &generator)...13)
        case 2: value = value.frozen
        default: value = before.merged(with: start)
        }
        for block: UInt16 in 0...14 {
          #expect(before.isWritable(block) || !value.isWritable(block))
          #expect(before.isFree(block) || !value.isFree(block))
        }
        #expect(!before.isFrozen || value.isFrozen)
        #expect(before.canLock || !value.canLock)
      }
    }
  }

  @Test("knows what the tag would not take")
  func reachable() throws {
    let open = try configuration("FFFFFF0007")
    #expect(open.canBecome(try configuration("0040000107")))
    #expect(!(try configuration("0040000107")).canBecome(open))
    #expect(!(try configuration("FFFF000007")).canBecome(try configuration("FFFF000107")))
    #expect((try configuration("FFFF000107")).canBecome(try configuration("00C0000107")))
    #expect(!(try configuration("FF7F000107")).canBecome(try configuration("0040000107")))
    #expect(MemoryConfiguration(parsing: [1, 2, 3], of: .lite) == nil)
  }
}
