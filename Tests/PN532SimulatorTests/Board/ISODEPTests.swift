import PN532
import PN532Simulator
import Testing

@Suite("The block protocol, ISO/IEC 14443-4")
struct ISODEPTests {
  /// A card that echoes, with frames of `fsc` (FSCI), FWI 8 and CID, selected with the faults
  /// given; they count from the first block.
  private func selected(
    _ fsc: UInt8 = 5, tc: UInt8 = 0x02, faults: [(Int, ExchangeFault)] = [], retries: Int = 0,
    parameters: String = "1214", waits: Int = 0
  ) -> (bench: Bench, card: TestTag) {
    var plan = FaultPlan()
    // The selection and RATS come before.
    plan.exchanges = faults.map { (.at($0.0 + 2), $0.1) }
    let card = TestTag(
      uid: [4, 1, 2, 3, 4, 5, 6], sak: 0x20, atqa: 0x0344, ats: [0x70 | fsc, 0x33, 0x81, tc],
      waits: waits)
    let bench = Bench(card, faults: plan)
    _ = bench.ask(parameters)
    _ = bench.ask("32040\(retries)")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    return (bench, card)
  }

  private func exchanges(_ bench: Bench) -> Int { bench.chip.statistics.rfExchanges }

  @Test(
    "a command goes out in frames of the card's size, its answer comes in the chip's, 64 bytes",
    arguments: zip(0...8, [16, 24, 32, 40, 48, 64, 96, 128, 256]))
  func frameSizes(index: Int, size: Int) {
    for count in [1, 13, 14, 100, 253, 254, 262] {
      let (bench, card) = selected(UInt8(index))
      let before = exchanges(bench)
      let command = String(repeating: "5a", count: count)
      #expect(bench.ask("4001" + command).hasPrefix("414") == (count + 2 > 262))
      #expect(card.heard == [[UInt8](repeating: 0x5A, count: count)])
      let (out, back) = ((count + size - 4) / (size - 3), (count + 2 + 60) / 61)
      #expect(exchanges(bench) - before == out + back - 1, "\(count) bytes, frames of \(size)")
    }
  }

  @Test("a frame longer than the card takes is not answered")
  func tooLong() {
    let (bench, card) = selected(0)
    #expect(bench.ask("4202" + String(repeating: "5a", count: 14)) == "4301")
    #expect(bench.ask("4202" + String(repeating: "5a", count: 13)).hasPrefix("4300"))
    #expect(card.heard.count == 1)
  }

  @Test(
    "a lost answer is a time-out after the card's own waiting time, and leaves chip and card out of step"
  )
  func lostAnswer() {
    let (bench, card) = selected(faults: [(0, .answerLost)])
    #expect(bench.ask("400100b0000001") == "4101")
    #expect(bench.chip.lastTime.rf > .milliseconds(77), "FWI 8, not the 51.2 ms of MIFARE")
    // The card counts every I-block, the chip only those that were answered: the next answer has a
    // number that is not its turn's.
    #expect(bench.ask("400100b0000001") == "410b")
    #expect(bench.ask("400100b0000001") == "410000b00000019000")
    #expect(card.heard.count == 3, "what is sent again is carried out again")
  }

  @Test("with retries the chip repairs what was lost, and nothing is carried out twice")
  func repair() {
    for fault in [ExchangeFault.answerLost, .answerCorrupt, .silence] {
      for place in 0..<5 {
        let (bench, card) = selected(0, faults: [(place, fault)], retries: 2)
        let command = String(repeating: "5a", count: 30)
        #expect(
          bench.ask("4001" + command) == "4100" + command + "9000", "\(fault) at block \(place)")
        #expect(card.heard.count == 1)
      }
    }
  }

  @Test("without them a chain that breaks off leaves its first part in the card")
  func brokenChain() {
    let (bench, card) = selected(0, faults: [(1, .silence)])
    #expect(bench.ask("4001" + String(repeating: "11", count: 20)) == "4101")
    #expect(bench.ask("400122") == "4100" + String(repeating: "11", count: 13) + "229000")
    #expect(bench.ask("400133") == "4100339000")
    #expect(card.heard.count == 2)
  }

  @Test("a card asks for time, and gets it")
  func waitingTime() {
    let (bench, _) = selected(waits: 3)
    #expect(bench.ask("400100b0000001") == "410000b00000019000", "only writing takes time")
    let before = exchanges(bench)
    #expect(bench.ask("4001d6") == "4100d69000")
    #expect(exchanges(bench) - before == 4)
    #expect(bench.chip.lastTime.rf > .milliseconds(3 * 77))
    #expect(bench.ask("0006") == "0100")
  }

  @Test("with CIDs in use a block without one is for another card")
  func cid() {
    let (bench, card) = selected(parameters: "1216")
    #expect(bench.ask("400144") == "4100449000")
    #expect(bench.ask("420344") == "4301")
    #expect(bench.ask("420b0144") == "43000b01449000")
    #expect(bench.ask("420b0244") == "4301")
    #expect(bench.ask("42ca01") == "4300ca01")
    #expect(card.state == .halt)
  }

  @Test("a NAD goes with the APDU where the card takes one")
  func nad() {
    #expect(selected(tc: 0x03, parameters: "1215").bench.ask("40015544") == "418055449000")
    #expect(selected(parameters: "1215").bench.ask("40015544") == "412e")
  }

  @Test(
    "another speed is set by PPS, before the first block only, and only one that the card offers")
  func speed() {
    let (bench, _) = selected()
    #expect(bench.ask("4e010202") == "4f00")
    #expect(bench.ask("4e010202") == "4f01", "the card takes it once")
    #expect(selected().bench.ask("4e010303") == "4f10", "848 kbit/s is not the chip's")
    #expect(selected().bench.ask("4e020101") == "4f27")
  }

  @Test(
    "a card in the protocol hears neither REQA nor WUPA; InDeselect, InRelease or the field ends that"
  )
  func requests() {
    let (bench, card) = selected()
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("4a010088040102030405 06".replacing(" ", with: "")) == "4b00")
    #expect(card.state == .active)
    _ = bench.ask("320100")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("4401") == "4500")
    #expect(bench.ask("4a0100") == "4b00", "HALT: only its UID wakes it")
    #expect(bench.ask("4a01008804010203040506").hasPrefix("4b01"))
    #expect(bench.ask("5201") == "5300")
    #expect(bench.ask("400144") == "4127")
    #expect(bench.ask("4a01008804010203040506").hasPrefix("4b01"))
  }

  @Test("a card that lost its power is silent until it is selected")
  func interrupted() {
    let (bench, card) = selected(faults: [(1, .interrupted(afterObeying: false))])
    #expect(bench.ask("400144") == "4100449000")
    #expect(bench.ask("400144") == "4101")
    #expect(bench.ask("400144") == "4101")
    #expect(bench.ask("0006") == "0101")
    #expect(bench.ask("5401") == "5500")
    #expect(bench.ask("400144") == "4100449000")
    #expect(card.heard.count == 2)
  }
}
