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

  @Test("type B, Jewel and FeliCa are polled for in vain where a type A tag lies")
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

  @Test("two FeliCa tags need time slots of their own to be found")
  func feliCaSlots() throws {
    let tags = try (0..<2).map { try TagCatalog.tag("felica-lite-s", index: $0) }
    let bench = Bench(tags[0], tags[1])
    #expect(bench.ask("4a020100ffff0100") == "4b00", "both answer in the only slot")
    let found = (0..<20).map { _ in bench.ask("4a020100ffff0103") }
    #expect(found.contains { $0.hasPrefix("4b0201") })
    #expect(found.contains("4b00"), "now and then both choose the same slot")
    #expect(bench.ask("4a020100ffff0102") == "4b00", "no such number of slots")
    let both = try #require(found.first { $0.hasPrefix("4b02") })
    #expect(tags.allSatisfy { both.contains(Hex.string($0.uid)) })
    #expect(found.contains { $0.hasPrefix("4b0101") } == false, "who collides, collides with all")
  }

  @Test("a blank FeliCa Lite-S is found by any system code but NDEF's")
  func blankFeliCa() throws {
    let bench = Bench(try TagCatalog.tag("felica-lite-s", content: .blank))
    #expect(bench.ask("4a01010012fc0100") == "4b00")
    #expect(bench.ask("4a010200ffff0100").hasSuffix("88b4"))
  }

  @Test("a type B card is activated with a CID and takes APDUs, and is woken after InDeselect")
  func typeB() throws {
    let bench = Bench(try TagCatalog.tag("typeb", uid: [1, 2, 3, 4]), TestTag.type2())
    #expect(bench.ask("4a010300") == "4b0101500102030400000000008171" + "0101")
    #expect(bench.ask("400100a4040007d276000085010100") == "41006a82")
    #expect(bench.ask("4a010300") == "4b00", "in the protocol it does not hear REQB")
    _ = bench.ask("3201003201 01".replacing(" ", with: ""))
    _ = bench.ask("320100")
    #expect(bench.ask("4a010310") == "4b00", "another application family")
    #expect(bench.ask("4a010300").hasPrefix("4b01"))
    #expect(bench.ask("4401") == "4500")
    #expect(bench.ask("4a010300") == "4b00", "REQB does not wake it")
    _ = bench.ask("320100")
    #expect(bench.ask("4a010300").hasPrefix("4b01"))
    #expect(bench.ask("4401") == "4500")
    #expect(bench.ask("400100b0000001") == "41006d00", "InDataExchange wakes it")
    #expect(bench.ask("04").hasPrefix("050000010100000080"))
  }

  @Test("type B by hand: WUPB, ATTRIB, HLTB")
  func rawTypeB() throws {
    let bench = Bench(try TagCatalog.tag("typeb", uid: [1, 2, 3, 4]))
    #expect(bench.ask("4a010310") == "4b00")
    #expect(bench.ask("42050000") == "4300500102030400000000008171")
    #expect(bench.ask("425001020304") == "430000")
    #expect(bench.ask("42050000") == "4301")
    #expect(bench.ask("42050008") == "4300500102030400000000008171")
    #expect(bench.ask("421d0102030400080100") == "430000")
    #expect(bench.ask("420200a4040000") == "4300026a82")
  }

  @Test("a Topaz is found by BrTy 04 alone, and takes the commands that the firmware knows")
  func topaz() throws {
    let tag = try TagCatalog.tag("topaz96", uid: [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x25])
    let bench = Bench(tag)
    #expect(bench.ask("4a0100") == "4b00")
    #expect(bench.ask("066339") != "0726", "but REQA was answered")
    #expect(bench.ask("4a0204") == "4b01010c0011223344")
    #expect(bench.ask("400178000000000000") == "4100114c11223344")
    #expect(bench.ask("400100000011223344").hasPrefix("4100114c11223344556625"))
    #expect(bench.ask("400101080011223344") == "410008e1")
    #expect(bench.ask("4001531055 11223344".replacing(" ", with: "")) == "41001055")
    #expect(bench.ask("400102080000000000000000" + "11223344") == "syntax error")
    #expect(bench.ask("400130 04".replacing(" ", with: "")) == "syntax error")
    #expect(bench.ask("04").hasPrefix("050000010100000280"))
    bench.field.remove()
    #expect(bench.ask("400101080011223344") == "4101")
    #expect(bench.ask("4a0104") == "4b00")
  }

  @Test("a telephone shows SAK 60h and another UID after each loss of the field")
  func phone() throws {
    let bench = Bench(try TagCatalog.tag("phone"))
    let uids = (0..<3).map { _ in
      _ = bench.ask("320100")
      return bench.ask("4a0100")
    }
    #expect(Set(uids).count == 3)
    #expect(uids.allSatisfy { $0.hasPrefix("4b01010004600408") && $0.hasSuffix("0578807002") })
    #expect(bench.ask("400100a4040007d276000085010100") == "41006a82")
  }

  @Test("InAutoPoll finds what it is asked for, or gives up after its rounds")
  func autoPoll() throws {
    let bench = Bench(TestTag.type2())
    #expect(bench.ask("60020110") == "6101100c010044000704 7fa99a1f6680".replacing(" ", with: ""))
    #expect(bench.ask("60020120") == "6100")
    #expect(bench.ask("6002012010").hasPrefix("610110"))
    #expect(Bench(TestTag.isoDEP()).ask("6002011020").hasPrefix("610120"))
    #expect(Bench(TestTag.feliCa()).ask("60020111").hasPrefix("610111"))
    let others = Bench(
      try TagCatalog.tag("typeb"), try TagCatalog.tag("topaz512"), try TagCatalog.tag("felica-lite")
    )
    #expect(others.ask("60020123").hasPrefix("6101230f01 50".replacing(" ", with: "")))
    #expect(others.ask("6002010410").hasPrefix("6101040701 0c00".replacing(" ", with: "")))
    #expect(others.ask("6002011012").hasPrefix("61011215"))
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
