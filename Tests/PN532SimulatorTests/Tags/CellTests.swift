import PN532Simulator
import Testing

/// What befalls single cells: bits that are stuck, cycles that store something else, tears that
/// leave anything.
@Suite("Faults of the EEPROM's cells")
struct CellTests {
  private func write(
    _ bytes: String, _ change: (inout FaultPlan) -> Void
  ) throws -> (status: String, page: [UInt8], again: [UInt8]) {
    var plan = FaultPlan()
    change(&plan)
    let tag = try TagCatalog.tag("ntag213")
    let bench = Bench(tag, faults: plan)
    _ = bench.ask("4A0100")
    let status = bench.ask("4001A206" + bytes)
    let page = Array(tag.eeprom.bytes[24..<28])
    _ = bench.ask("320100")
    _ = bench.ask("4A0100")
    _ = bench.ask("4001A206" + bytes)
    return (status, page, Array(tag.eeprom.bytes[24..<28]))
  }

  @Test("a stuck bit takes one value only, and the tag says that it wrote")
  func stuck() throws {
    let result = try write("01020304") { plan in
      plan.stuckBits = [
        StuckBit(address: 25, bit: 7, value: 1), StuckBit(address: 27, bit: 2, value: 0),
        StuckBit(address: 28, bit: 0, value: 1),
      ]
    }
    #expect(result.status == "4100")
    #expect(result.page == [0x01, 0x82, 0x03, 0x00])
    #expect(result.again == result.page)
  }

  @Test("a cycle that misses stores wrong bits once")
  func missed() throws {
    let result = try write("01020304") { plan in
      plan.eepromWrites = [(.at(0), .missed(flipped: [0, 0x80]))]
    }
    #expect(result.status == "4100")
    #expect(result.page == [0x01, 0x82, 0x03, 0x04])
    #expect(result.again == [1, 2, 3, 4])
  }

  @Test("a tear may leave anything, the same for the same seed")
  func scrambled() throws {
    func torn(_ seed: UInt64) throws -> [UInt8] {
      let result = try write("01020304") { plan in
        plan.eepromWrites = [(.at(0), .scrambled(seed: seed, putBack: true))]
      }
      #expect(result.status == "4101")
      #expect(result.again == [1, 2, 3, 4])
      return result.page
    }
    let pages = try (0..<20).map { try torn($0) }
    #expect(Set(pages).count == 20)
    #expect(try torn(3) == pages[3])
  }
}
