import Bytes
import PN532Simulator
import Testing

@Suite("Faults strike cards and FeliCa tags like all others")
struct CardFaultTests {
  private static let application = "00a4040007d276000085010100"
  private static let file = "00a4000c02e104"

  /// A bench with the tag that `text` names, looked for, and for a card its NDEF file selected.
  /// Programming cycle `cycle` suffers `fault`.
  private func bench(
    _ text: String, cycle: Int = 0, _ fault: EEPROMFault? = nil
  ) throws -> (bench: Bench, tag: any StoredTag) {
    var plan = FaultPlan()
    if let fault { plan.eepromWrites = [(.at(cycle), fault)] }
    let tag = try SimulatedTagSpec(parsing: text).tag(at: 0)
    let bench = Bench(tag, faults: plan)
    guard tag.technology == .a else {
      #expect(bench.ask("4a010100ffff0100").hasPrefix("4b01"))
      return (bench, tag)
    }
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    for apdu in [Self.application, Self.file] {
      #expect(bench.ask("4001" + apdu) == "41009000")
    }
    return (bench, tag)
  }

  private func update(_ count: Int) -> String {
    "4001" + "00d60000" + Hex.byte(UInt8(count)) + String(repeating: "ee", count: count)
  }

  @Test(
    "a Type 4 write that is torn after any byte leaves just those bytes, and a tag that is gone")
  func tornAnywhere() throws {
    for after in 0...32 {
      let (bench, tag) = try bench(
        "type4", .torn(afterBytes: after, mixed: 0x77, putBack: after % 2 == 0))
      #expect(bench.ask(update(20)) == "4101")
      let stored = Array(tag.eeprom.bytes[16..<36])
      // The file starts in the middle of a page of 32 bytes: 16, then 4.
      let whole = min(after, 16)
      #expect(stored.prefix(whole).allSatisfy { $0 == 0xEE })
      #expect(stored.dropFirst(whole + 1).allSatisfy { $0 == 0 })
      #expect(whole == 16 || stored[whole] == 0x77)
      #expect(bench.field.present.isEmpty == (after % 2 != 0))
      #expect(bench.ask("4001" + "00b0000002") == "4101")
    }
  }

  @Test("an NTAG 424 write of several frames is torn between them only")
  func tornFrames() throws {
    // 128 bytes less prologue, CRC and header are 120; then 125 a frame.
    for (cycle, whole) in [(0, 0), (1, 120)] {
      for after in [0, 1, 50, 64] {
        let (bench, tag) = try bench(
          "ntag424", cycle: cycle, .torn(afterBytes: after, putBack: true))
        #expect(bench.ask(update(200)) == "4101")
        let stored = Array(tag.eeprom.bytes[32..<288])
        let size = cycle == 0 ? 120 : 80
        let written = whole + (after * 2 >= size ? size : 0)
        #expect(stored.prefix(written).allSatisfy { $0 == 0xEE }, "cycle \(cycle), after \(after)")
        #expect(stored.dropFirst(written).allSatisfy { $0 == 0 }, "cycle \(cycle), after \(after)")
      }
    }
  }

  @Test("a DESFire's structure is old or new, never in between")
  func tornStructure() throws {
    let create = "400190ca00000e0100000f2110e1d276000085010100"
    for after in 0...200 {
      var plan = FaultPlan()
      plan.eepromWrites = [(.at(0), .torn(afterBytes: after, putBack: true))]
      let tag = try TagCatalog.tag("desfire-ev1")
      let bench = Bench(tag, faults: plan)
      _ = bench.ask("4a0100")
      #expect(bench.ask(create) == "4101")
      _ = bench.ask("320100")
      _ = bench.ask("4a0100")
      let list = bench.ask("4001906a000000")
      #expect(list == "41009100" || list == "41000100009100")
      #expect(bench.ask(create) == (list == "41009100" ? "41009100" : "410091de"))
    }
  }

  @Test("a FeliCa write that is torn, worn out or lost")
  func feliCa() throws {
    let head = "012e79379e3a6c80"
    let write = "400120" + "08" + head + "01090001" + "8001" + String(repeating: "ee", count: 16)
    for after in 0...16 {
      let (bench, tag) = try bench(
        "felica-lite-s", .torn(afterBytes: after, mixed: 0x77, putBack: true))
      #expect(bench.ask(write) == "4101")
      let stored = Array(tag.eeprom.bytes[16..<32])
      #expect(stored.prefix(after).allSatisfy { $0 == 0xEE })
      #expect(after >= 16 || stored[after] == 0x77)
      // It has no state to lose: the next write goes through.
      #expect(bench.ask(write) == "41000c09" + head + "0000")
    }
    let (worn, tag) = try bench("felica-lite-s")
    tag.eeprom.defects = 16..<32
    #expect(worn.ask(write) == "41000c09" + head + "ff70")
  }

  @Test("an APDU that is lost, or whose answer is, or comes damaged")
  func exchanges() throws {
    // The selection, RATS and two SELECTs come before.
    for (fault, status, isWritten) in [
      (ExchangeFault.silence, "4101", false), (.answerLost, "4101", true),
      (.answerCorrupt, "410b", true), (.removed(afterObeying: true), "4101", true),
      (.removed(afterObeying: false), "4101", false),
    ] {
      var plan = FaultPlan()
      plan.exchanges = [(.at(4), fault)]
      let tag = try TagCatalog.tag("type4")
      let bench = Bench(tag, faults: plan)
      for command in ["4a0100", "4001" + Self.application, "4001" + Self.file] {
        _ = bench.ask(command)
      }
      #expect(bench.ask(update(4)) == status, "\(fault)")
      #expect((tag.eeprom.bytes[16] == 0xEE) == isWritten, "\(fault)")
    }
  }

  @Test("worn-out cells of a card are a memory failure, and it stays")
  func worn() throws {
    for (text, answer) in [("type4", "41006581"), ("ntag424", "41006581")] {
      let (bench, tag) = try bench(text)
      tag.eeprom.defects = tag.userMemory
      #expect(bench.ask(update(4)) == answer)
      #expect(bench.ask("4001" + "00b0000002") == "410000009000")
    }
  }
}
