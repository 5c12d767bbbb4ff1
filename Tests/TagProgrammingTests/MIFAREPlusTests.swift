import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("A MIFARE Plus in security level 3")
struct MIFAREPlusTests {
  @Test(
    "is named, has no NDEF application, and no command writes to it",
    arguments: [
      ("plus-sl3", Product.type4), ("plus-ev1", .plusEV1), ("plus-ev2", .plusEV2),
    ])
  func refused(_ name: String, _ product: Product) throws {
    let bench = try Bench(name)
    let found = bench.run(.info)
    #expect(found.failure == nil && found.product == product)
    guard case .unformatted = found.content else {
      Issue.record("\(found.content)")
      return
    }
    let card = found.details.first { $0.label == "card" }?.text
    #expect(card == (name == "plus-sl3" ? "a MIFARE Plus in security level 3" : nil))
    #expect(found.product?.cannotBeFormatted == true)
    for job: Job in [
      FaultCase.short, .lock(force: true), .emptyMessage(WriteOptions()),
      .formatType4(Type4Format()),
    ] {
      let report = bench.run(job)
      #expect(report.failure?.remedy == .useNDEFCard, "\(job)")
      #expect(bench.tag.eeprom.programmingCycles == 0)
    }
  }
}
