import PN532
import PN532Simulator
import Pace
import Testing

@Suite("The field and its reel")
struct FieldTests {
  private func tags(_ count: Int) -> [TestTag] {
    (0..<count).map { TestTag(uid: [4, 0, 0, 0, 0, 0, UInt8($0 + 1)]) }
  }

  @Test("by hand: place, remove, next")
  func byHand() {
    let reel = tags(2)
    let field = Field(reel.map { [$0] })
    #expect(field.present.first === reel[0])
    field.next()
    #expect(field.present.first === reel[1])
    #expect(field.remaining == 0)
    field.next()
    #expect(field.present.isEmpty)
    field.place(reel)
    #expect(field.present.count == 2)
    #expect(field.presentationCount == 3)
    field.remove()
    #expect(field.present.isEmpty)
  }

  @Test("a tag that is laid down or taken away has lost its power")
  func power() {
    let tag = TestTag.type2()
    let field = Field(tag)
    tag.select()
    field.remove()
    #expect(tag.state == .idle)
    tag.select()
    field.place([tag])
    #expect(tag.state == .idle)
  }

  @Test("a reel makes its tags when it comes to them")
  func lazily() {
    var made: [Int] = []
    let field = Field(count: 1_000_000) { index in
      made.append(index)
      return [TestTag.type2()]
    }
    field.next()
    #expect(made == [0, 1])
    #expect(field.remaining == 999_998)
  }

  /// A board over the field, one try for each look: what it answers to a command.
  private func asking(_ field: Field) -> ([UInt8]) -> [UInt8] {
    let chip = Chip(field: field)
    chip.wakeUp()
    func ask(_ command: [UInt8]) -> [UInt8] {
      if case .answer(let bytes) = chip.process(command: command) { bytes } else { [] }
    }
    _ = ask([0x14, 0x01])
    _ = ask([0x32, 0x05, 0xFF, 0x01, 0x01])
    return ask
  }

  @Test("the automatic hand pulls every second tag once in the middle, and lays it down again")
  func pulled() {
    let reel = tags(2)
    let time = TestTime()
    let field = Field(
      count: 2, hand: .automatic(patience: 2, pull: 2), now: { time.now },
      presentation: { [reel[$0]] })
    let ask = asking(field)
    var story: [String] = []
    for _ in 0..<60 {
      time.advance(.milliseconds(100))
      guard let tag = ask([0x4A, 0x01, 0x00]).last, field.present.count == 1 else {
        story.append("nothing")
        continue
      }
      let answered = (0..<10).count { _ in ask([0x40, 0x01, 0x30, 0x00]).count == 18 }
      story.append("tag \(tag), \(answered) answers")
      // What was worked with is merely looked for from now on.
      for _ in 0..<3 where answered == 10 { _ = ask([0x4A, 0x01, 0x00]) }
    }
    #expect(
      story.filter { $0 != "nothing" } == [
        "tag 1, 10 answers", "tag 2, 7 answers", "tag 2, 10 answers",
      ])
    #expect(story.split(separator: "nothing", omittingEmptySubsequences: false).count > 10)
  }

  @Test("a tag stays for as long as it is told to, whoever looks for it")
  func stays() {
    let reel = tags(2)
    let time = TestTime()
    let field = Field(
      count: 2, hand: .automatic(patience: 1, stay: .seconds(5)), now: { time.now },
      presentation: { [reel[$0]] })
    let ask = asking(field)
    for _ in 0..<50 { _ = ask([0x4A, 0x01, 0x00]) }
    #expect(field.present.first === reel[0])
    time.advance(.seconds(6))
    for _ in 0..<50 where field.remaining > 0 { _ = ask([0x4A, 0x01, 0x00]) }
    #expect(field.present.first === reel[1])
  }

  /// A time that a test tells.
  /// One look with as many tries as a tag that is active needs.
  private func look(_ bench: Bench) -> String { bench.ask("4a0100") }

  @Test("the automatic hand: worked with, looked at twice more, gone once, then the next one")
  func automatic() {
    let reel = tags(3)
    let field = Field(reel.map { [$0] }, hand: .automatic(patience: 2))
    let chip = Chip(field: field)
    chip.wakeUp()
    func ask(_ command: [UInt8]) -> [UInt8] {
      if case .answer(let bytes) = chip.process(command: command) { bytes } else { [] }
    }
    _ = ask([0x14, 0x01])
    _ = ask([0x32, 0x05, 0xFF, 0x01, 0x01])
    for (index, tag) in reel.enumerated() {
      #expect(ask([0x4A, 0x01, 0x00]).suffix(7) == tag.uid[...], "tag \(index)")
      #expect(ask([0x40, 0x01, 0x30, 0x00]).count == 18)
      #expect(ask([0x4A, 0x01, 0x00]).suffix(7) == tag.uid[...])
      #expect(ask([0x4A, 0x01, 0x00]).suffix(7) == tag.uid[...])
      #expect(ask([0x4A, 0x01, 0x00]) == [0x4B, 0x00])
    }
    #expect(ask([0x4A, 0x01, 0x00]) == [0x4B, 0x00], "the reel is empty")
    #expect(chip.statistics.presentations == 3)
  }

  @Test("the automatic hand takes a tag away that nobody works with, a little later")
  func unworked() {
    let field = Field(tags(2).map { [$0] }, hand: .automatic(patience: 1))
    let chip = Chip(field: field)
    chip.wakeUp()
    _ = chip.process(command: [0x14, 0x01])
    _ = chip.process(command: [0x32, 0x05, 0xFF, 0x01, 0x01])
    let found = (0..<7).map { _ in chip.process(command: [0x4A, 0x01, 0x00]) }
    #expect(
      found.map { $0 == .answer([0x4B, 0x00]) } == [false, false, false, false, false, true, false])
  }

  @Test("a chip that waits for ever gets the next tag of an automatic reel")
  func waiting() {
    let field = Field(tags(2).map { [$0] }, hand: .automatic(patience: 0))
    let chip = Chip(field: field)
    chip.wakeUp()
    _ = chip.process(command: [0x14, 0x01])
    _ = chip.process(command: [0x4A, 0x01, 0x00])
    _ = chip.process(command: [0x40, 0x01, 0x30, 0x00])
    #expect(chip.process(command: [0x4A, 0x01, 0x00]) == .pending)
    guard case .answer(let bytes)? = chip.resume() else {
      Issue.record("nothing came")
      return
    }
    #expect(bytes.last == 2)
  }
}
