import Bytes
import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("FeliCa tags that are locked for good")
struct FeliCaLockTests {
  /// A message in two blocks.
  /// The address is valid, so that nothing is thrown.
  // A static value cannot throw, and the link is a literal.
  private static let message = try! url("https://old.example.com/secret").serialize()

  /// A Lite-S whose block 0 holds `head`, with the message in the blocks behind it.
  private static func state(_ head: [UInt8]) throws -> FeliCaState {
    var state = try FeliCaPlanTests.lite([:])
    state.note(head, at: AttributeBlock.number)
    for (index, block) in message.feliCaBlocks.enumerated() {
      let rest = [UInt8](repeating: 0, count: AttributeBlock.byteCount - block.count)
      state.note(block + rest, at: UInt16(index + 1))
    }
    return state
  }

  private static func head(_ length: Int) -> AttributeBlock {
    AttributeBlock(blocksPerRead: 4, blocksPerWrite: 1, messageBlockCount: 13).holding(length)
  }

  private static func expectRefusal(_ head: [UInt8]) throws {
    let state = try state(head)
    #expect(throws: JobFailure.self, "\(Hex.string(head))") {
      try FeliCaJobPlanner(state: state).lock(force: false)
    }
  }

  @Test("an erased message stays erased, whatever the attribute block holds")
  func erased() throws {
    let empty = Self.head(0).serialize()
    for place in empty.indices {
      for value: UInt8 in 0...255 {
        var bytes = empty
        bytes[place] = value
        try Self.expectRefusal(bytes)
      }
    }
    var later = Self.head(0)
    later.version = 0x20
    var beyond = Self.head(Self.message.count)
    beyond.version = 0x20
    for bytes in [later.serialize(), beyond.serialize(), [UInt8](repeating: 0xFF, count: 16)] {
      try Self.expectRefusal(bytes)
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var bytes = empty
      for _ in 0..<Int.random(in: 2...16, using: &generator) {
        bytes[Int.random(in: 0..<16, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      guard (try? AttributeBlock(parsing: bytes)) == nil else { continue }
      try Self.expectRefusal(bytes)
    }
  }

  @Test("a lock whose attribute block was torn is finished, whatever the torn byte holds")
  func torn() throws {
    let open = Self.head(Self.message.count)
    let (old, new) = (open.serialize(), open.readOnly.serialize())
    for place in old.indices {
      for value: UInt8 in 0...255 {
        let bytes = new[..<place] + [value] + old[(place + 1)...]
        // An attribute block that is whole speaks for itself.
        if let whole = try? AttributeBlock(parsing: Array(bytes)), whole.readOnly != open.readOnly {
          continue
        }
        let state = try Self.state(Array(bytes))
        let plan = try FeliCaJobPlanner(state: state).lock(force: false)
        let locked = state.applying(try #require(plan.program))
        #expect(locked[0] == new, "byte \(place): \(value)")
        #expect(locked.configuration?.isLocked == true, "byte \(place): \(value)")
      }
    }
  }

  @Test(
    "a dry run ends as the lock does, and a tag that stays open is left as it is",
    arguments: ["felica-lite", "felica-lite-s"])
  func permissions(_ product: String) throws {
    let written = try Bench(product)
    #expect(written.run(FaultCase.short).failure == nil)
    for low: UInt8 in [0xFF, 0xFE, 0x01, 0x00] {
      for (high, rest) in [0xFF, 0x7F, 0xC0, 0x40, 0x80, 0x00, 0x9F, 0x1F].flatMap({ high in
        [UInt8(0xFF), 0x00, 0x7F].map { (UInt8(high), $0) }
      }) {
        let name = Hex.string([low, high, rest])
        let bench = try Bench(product)
        bench.tag.eeprom.load(
          written.memory[..<336] + [low, high, rest] + written.memory[339...])
        let before = bench.memory
        let planned = bench.run(.lock(force: false)) { $0.dryRun = true }
        #expect(bench.memory == before, "\(name)")
        let locked = bench.run(.lock(force: false))
        #expect(planned.failure?.kind == locked.failure?.kind, "\(name): \(locked)")
        guard locked.failure == nil else {
          #expect(locked.failure?.kind == .refused && bench.memory == before, "\(name): \(locked)")
          continue
        }
        let configuration = MemoryConfiguration(
          parsing: Array(bench.memory[336..<352]), of: product == "felica-lite" ? .lite : .liteS)
        #expect(locked.isLocked == true && configuration?.isLocked == true, "\(name)")
      }
    }
  }
}
