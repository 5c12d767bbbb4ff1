import PN532
import Pace
import TagMemory
import Testing

@testable import Readers

@Suite("Looking for FeliCa, type B and Topaz, UM0701-02 7.3.5")
struct PollingTests {
  private static let idm = UID([0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88])
  private static let none = ScriptedLink.Answer.bytes("00")
  private static let typeA = "4a0200"
  private static let slow = "4a0201 00ffff0101"
  private static let typeB = "4a0203 00"
  private static let fast = "4a0202 00ffff0101"
  private static let topaz = "4a0104"
  private static let lite = "01 01 14 01 012e3d4c5b6a7988 00f0000002060300 88b4"
  private static let card = "01 01 50 01020304 00000000 008181 01 00"
  private static let jewel = "01 01 0c00 11223344"
  private static let off = ("320100", ScriptedLink.Answer.bytes(""))
  /// One try a look (UM0701-02, 7.3.1, item 5).
  private static let once = ("3205000100", ScriptedLink.Answer.bytes(""))

  private func reader(
    _ script: [(String, ScriptedLink.Answer)],
    looking technologies: Set<Technology> = Set(Technology.allCases), time: TestTime = TestTime()
  ) throws -> (TagReader, ScriptedLink) {
    let link = ScriptedLink(setUp + script)
    let reader = TagReader(link: link, clock: time.clock)
    reader.technologies = technologies
    try reader.prepare()
    time.restart()
    return (reader, link)
  }

  @Test("A whole look asks type A first and then each of the others")
  func whole() throws {
    let (reader, link) = try reader(
      [Self.typeA, Self.slow, Self.typeB, Self.fast, Self.topaz].map { ($0, Self.none) })
    #expect(try reader.look() == [])
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("While nothing is there, each look at type A gives one of the others its turn")
  func turns() throws {
    let others = [Self.slow, Self.typeB, Self.fast, Self.topaz, Self.slow]
    let (reader, link) = try reader(
      others.flatMap { [(Self.typeA, Self.none), ($0, Self.none)] }
        + [(Self.typeA, .bytes(ntag))])
    #expect(try reader.waitForTag(timeout: .seconds(1)) { false }.technology == .typeA)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("For two seconds after a tag of type A the next one is awaited: a line is not slowed down")
  func line() throws {
    let time = TestTime()
    let (reader, link) = try reader([(Self.typeA, .bytes(ntag))], time: time)
    var sent: [String] = []
    link.afterwards = { command in
      sent.append(command)
      return command.hasPrefix("32") ? .bytes("") : Self.none
    }
    _ = try reader.select()
    #expect(throws: ReaderError.noTag) {
      try reader.waitForTag(timeout: .milliseconds(1900)) { false }
    }
    // The last look of a wait is a whole one.
    #expect(sent.dropLast(5).allSatisfy { $0 == Self.typeA || $0 == "320100" })
    #expect(sent.count(where: { $0 == Self.typeA }) > 400)
    sent = []
    #expect(throws: ReaderError.noTag) {
      try reader.waitForTag(timeout: .milliseconds(200)) { false }
    }
    #expect(sent.count(where: { $0 == Self.topaz }) > 3)
  }

  @Test("A bench that knows the type of its tags asks for that technology alone")
  func knownType() throws {
    let (felica, link) = try reader(
      [(Self.slow, Self.none), (Self.fast, Self.none), (Self.slow, .bytes(Self.lite))],
      looking: [.feliCa])
    #expect(try felica.waitForTag(timeout: .seconds(1)) { false }.uid == Self.idm)
    #expect(link.left == [] && link.unexpected == [])
    let (typeA, other) = try reader(
      [(Self.typeA, Self.none), (Self.typeA, Self.none), (Self.typeA, .bytes(ntag))],
      looking: [.typeA])
    _ = try typeA.waitForTag(timeout: .seconds(1)) { false }
    #expect(other.left == [] && other.unexpected == [])
  }

  @Test("What a FeliCa tag says of itself is kept, the bit rate with it")
  func feliCa() throws {
    let (reader, _) = try reader(
      [(Self.slow, Self.none), (Self.fast, .bytes(Self.lite))], looking: [.feliCa])
    #expect(
      try reader.select()
        == .feliCa(
          FeliCaActivation(
            idm: Self.idm.bytes, pmm: [0x00, 0xF0, 0x00, 0x00, 0x02, 0x06, 0x03, 0x00],
            systemCode: 0x88B4, bitRate: .kbit424)))
    #expect(!reader.needsReselect)
  }

  @Test("Type B and Topaz are told by PUPI and Jewel ID")
  func others() throws {
    let (first, _) = try reader([(Self.typeB, .bytes(Self.card))], looking: [.typeB])
    let b = TypeBActivation(
      pupi: [1, 2, 3, 4], applicationData: [0, 0, 0, 0], protocolInfo: [0x00, 0x81, 0x81])
    #expect(try first.select() == .typeB(b))
    #expect(first.speaksISODEP)
    let (second, _) = try reader([(Self.topaz, .bytes(Self.jewel))], looking: [.topaz])
    let jewel = TopazActivation(atqa: 0x0C00, uid: [0x11, 0x22, 0x33, 0x44])
    #expect(try second.select() == .topaz(jewel))
  }

  @Test("Tags of two technologies are two tags, and so are two FeliCa tags")
  func several() throws {
    let (mixed, link) = try reader([
      (Self.typeA, Self.none), (Self.slow, .bytes(Self.lite)), (Self.typeB, .bytes(Self.card)),
      (Self.topaz, Self.none),
    ])
    #expect(throws: ReaderError.severalTags([Self.idm, UID([1, 2, 3, 4])])) { try mixed.select() }
    #expect(link.left == [] && link.unexpected == [])
    let both =
      "02 01 14 01 012e3d4c5b6a7988 00f0000002060300 88b4 02 12 01 0a0b0c0d0e0f1011 00f1000000014300"
    let (two, _) = try reader([(Self.slow, .bytes(both))], looking: [.feliCa])
    #expect(
      throws: ReaderError.severalTags([
        Self.idm, UID([0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11]),
      ])
    ) { try two.select() }
  }

  @Test("A lone tag is selected again once the others were asked")
  func alone() throws {
    let (reader, link) = try reader([
      (Self.typeA, Self.none), (Self.slow, .bytes(Self.lite)), (Self.typeB, Self.none),
      (Self.topaz, Self.none), (Self.slow, .bytes(Self.lite)),
    ])
    #expect(try reader.select().uid == Self.idm)
    #expect(!reader.needsReselect && reader.target?.uid == Self.idm)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("Beside a tag of type A nothing is looked for, unless that is asked for")
  func beside() throws {
    let (quick, link) = try reader([(Self.typeA, .bytes(ntag))])
    #expect(try quick.look().count == 1)
    #expect(link.left == [] && link.unexpected == [])
    let (thorough, other) = try reader([
      (Self.typeA, .bytes(ntag)), Self.once, (Self.slow, .bytes(Self.lite)),
      (Self.typeB, Self.none), (Self.topaz, Self.none),
    ])
    thorough.beside = .everything
    #expect(try thorough.look().map(\.technology) == [.typeA, .feliCa])
    #expect(other.left == [] && other.unexpected == [])
    let (lone, last) = try reader([
      (Self.typeA, .bytes(ntag)), Self.once, (Self.slow, Self.none), (Self.typeB, Self.none),
      (Self.fast, Self.none), (Self.topaz, Self.none), ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
      ("4001 3000", .bytes("00" + String(repeating: "00", count: 16))),
    ])
    lone.beside = .everything
    #expect(try lone.select().technology == .typeA)
    _ = try lone.readPages(from: 0)
    #expect(last.left == [] && last.unexpected == [])
    // A reel that is not known.
    let (writer, asked) = try reader([
      (Self.typeA, .bytes(ntag)), Self.once, (Self.slow, Self.none), (Self.typeB, Self.none),
      ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
      // Whatever is looked for later gets its two tries again.
      ("3205000101", .bytes("")), ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
    ])
    writer.look(for: nil)
    let tag = try writer.select()
    #expect(tag.technology == .typeA)
    #expect(try writer.isThere(tag))
    #expect(asked.left == [] && asked.unexpected == [])
  }

  @Test("A tag that misses the one try is woken again with two")
  func missed() throws {
    let (reader, link) = try reader([
      (Self.typeA, .bytes(ntag)), Self.once, (Self.slow, Self.none), (Self.typeB, Self.none),
      ("4a0100 8804a1b2c3d4e5f6", Self.none), ("3205000101", .bytes("")),
      ("4a0100 8804a1b2c3d4e5f6", .bytes(ntag)),
    ])
    reader.look(for: nil)
    #expect(try reader.select().technology == .typeA)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("What the board does not know how to look for is asked once and no more")
  func unknownModulation() throws {
    let refused = ScriptedLink.Answer.failure(.boardRefused(reader: "x"))
    let (reader, link) = try reader([
      (Self.typeA, Self.none), (Self.slow, Self.none), (Self.typeB, refused),
      (Self.fast, Self.none), (Self.topaz, refused), (Self.typeA, Self.none),
      (Self.slow, Self.none), (Self.fast, Self.none),
    ])
    for _ in 1...2 { #expect(try reader.look() == []) }
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test(
    "Where type A is looked for, too, a board that fails at the rest twice is asked for type A alone"
  )
  func badCopy() throws {
    let (reader, link) = try reader([])
    var sent: [String] = []
    link.afterwards = { command in
      sent.append(command)
      if command.hasPrefix("32") { return .bytes("") }
      return command == Self.typeA ? Self.none : .failure(.boardSilent(reader: "x"))
    }
    for _ in 1...4 { #expect(try reader.look() == []) }
    // Each twice in a look, and in two looks.
    #expect(sent.filter { $0 == Self.topaz }.count == 4)
    #expect(sent.suffix(2) == [Self.typeA, Self.typeA])
  }

  @Test(
    "A look that the line loses is done again in a new field",
    arguments: [ReaderError.boardSilent(reader: "x"), .boardGarbled(reader: "x")])
  func lost(failure: ReaderError) throws {
    let (reader, link) = try reader(
      [(Self.typeB, .failure(failure)), Self.off, (Self.typeB, .bytes(Self.card))],
      looking: [.typeB])
    #expect(try reader.select().technology == .typeB)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test(
    "What is no list of such tags is a damaged answer",
    arguments: [
      (Technology.feliCa, "01 01 14 01 012e"), (.feliCa, "03"), (.feliCa, "01 01 13 01" + "00"),
      (.typeB, "01 01 51 01020304 00000000 008181 01 00"), (.typeB, "01 01 50 0102"),
      (.topaz, "02 01 0c00 11223344"), (.topaz, "01 01 0c00 112233"), (.topaz, "00 00"),
    ])
  func damaged(technology: Technology, answer: String) throws {
    let (reader, link) = try reader([], looking: [technology])
    link.afterwards = { .bytes($0.hasPrefix("32") ? "" : answer) }
    #expect(throws: ReaderError.boardGarbled(reader: "script")) { try reader.select() }
  }

  @Test("A FeliCa tag is selected again by its IDm, and its removal is believed after two misses")
  func idm() throws {
    let tag = Target.feliCa(
      FeliCaActivation(
        idm: Self.idm.bytes, pmm: [0, 0xF0, 0, 0, 0, 0, 0, 0], systemCode: nil, bitRate: .kbit424))
    let other = "01 01 12 01 0a0b0c0d0e0f1011 00f1000000014300"
    let (reader, link) = try reader([
      (Self.fast, .bytes(Self.lite)), (Self.fast, Self.none), (Self.fast, .bytes(other)),
      (Self.fast, .bytes(Self.lite)), (Self.fast, Self.none), (Self.fast, .bytes(other)),
    ])
    try reader.reselect(tag)
    let found = UID([0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11])
    #expect(throws: ReaderError.tagLost(expected: Self.idm, found: found)) {
      try reader.reselect(tag)
    }
    #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(1)) { false })
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("A type B card that was selected is asked for in its protocol, else in a new field")
  func typeBAgain() throws {
    let (reader, link) = try reader(
      [
        (Self.typeB, .bytes(Self.card)), ("0006", .bytes("00")), ("0006", .bytes("01")), Self.off,
        (Self.typeB, .bytes(Self.card)), Self.off, (Self.typeB, Self.none),
      ], looking: [.typeB])
    let tag = try reader.select()
    #expect(try reader.isThere(tag))
    #expect(try reader.isThere(tag))
    #expect(try reader.look() == [])
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("Whether an ISO-DEP card is there is asked without ending what it does")
  func attention() throws {
    let card = "01 01 0344 20 07 04a1b2c3d4e5f6 06 75778102 80"
    let (reader, link) = try reader(
      [
        (Self.typeA, .bytes(card)), ("0006", .bytes("00")),
        ("4001 00b0000001", .bytes("00 aa9000")),
        ("0006", .bytes("01")), ("5200", .bytes("00")), ("4a0100 8804a1b2c3d4e5f6", .bytes("00")),
      ], looking: [.typeA])
    let tag = try reader.select()
    #expect(try reader.isPresent(tag))
    _ = try reader.send(.apdu(CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 1)))
    #expect(try !reader.isPresent(tag))
    #expect(link.left == [] && link.unexpected == [])
  }

  // MARK: UIDs that look made up

  private static let fixed = "01 01 0004 08 04 08123456"

  @Test("A UID from 08h on that is there again after the field was off lasts")
  func lastingUID() throws {
    let (reader, link) = try reader(
      [(Self.typeA, .bytes(Self.fixed)), Self.off, (Self.typeA, .bytes(Self.fixed))],
      looking: [.typeA])
    let tag = try reader.select()
    #expect(reader.hasRandomUID(tag))
    #expect(try reader.provingUID(of: tag) == tag)
    #expect(!reader.hasRandomUID(tag))
    // Proven once, for good; and the next tag is asked anew.
    #expect(try reader.provingUID(of: tag) == tag)
    #expect(link.left == [] && link.unexpected == [])
  }

  @Test("One that is another after the field was off does not, and the tag goes on by its new one")
  func fleetingUID() throws {
    let (reader, _) = try reader(
      [
        (Self.typeA, .bytes(Self.fixed)), Self.off,
        (Self.typeA, .bytes("01 01 0004 08 04 08aabbcc")),
      ], looking: [.typeA])
    let tag = try reader.provingUID(of: try reader.select())
    #expect(tag.uid == UID([0x08, 0xAA, 0xBB, 0xCC]))
    #expect(reader.hasRandomUID(tag))
  }

  @Test("A lasting UID is met like any other: the field may be taken away to find the tag")
  func lastingUIDLost() throws {
    let (reader, link) = try reader(
      [
        (Self.typeA, .bytes(Self.fixed)), Self.off, (Self.typeA, .bytes(Self.fixed)),
        ("4a0100 08123456", Self.none), Self.off, (Self.typeA, .bytes(Self.fixed)),
      ], looking: [.typeA])
    let tag = try reader.provingUID(of: try reader.select())
    try reader.reselect(tag)
    #expect(link.left == [] && link.unexpected == [])
  }
}
