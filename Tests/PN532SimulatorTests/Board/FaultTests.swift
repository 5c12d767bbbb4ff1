import PN532
import PN532Simulator
import Testing

@Suite("Faults strike where the plan says")
struct FaultTests {
  private let read = "40013000"
  private let write = "4001a205aabbccdd"
  private let content = "4100000102030405060708090a0b0c0d0e0f"

  /// A selected tag, and a fault at the exchange after its activation.
  private func bench(_ fault: ExchangeFault, tag: TestTag = .type2()) -> (Bench, TestTag) {
    var faults = FaultPlan()
    faults.exchanges = [(.at(1), fault)]
    let bench = Bench(tag, faults: faults)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    return (bench, tag)
  }

  private func written(_ tag: TestTag) -> Bool {
    Array(tag.eeprom.bytes[20..<24]) == [0xAA, 0xBB, 0xCC, 0xDD]
  }

  @Test("silence: the tag has heard nothing and is still there")
  func silence() {
    let (bench, tag) = bench(.silence)
    #expect(bench.ask(write) == "4101")
    #expect(!written(tag))
    #expect(bench.ask(write) == "4100")
  }

  @Test("a lost answer: the tag has obeyed")
  func answerLost() {
    let (bench, tag) = bench(.answerLost)
    #expect(bench.ask(write) == "4101")
    #expect(written(tag))
    #expect(bench.ask(read) == content)
  }

  @Test("a damaged answer: the tag has obeyed, the chip says 02h")
  func answerCorrupt() {
    let (bench, tag) = bench(.answerCorrupt)
    #expect(bench.ask(write) == "4102")
    #expect(written(tag))
    let (reader, _) = self.bench(.answerCorrupt)
    #expect(reader.ask(read) == "4102")
    #expect(reader.ask(read) == content)
  }

  @Test("a NAK: the tag has not obeyed and has fallen back")
  func nak() {
    let (bench, tag) = bench(.nak(0x5))
    #expect(bench.ask("08630300") == "09")
    #expect(bench.ask("42a205aabbccdd") == "430005")
    #expect(!written(tag))
    #expect(tag.state == .idle)
  }

  @Test("taken away, before the tag has heard or after it has obeyed", arguments: [true, false])
  func removed(afterObeying: Bool) {
    let (bench, tag) = bench(.removed(afterObeying: afterObeying))
    #expect(bench.ask(write) == "4101")
    #expect(written(tag) == afterObeying)
    #expect(bench.field.present.isEmpty)
    #expect(bench.ask("4a0100") == "4b00")
  }

  @Test("put back at once: the tag is IDLE and can be selected again", arguments: [true, false])
  func interrupted(afterObeying: Bool) {
    let (bench, tag) = bench(.interrupted(afterObeying: afterObeying))
    #expect(bench.ask(write) == "4101")
    #expect(written(tag) == afterObeying)
    #expect(tag.state == .idle)
    #expect(bench.ask(read) == "4101")
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
  }

  @Test("another tag laid in its place, or beside it")
  func others() {
    let other = TestTag(uid: [4, 9, 9, 9, 9, 9, 9])
    let (swapped, tag) = bench(.swapped(for: other))
    #expect(swapped.ask(write) == "4101")
    #expect(!written(tag) && !written(other))
    #expect(swapped.ask("4a0100").hasSuffix("04090909090909"))
    let third = TestTag(uid: [4, 9, 9, 9, 9, 9, 9])
    let (joined, _) = bench(.joined(by: third))
    #expect(joined.ask(write) == "4100")
    #expect(joined.field.present.count == 2)
    // The first look costs the active tag its turn; the newcomer answers it alone.
    #expect(joined.ask("4a0200").hasPrefix("4b02") || joined.ask("4a0200").hasPrefix("4b02"))
  }

  @Test("an activation may fail too, and is found by the next try")
  func activation() {
    for fault in [ExchangeFault.silence, .answerLost, .answerCorrupt] {
      var faults = FaultPlan()
      faults.exchanges = [(.at(0), fault)]
      let bench = Bench(TestTag.type2(), faults: faults)
      #expect(bench.ask("4a0100") == "4b00")
      _ = bench.ask("3205ff0102")
      #expect(bench.ask("4a0100").hasPrefix("4b01"))
    }
  }

  @Test(
    "an authentication whose frames are lost: 01h when the tag heard nothing, 14h when its answer is lost"
  )
  func authentication() {
    let auth = "40016004ffffffffffff278b7034"
    #expect(bench(.silence, tag: .classic()).0.ask(auth) == "4101")
    #expect(bench(.removed(afterObeying: false), tag: .classic()).0.ask(auth) == "4101")
    #expect(bench(.answerLost, tag: .classic()).0.ask(auth) == "4114")
    #expect(bench(.nak(0), tag: .classic()).0.ask(auth) == "4114")
  }

  @Test(
    "a torn programming cycle: some bytes new, one mixed, the others old; the tag has lost its power",
    arguments: [0, 1, 3, 4], [true, false])
  func torn(afterBytes: Int, putBack: Bool) {
    var faults = FaultPlan()
    faults.eepromWrites = [(.at(1), .torn(afterBytes: afterBytes, mixed: 0x99, putBack: putBack))]
    let tag = TestTag.type2()
    let bench = Bench(tag, faults: faults)
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("4001a204aabbccdd") == "4100")
    #expect(bench.ask(write) == "4101")
    var expected: [UInt8] = [20, 21, 22, 23]
    expected.replaceSubrange(0..<afterBytes, with: [0xAA, 0xBB, 0xCC, 0xDD].prefix(afterBytes))
    if afterBytes < 4 { expected[afterBytes] = 0x99 }
    #expect(Array(tag.eeprom.bytes[20..<24]) == expected)
    #expect(tag.state == .idle)
    #expect(bench.field.present.count == (putBack ? 1 : 0))
    #expect(bench.chip.statistics.eepromWrites == 2)
  }

  @Test("a dry run counts the places: each of them can be struck")
  func places() {
    func job(_ faults: FaultPlan) -> (FaultPlaces, [String]) {
      let bench = Bench(TestTag.type2(), faults: faults)
      let frames = [
        Command.listTypeA(), .inDataExchange([0x30, 0x00]), .inDataExchange([0xA2, 5, 1, 2, 3, 4]),
      ]
      let answers = frames.map { command in
        bench.text(bench.line.receive(command.framed, bitsPerSecond: 115_200))
      }
      return (bench.chip.places, answers)
    }
    let (places, sound) = job(.none)
    #expect(places.exchanges == 3)
    #expect(places.commands == 3)
    #expect(places.answers == 3)
    #expect(places.eepromWrites == 1)
    for place in 0..<places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .silence)]
      #expect(job(faults).1 != sound)
    }
    for place in 0..<places.commands {
      var faults = FaultPlan()
      faults.commands = [(.at(place), .lost)]
      #expect(job(faults).1[place].isEmpty)
    }
    for place in 0..<places.answers {
      var faults = FaultPlan()
      faults.answers = [(.at(place), .lost)]
      #expect(job(faults).1[place] == "0000ff00ff00")
    }
  }

  @Test("frames of the line: lost, damaged, unplugged, hung, late")
  func line() {
    let version = Command.getFirmwareVersion.framed
    func actions(_ command: CommandFault?, _ answer: AnswerFault?) -> [SerialLine.Action] {
      var faults = FaultPlan()
      if let command { faults.commands = [(.at(0), command)] }
      if let answer { faults.answers = [(.at(0), answer)] }
      return Bench(faults: faults).line.receive(version, bitsPerSecond: 115_200)
    }
    let ack = SerialLine.Action.send(Frame.ack.serialize(), after: .zero)
    let answer = Frame.answer([0x03, 0x32, 1, 6, 7]).serialize()
    #expect(actions(nil, nil) == [.cancel, ack, .send(answer, after: .zero)])
    #expect(actions(.lost, nil).isEmpty)
    #expect(actions(.corrupt, nil).isEmpty)
    #expect(actions(.unplugged, nil) == [.unplug])
    #expect(actions(.hang, nil) == [ack])
    #expect(actions(nil, .lost) == [.cancel, ack])
    #expect(actions(nil, .unplugged) == [.cancel, ack, .unplug])
    #expect(
      actions(nil, .late(.seconds(1)))
        == [.cancel, ack, .delay(.seconds(1)), .send(answer, after: .zero)])
    guard case .send(let damaged, _)? = actions(nil, .corrupt).last else {
      Issue.record("nothing came")
      return
    }
    var parser = FrameParser()
    #expect(damaged != answer)
    #expect(!parser.feed(damaged).contains(.frame(.answer([0x03, 0x32, 1, 6, 7]))))
  }

  @Test("a hung chip answers nothing until its power is cycled")
  func hang() {
    let bench = Bench()
    bench.chip.hang()
    #expect(bench.ask("02") == "deaf")
    bench.chip.wakeUp()
    #expect(bench.ask("02") == "deaf")
    bench.chip.powerCycle()
    bench.chip.wakeUp()
    #expect(bench.ask("02") == "0332010607")
  }

  @Test("every nth, and at random with a seed that repeats itself")
  func occasions() {
    func pattern(_ occasion: FaultPlan.Occasion, count: Int = 200) -> [Bool] {
      var faults = FaultPlan()
      faults.exchanges = [(occasion, .silence)]
      let bench = Bench(TestTag.type2(), faults: faults)
      while !bench.ask("4a0100").hasPrefix("4b01") {}
      return (0..<count).map { _ in bench.ask(read) == "4101" }
    }
    // The activation is place 0, the first READ place 1; places 2, 5, 8… are struck.
    #expect(pattern(.every(3), count: 6) == [false, true, false, false, true, false])
    #expect(pattern(.at(4), count: 6) == [false, false, false, true, false, false])
    let random = pattern(.rate(0.25, seed: 42))
    #expect((30...70).contains(random.count { $0 }))
    #expect(random == pattern(.rate(0.25, seed: 42)))
    #expect(random != pattern(.rate(0.25, seed: 43)))
  }
}
