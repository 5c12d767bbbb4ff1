import Bytes
import PN532
import PN532Simulator
import Testing

@Suite("InListPassiveTarget, UM0701-02 7.3.5")
struct ListingTests {
  @Test("reports one tag as real boards do")
  func one() {
    #expect(Bench(TestTag.classic()).ask("4a0100") == "4b010100040804278b7034")
    #expect(
      Bench(TestTag.type2()).ask("4a0100")
        == "4b01010044000704 7fa99a1f6680".replacing(" ", with: ""))
    let bench = Bench(TestTag.type2())
    bench.field.remove()
    #expect(bench.ask("4a0100") == "4b00")
  }

  @Test("a tag that is active misses the first REQA and hears the second")
  func activeTag() {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("3205ff0101") == "33")
    #expect(bench.ask("4a0100").hasPrefix("4b01"), "two tries find it at once")
  }

  @Test("two tags are both listed; the one with a 1 at the first differing bit comes first")
  func two() {
    let (left, right) = (TestTag.classic([0x02, 2, 2, 2]), TestTag.classic([0x01, 1, 1, 1]))
    let bench = Bench(left, right)
    #expect(bench.ask("4a0200") == "4b02010004080401010101020004080402020202")
    #expect(left.state == .active)
    #expect(right.state == .halt)
    #expect(bench.ask("40016004ffffffffffff01010101") == "4100", "target 1 is woken by itself")
    #expect(left.state == .halt)
    #expect(right.state == .active)
    #expect(bench.ask("40026004ffffffffffff02020202") == "4100")
  }

  @Test("of three tags the third is not seen")
  func three() {
    let bench = Bench(
      TestTag.classic([1, 1, 1, 1]), TestTag.classic([2, 2, 2, 2]), TestTag.type2())
    #expect(bench.ask("4a0200").hasPrefix("4b02"))
  }

  @Test(
    "when two are asked for and one is there, it is left in HALT: Thru gets nothing, InDataExchange wakes it"
  )
  func halted() {
    let tag = TestTag.type2()
    let bench = Bench(tag)
    #expect(bench.ask("4a0200").hasPrefix("4b01"))
    #expect(tag.state == .halt)
    #expect(bench.ask("423000") == "4301")
    #expect(bench.ask("40013000") == "4100000102030405060708090a0b0c0d0e0f")
    #expect(bench.ask("423000").hasPrefix("4300"))
    let other = Bench(TestTag.type2())
    #expect(other.ask("4a0200").hasPrefix("4b01"))
    #expect(other.ask("5401") == "5500")
    #expect(other.ask("423000").hasPrefix("4300"), "InSelect wakes it too")
  }

  @Test("a halted tag is found by its UID only, or after the field was off")
  func byUID() {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("4400") == "4500")
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("4a010088047fa99a1f6680").hasPrefix("4b01"))
    #expect(bench.ask("5200") == "5300")
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("320100") == "33")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
  }

  @Test("a UID selects among several: 4, 7 and 10 bytes, as anticollision spells them")
  func selection() {
    let four = TestTag.classic([9, 8, 7, 6])
    let seven = TestTag.type2()
    let ten = TestTag(uid: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    let bench = Bench(four, seven, ten)
    for tag in [four, seven, ten] {
      let command = Hex.string(Command.listTypeA(uid: tag.uid).bytes)
      _ = bench.ask("320100")
      #expect(bench.ask(command).hasSuffix(Hex.string(tag.uid)))
      #expect(tag.state == .active)
    }
    #expect(bench.ask("4a010001020304") == "4b00")
  }

  @Test("an ISO-DEP tag is activated with RATS and ends the search for a second")
  func isoDEP() {
    let card = TestTag.isoDEP()
    let bench = Bench(card)
    let entry = "0103442007040102030405060675778102 80".replacing(" ", with: "")
    #expect(bench.ask("4a0200") == "4b01" + entry)
    #expect(card.state == .active)
    #expect(bench.ask("0006") == "0100")
    bench.field.remove()
    #expect(bench.ask("0006") == "0101")
    let withoutRATS = Bench(TestTag.isoDEP())
    #expect(withoutRATS.ask("1204") == "13")
    #expect(withoutRATS.ask("4a0100") == "4b01010344200704010203040506")
    #expect(withoutRATS.ask("400100a40400") == "syntax error", "no MIFARE command")
    #expect(withoutRATS.ask("42300400a40400") == "4301", "no protocol without RATS")
  }

  @Test("with retries for ever the command pends until a tag comes")
  func pending() {
    let bench = Bench(TestTag.type2())
    bench.field.remove()
    _ = bench.ask("3205ffffff")
    let list = Hex.string(Command.listTypeA().framed)
    #expect(bench.send(list) == "0000ff00ff00")
    #expect(bench.chip.isPending)
    #expect(bench.line.resume().isEmpty)
    bench.field.place([TestTag.type2()])
    #expect(
      bench.text(bench.line.resume())
        == Hex.string(
          Frame.answer([0x4B, 1, 1, 0, 0x44, 0, 7, 4, 0x7F, 0xA9, 0x9A, 0x1F, 0x66, 0x80])
            .serialize()))
    #expect(!bench.chip.isPending)
  }

  @Test("a waiting command ends without an answer at the host's ACK, and at any other command")
  func aborted() {
    let bench = Bench(TestTag.type2())
    bench.field.remove()
    _ = bench.ask("3205ffffff")
    let list = Hex.string(Command.listTypeA().framed)
    for ending in [Frame.ack.serialize(), Command.getFirmwareVersion.framed] {
      #expect(bench.send(list) == "0000ff00ff00")
      _ = bench.send(Hex.string(ending))
      #expect(!bench.chip.isPending)
      bench.field.place([TestTag.type2()])
      #expect(bench.line.resume().isEmpty)
      bench.field.remove()
    }
  }

  @Test("type B and Jewel are polled for in vain")
  func otherTechnologies() {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("4a010300") == "4b00")
    #expect(bench.ask("4a0104") == "4b00")
    #expect(bench.ask("4a01010012fc0100") == "4b00")
  }

  @Test("FeliCa tags are polled at both speeds, with and without system code")
  func feliCa() {
    let bench = Bench(TestTag.feliCa(), TestTag.type2())
    let identity = "0102030405060708ffffffffffffffff"
    #expect(bench.ask("4a010100ffff0100") == "4b01011401\(identity)12fc")
    #expect(bench.ask("4a010200ffff0000") == "4b01011201\(identity)")
    #expect(bench.ask("4a0101008008 0100".replacing(" ", with: "")) == "4b00")
    #expect(bench.ask("4a01010012fc0100").hasPrefix("4b01"))
    #expect(bench.ask("40010a040102030405060708") == "41000b05010203040506070800")
    #expect(bench.ask("420600ffff0100") == "430014 01\(identity)12fc".replacing(" ", with: ""))
  }

  @Test("InAutoPoll finds what it is asked for, or gives up after its rounds")
  func autoPoll() {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("60020110") == "6101100c010044000704 7fa99a1f6680".replacing(" ", with: ""))
    #expect(bench.ask("60020120") == "6100")
    #expect(bench.ask("6002012010").hasPrefix("610110"))
    #expect(Bench(TestTag.isoDEP()).ask("6002011020").hasPrefix("610120"))
    #expect(Bench(TestTag.feliCa()).ask("60020111").hasPrefix("610111"))
    bench.field.remove()
    #expect(bench.ask("60ff0110") == "pending")
    bench.field.place([TestTag.classic()])
    #expect(bench.chip.resume() != nil)
  }
}

extension Command {
  /// On the wire.
  var framed: [UInt8] { Frame.command(bytes).serialize() }
}
