import PN532
import Pace
import TagMemory
import Testing

@testable import Readers

@Suite("Finding tags, UM0701-02 7.3.5")
struct SelectingTests {
  private let ntagUID = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
  private let classicUID = UID([0x27, 0x8B, 0x70, 0x34])

  /// A reader that was opened at the clock's beginning.
  private func prepared(_ link: ScriptedLink, _ time: TestTime) throws -> TagReader {
    let reader = TagReader(link: link, clock: time.clock)
    try reader.prepare()
    time.restart()
    return reader
  }

  @Test("Preparing switches the field off, for as long as a tag needs to forget, and is done once")
  func preparing() throws {
    let link = ScriptedLink(setUp)
    let time = TestTime()
    let reader = TagReader(link: link, clock: time.clock)
    for _ in 1...2 { try reader.prepare() }
    #expect(time.elapsed == .microseconds(5100))
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("A look sets the chip up once and tells what lies there")
  func look() throws {
    let link = ScriptedLink(
      setUp + [("4a0200", .bytes("00")), ("4a0200", .bytes(ntag))])
    let reader = TagReader(link: link)
    #expect(try reader.look() == [])
    #expect(try reader.look() == [Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID))])
    #expect(link.left == [])
    #expect(reader.counts.frames == 6)
  }

  @Test("A look after one that found something resets the field: tags in HALT answer no look")
  func secondLook() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes("00")), ("4a0200", .bytes(ntag)), ("320100", .bytes("")),
        ("4a0200", .bytes(ntag)),
      ])
    let time = TestTime()
    let reader = try prepared(link, time)
    for _ in 0..<3 { _ = try reader.look() }
    #expect(link.left == [] && link.unexpected == [])
    #expect(time.sleeps == [.microseconds(5100)])
  }

  @Test("Two tags are two activations, and selecting one of them is refused with both UIDs")
  func twoTags() {
    let both = "02 01 0004 08 04 278b7034 02 0044 00 07 04a1b2c3d4e5f6"
    let reader = TagReader(link: ScriptedLink(setUp + [("4a0200", .bytes(both))]))
    #expect(throws: ReaderError.severalTags([classicUID, ntagUID])) { try reader.select() }
  }

  @Test("An ISO-DEP tag's answer to select is kept without its length byte")
  func answerToSelect() throws {
    let card = "01 01 0344 20 07 04010203040506 05 78807002"
    let reader = TagReader(link: ScriptedLink(setUp + [("4a0200", .bytes(card))]))
    #expect(try reader.select().typeA?.ats == [0x78, 0x80, 0x70, 0x02])
  }

  @Test(
    "What is no list of tags is a damaged answer",
    arguments: [
      "", "01", "01 01 0044 00 07 04a1", "03 01", "01 01 0044 00 05 0102030405", ntag + "00",
    ])
  func damagedLists(answer: String) {
    // It is looked for a second time, in a field that was off: the first look may have halted a
    // tag.
    let look = ("4a0200", ScriptedLink.Answer.bytes(answer))
    let link = ScriptedLink(setUp + [look, ("320100", .bytes("")), look])
    #expect(throws: ReaderError.boardGarbled(reader: "script")) {
      try TagReader(link: link).look()
    }
    #expect(link.left == [])
  }

  @Test("Waiting looks every 4 ms, sees a tag on the next look and asks whether to stop each time")
  func waiting() throws {
    let empty = ("4a0200", ScriptedLink.Answer.bytes("00"))
    let link = ScriptedLink(setUp + [empty, empty, empty, ("4a0200", .bytes(ntag))])
    let time = TestTime()
    var questions = 0
    let tag = try prepared(link, time).waitForTag(timeout: .seconds(1)) {
      questions += 1
      return false
    }
    #expect(tag.uid == ntagUID)
    #expect(time.elapsed == .milliseconds(12))
    #expect(questions == 4)
  }

  @Test("Waiting no time at all is one look")
  func oneLook() throws {
    let link = ScriptedLink(setUp + [("4a0200", .bytes("00"))])
    let time = TestTime()
    let reader = try prepared(link, time)
    #expect(throws: ReaderError.noTag) { try reader.waitForTag(timeout: .zero) { false } }
    #expect(time.elapsed == .zero)
    #expect(link.left == [])
  }

  @Test("Waiting ends at its time, and the last look comes at that time")
  func timeout() throws {
    let link = ScriptedLink(setUp)
    link.afterwards = { _ in .bytes("00") }
    let time = TestTime()
    let reader = try prepared(link, time)
    #expect(throws: ReaderError.noTag) {
      try reader.waitForTag(timeout: .milliseconds(40)) { false }
    }
    #expect(time.elapsed == .milliseconds(40))
    #expect(link.timeouts.count == setUp.count + 11)
  }

  @Test("Waiting stops when it is asked to")
  func interruption() {
    let link = ScriptedLink(setUp)
    link.afterwards = { _ in .bytes("00") }
    let time = TestTime()
    #expect(throws: ReaderError.interrupted) {
      try TagReader(link: link, clock: time.clock).waitForTag(timeout: .seconds(9)) {
        time.elapsed > .milliseconds(100)
      }
    }
    #expect(time.elapsed < .milliseconds(120))
  }

  @Test("A tag is selected again by its UID, cascade tags included")
  func reselect() throws {
    let four = Target.typeA(Activation(atqa: 0x0004, sak: 0x08, uid: classicUID))
    let seven = Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID))
    let ten = Target.typeA(Activation(atqa: 0x0084, sak: 0x00, uid: UID(1...10)))
    let link = ScriptedLink(
      setUp + [
        ("4a0100 278b7034", .bytes(classic)), ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
        ("4a0100 8801020388 0405060708090a", .bytes("01 01 0084 00 0a 0102030405060708090a")),
      ])
    let reader = TagReader(link: link)
    for tag in [four, seven, ten] { try reader.reselect(tag) }
    #expect(link.unexpected == [] && link.left == [])
  }

  @Test(
    "A tag that does not come back is lost, and another one in its place is named",
    arguments: [
      ("00", "00", nil), ("00", classic, [0x27, 0x8B, 0x70, 0x34]),
      (classic, classic, [0x27, 0x8B, 0x70, 0x34]),
    ] as [(String, String, [UInt8]?)])
  func lost(byUID: String, byLook: String, found: [UInt8]?) {
    let link = ScriptedLink(
      setUp + [("4a0100 8804a1b2c3d4e5f6", .bytes(byUID))]
        + (byUID == "00" ? [] : [("320100", .bytes(""))]) + [("4a0200", .bytes(byLook))])
    let tag = Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID))
    #expect(throws: ReaderError.tagLost(expected: ntagUID, found: found.map { UID($0) })) {
      try TagReader(link: link).reselect(tag)
    }
    #expect(link.left == [])
  }

  @Test("A tag that misses one selection and answers the look after it is not lost")
  func comesBack() throws {
    let link = ScriptedLink(
      setUp + [("4a0100 8804a1b2c3d4e5f6", .bytes("00")), ("4a0200", .bytes(ntag))])
    try TagReader(link: link).reselect(
      Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID)))
    #expect(link.left == [])
  }

  @Test("Removal is believed after two misses, within 100 ms, and one miss is none")
  func removal() throws {
    let query = "4a0100 8804a1b2c3d4e5f6"
    let link = ScriptedLink(
      setUp + [
        (query, .bytes(ntag)), (query, .bytes("00")), (query, .bytes(ntag)), (query, .bytes("00")),
        (query, .bytes("00")),
      ])
    let time = TestTime()
    let tag = Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID))
    let stays = try TagReader(link: link, clock: time.clock).waitForRemoval(
      of: tag, timeout: .seconds(5)
    ) { false }
    #expect(!stays)
    #expect(link.left == [])
    #expect(time.sleeps.allSatisfy { $0 <= .milliseconds(25) })
  }

  @Test("A tag that stays is still there when the time is over")
  func staying() throws {
    let link = ScriptedLink(setUp)
    link.afterwards = { _ in .bytes(ntag) }
    let time = TestTime()
    let tag = Target.typeA(Activation(atqa: 0x0044, sak: 0x00, uid: ntagUID))
    let reader = TagReader(link: link, clock: time.clock)
    #expect(try reader.waitForRemoval(of: tag, timeout: .milliseconds(100)) { false })
    #expect(throws: ReaderError.interrupted) {
      try reader.waitForRemoval(of: tag, timeout: .seconds(1)) { true }
    }
  }
}
