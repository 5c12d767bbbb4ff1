import PN532
import Pace
import TagMemory
import Testing

@testable import Readers

@Suite("Looks at odd boards and odd tags")
struct LookingTests {
  private typealias Script = [(String, ScriptedLink.Answer)]

  private let ntagUID = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
  private let off = ("320100", ScriptedLink.Answer.bytes(""))

  @Test(
    "A look whose frame is lost or damaged is done again in a new field: it may have halted the tag",
    arguments: [ReaderError.boardSilent(reader: "x"), .boardGarbled(reader: "x")])
  func lostLook(failure: ReaderError) throws {
    let link = ScriptedLink(setUp + [("4a0200", .failure(failure)), off, ("4a0200", .bytes(ntag))])
    let time = TestTime()
    #expect(try TagReader(link: link, clock: time.clock).select().uid == ntagUID)
    #expect(link.left == [] && link.unexpected == [])
    #expect(time.sleeps.last == TagReader.resetPause)
  }

  @Test("After a look that failed twice, the next one switches the field off first")
  func failedLook() throws {
    let silent = ScriptedLink.Answer.failure(.boardSilent(reader: "x"))
    let link = ScriptedLink(
      setUp + [("4a0200", silent), off, ("4a0200", silent), off, ("4a0200", .bytes(ntag))])
    let reader = TagReader(link: link)
    #expect(throws: ReaderError.boardSilent(reader: "x")) { try reader.select() }
    #expect(try reader.select().uid == ntagUID)
    #expect(link.left == [])
  }

  @Test("While nothing is found, the field is taken away once a second")
  func regularReset() throws {
    let link = ScriptedLink(setUp)
    let time = TestTime()
    var (resets, looks) = ([Duration](), 0)
    link.afterwards = { sent in
      if sent == "320100" { resets.append(time.elapsed) } else { looks += 1 }
      time.advance(.milliseconds(10))
      return .bytes(sent == "320100" ? "" : "00")
    }
    let reader = TagReader(link: link, clock: time.clock)
    #expect(throws: ReaderError.noTag) {
      try reader.waitForTag(timeout: .milliseconds(5200)) { false }
    }
    #expect(resets.count == 5)
    #expect(zip(resets, resets.dropFirst()).allSatisfy { $1 - $0 < .milliseconds(1050) })
    // In slices, as a station waits, no less often.
    resets = []
    for _ in 0..<50 {
      #expect(throws: ReaderError.noTag) {
        try reader.waitForTag(timeout: .milliseconds(100)) { false }
      }
    }
    #expect((4...5).contains(resets.count), "\(resets)")
  }

  @Test("The same UID and SAK twice is one tag, which is selected by its UID")
  func onceAndAgain() throws {
    let twice = "02 01 0044 00 07 04a1b2c3d4e5f6 02 0044 00 07 04a1b2c3d4e5f6"
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(twice)), ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
        ("4260", .bytes("00 0004040201000f03")),
      ])
    let reader = TagReader(link: link)
    #expect(try reader.select().uid == ntagUID)
    // It is awake.
    _ = try reader.getVersion()
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("The same UID with another SAK is another tag")
  func sameUID() {
    let two = "02 01 0004 08 04 278b7034 02 0004 18 04 278b7034"
    let uid = UID([0x27, 0x8B, 0x70, 0x34])
    #expect(throws: ReaderError.severalTags([uid, uid])) {
      try TagReader(link: ScriptedLink(setUp + [("4a0200", .bytes(two))])).select()
    }
  }

  // MARK: Smart cards with a MIFARE Classic in them

  private let card = "01 01 0004 28 04 278b7034 05 78807002"
  private let bare = "01 01 0004 28 04 278b7034"

  @Test(
    "A smart card with a MIFARE Classic in it is selected anew without RATS",
    arguments: [0x28, 0x38])
  func smartCard(sak: UInt8) throws {
    let sak = String(sak, radix: 16)
    let (card, bare) = (
      card.replacing(" 28 ", with: " \(sak) "), bare.replacing(" 28 ", with: " \(sak) ")
    )
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(card)), ("5200", .bytes("00")), ("1204", .bytes("")),
        ("4a0200", .bytes("00")), ("4a0100 278b7034", .bytes(bare)),
        // The Classic in it answers with a nonce, which has no CRC.
        ("42 6000", .bytes("02")), ("4a0100 278b7034", .bytes(bare)),
        ("4001 60 04 ffffffffffff 278b7034", .bytes("00")),
        // Selecting it again needs no more than that.
        ("4a0100 278b7034", .bytes(bare)),
        // The next tag may be a Type 4 tag, which wants RATS.
        ("1214", .bytes("")), off, ("4a0200", .bytes(ntag)),
      ])
    let reader = TagReader(link: link)
    let tag = try reader.select()
    #expect(tag.sak == Int(sak, radix: 16).map { UInt8($0) } && tag.typeA?.ats == [])
    try reader.authenticate(block: 4, key: .factory, type: .a)
    #expect(link.timeouts.last == .milliseconds(250))
    try reader.reselect(tag)
    #expect(try reader.select().uid == ntagUID)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("Another tag beside such a card is seen")
  func besideSmartCard() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(card)), ("5200", .bytes("00")), ("1204", .bytes("")),
        ("4a0200", .bytes(ntag)),
      ])
    #expect(throws: ReaderError.severalTags([UID([0x27, 0x8B, 0x70, 0x34]), ntagUID])) {
      try TagReader(link: link).select()
    }
  }

  @Test("Such a card that cannot be woken by its UID is looked for in a new field")
  func deafSmartCard() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(card)), ("5200", .bytes("01")), ("1204", .bytes("")),
        ("4a0200", .bytes("00")), ("4a0100 278b7034", .bytes("00")), off,
        ("4a0200", .bytes(bare)), ("42 6000", .bytes("02")), ("4a0100 278b7034", .bytes(bare)),
      ])
    #expect(try TagReader(link: link).select().sak == 0x28)
    #expect(link.left == [])
  }

  @Test("A card of SAK 28h without a MIFARE Classic stays in ISO-DEP")
  func noClassicInIt() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(card)), ("5200", .bytes("00")), ("1204", .bytes("")),
        ("4a0200", .bytes("00")), ("4a0100 278b7034", .bytes(bare)), ("42 6000", .bytes("01")),
        ("1214", .bytes("")), off, ("4a0100 278b7034", .bytes(card)),
        ("4001 00a4000000", .bytes("00 9000")),
      ])
    let reader = TagReader(link: link)
    let tag = try reader.select()
    #expect(tag.typeA?.ats == [0x78, 0x80, 0x70, 0x02] && reader.speaksISODEP)
    #expect(try reader.enterProtocol())
    _ = try reader.transmit(CommandAPDU(0x00, 0xA4, 0, 0, expectedLength: 256), following: false)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("An APDU for a card whose MIFARE Classic is selected: it is let into ISO-DEP")
  func enteringProtocol() throws {
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(card)), ("5200", .bytes("00")), ("1204", .bytes("")),
        ("4a0200", .bytes("00")), ("4a0100 278b7034", .bytes(bare)), ("42 6000", .bytes("02")),
        ("4a0100 278b7034", .bytes(bare)),
        ("1214", .bytes("")), off, ("4a0100 278b7034", .bytes(card)),
      ])
    let reader = TagReader(link: link)
    _ = try reader.select()
    #expect(!reader.speaksISODEP)
    #expect(try reader.enterProtocol() && reader.speaksISODEP)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("A tag in HALT that a look by UID does not wake is found in a new field")
  func looksWithREQA() throws {
    let query = "4a0100 8804a1b2c3d4e5f6"
    let version = ("4260", ScriptedLink.Answer.bytes("00 0004040201000f03"))
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(ntag)), (query, .bytes("00")), off, (query, .bytes(ntag)), version,
      ])
    let reader = TagReader(link: link)
    _ = try reader.select()
    _ = try reader.getVersion()
    #expect(reader.findsHalted == false)
    #expect(link.left == [] && link.unexpected == [])
    // Known to be a board that wakes: the field stays on, and the tag is gone.
    let other = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(ntag)), (query, .bytes(ntag)), version, off, ("4a0200", .bytes(ntag)),
        (query, .bytes("00")),
      ])
    let second = TagReader(link: other)
    _ = try second.select()
    _ = try second.getVersion()
    _ = try second.select()
    #expect(throws: ReaderError.tagLost(expected: ntagUID, found: nil)) { try second.getVersion() }
    #expect(other.left == [] && other.unexpected == [])
  }

  @Test("An acknowledge with data is none: the tag took the command for another")
  func dataInPlaceOfAcknowledge() {
    let commands: [(TagReader) throws -> Void] = [
      { try $0.authenticate(block: 4, key: .factory, type: .a) },
      { try $0.writeBlock(4, [UInt8](repeating: 0, count: 16)) },
      { try $0.writePage(4, [1, 2, 3, 4]) },
    ]
    for command in commands {
      let link = ScriptedLink()
      link.afterwards = { _ in .bytes("00 6e00") }
      let reader = TagReader(link: link)
      #expect(throws: ReaderError.wrongAnswerLength(expected: 0, received: 2)) {
        try command(reader)
      }
      #expect(reader.needsReselect)
    }
  }

  @Test(
    "A tag that has not acknowledged a write keeps its power for 100 ms: it may be a slow one",
    arguments: [ScriptedLink.Answer.bytes("01"), .bytes("02"), .failure(.boardSilent(reader: "x"))])
  func openWrite(answer: ScriptedLink.Answer) throws {
    let query = "4a0100 8804a1b2c3d4e5f6"
    let link = ScriptedLink(
      setUp + [
        ("4a0200", .bytes(ntag)), ("4001 a204 01020304", answer), (query, .bytes("00")), off,
        ("4a0200", .bytes(ntag)), ("4001 a204 01020304", .bytes("00")), (query, .bytes("00")), off,
        ("4a0200", .bytes(ntag)), ("4001 a204 01020304", answer),
      ])
    let time = TestTime()
    let reader = TagReader(link: link, clock: time.clock)
    let tag = try reader.select()
    var start = time.elapsed
    #expect(throws: ReaderError.self) { try reader.writePage(4, [1, 2, 3, 4]) }
    try reader.reselect(tag)
    #expect(time.elapsed - start == .milliseconds(100) + TagReader.resetPause)
    // A write that was acknowledged is over.
    try reader.writePage(4, [1, 2, 3, 4])
    start = time.elapsed
    try reader.reselect(tag)
    #expect(time.elapsed - start == TagReader.resetPause)
    // Nor is the field taken away by closing.
    start = time.elapsed
    #expect(throws: ReaderError.self) { try reader.writePage(4, [1, 2, 3, 4]) }
    reader.close()
    #expect(time.elapsed - start == .milliseconds(100))
    #expect(link.left == [] && link.isClosed)
  }

  // MARK: Random UIDs

  private let fleeting = UID([0x08, 0x12, 0x34, 0x56])

  @Test(
    "A tag with a random UID is selected again without taking its power, however often it misses")
  func randomUID() throws {
    let found = "01 01 0004 08 04 08123456"
    let tag = Target.typeA(Activation(atqa: 4, sak: 8, uid: fleeting))
    for misses in 0...2 {
      let link = ScriptedLink(
        setUp + Array(repeating: ("4a0100 08123456", .bytes("00")), count: misses)
          + [("4a0100 08123456", .bytes(found))])
      try TagReader(link: link).reselect(tag)
      #expect(link.left == [] && link.unexpected == [])
    }
  }

  @Test("A tag with a random UID that is gone is lost, and the field stays on; a new one is named")
  func randomUIDGone() {
    let other = "01 01 0004 08 04 08aabbcc"
    let tag = Target.typeA(Activation(atqa: 4, sak: 8, uid: fleeting))
    for (answer, found) in [("00", nil), (other, UID([0x08, 0xAA, 0xBB, 0xCC]))] {
      let link = ScriptedLink(
        setUp + Array(repeating: ("4a0100 08123456", .bytes("00")), count: 3)
          + [("4a0200", .bytes(answer))])
      let error = ReaderError.tagLost(expected: fleeting, found: found)
      #expect(throws: error) { try TagReader(link: link).reselect(tag) }
      #expect(link.left == [] && link.unexpected == [])
      #expect(error.description.contains("may be the same tag") == (found != nil))
    }
  }

  @Test("An ISO-DEP card with a random UID is let go and asked for by it: its removal is no reset")
  func randomUIDStays() throws {
    let card = "01 01 0344 20 04 08123456 05 78807002"
    let link = ScriptedLink(setUp + [("4a0200", .bytes(card))])
    var sent: [String] = []
    link.afterwards = { command in
      sent.append(command)
      return .bytes(command == "5200" ? "00" : sent.count == 4 ? "00" : card)
    }
    let time = TestTime()
    let reader = TagReader(link: link, clock: time.clock)
    let tag = try reader.select()
    #expect(try reader.waitForRemoval(of: tag, timeout: .milliseconds(100)) { false })
    #expect(Set(sent) == ["5200", "4a010008123456"])
  }

  @Test("Two tags with random UIDs that stay are no change")
  func randomUIDsStay() throws {
    let link = ScriptedLink(setUp)
    var number = 0
    link.afterwards = { command in
      guard command == "4a0200" else { return .bytes("") }
      number += 1
      return .bytes("02 01 0004 08 04 0800000\(number) 02 0004 08 04 0811111\(number)")
    }
    let time = TestTime()
    let reader = TagReader(link: link, clock: time.clock)
    let uids = try reader.look().map(\.uid)
    #expect(
      try reader.waitForChange(from: uids, timeout: .milliseconds(100)) { false })
  }
}
