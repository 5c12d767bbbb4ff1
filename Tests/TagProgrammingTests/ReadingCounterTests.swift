import TagMemory
import Testing

@testable import PN532Simulator
@testable import TagProgramming

/// NT4H2421Gx, 9.3.3 and 10.7.3.
@Suite("How often the message of an NTAG 424 DNA was read")
struct ReadingCounterTests {
  private func told(_ bench: Bench) -> String? {
    bench.run(.info) { $0.readsCounters = true }.details.first { $0.label == "reading counter" }?
      .text
  }

  private func readings(_ bench: Bench) throws -> Int {
    try #require(bench.tag as? VirtualNTAG424).registers.readings
  }

  @Test("is told where the tag tells it, and else who knows it; it is not asked for otherwise")
  func told() throws {
    let bench = try Bench("ntag424")
    #expect(told(bench) == "off: the tag counts once its message shows a counter")
    #expect(!bench.run(.info).details.contains { $0.label == "reading counter" })
    #expect(bench.run(try PersonalisationTests.job()).failure == nil)
    #expect(
      told(bench)
        == "not known here: the tag tells it to whoever has key 0; the message has it encrypted with key 1"
    )
    // No command that the tag would refuse was sent.
    #expect(try #require(bench.tag as? VirtualNTAG424).registers.failures == [0, 0, 0, 0, 0])

    // Everybody may ask: SDMCtrRet Eh.
    let place = NTAG424File.settingsStart + NTAG424File.settingsRoom + 5
    var memory = bench.memory
    #expect(memory[place] == 0xF0)
    memory[place] = 0xFE
    bench.tag.eeprom.load(memory)
    let text = told(bench)
    #expect(text == "\(try readings(bench)) readings, this one included")
    memory[place] = 0xFF
    bench.tag.eeprom.load(memory)
    #expect(told(bench)?.contains("the tag tells it nobody") == true)
  }

  @Test("is read from the message where that shows it in plain text")
  func plain() throws {
    let bench = try Bench("ntag424")
    let job = try PersonalisationTests.job("https://example.com/t?u={uid}&n={counter}&c={mac}")
    #expect(bench.run(job).failure == nil)
    let before = try readings(bench)
    #expect(told(bench) == "\(before + 1) readings, this one included")
  }

  @Test("a product without such a counter is not asked")
  func others() throws {
    for product in ["type4", "desfire-ev1"] { #expect(told(try Bench(product)) == nil) }
  }
}
