import Pace
import TagMemory
import Testing

@testable import Readers

@Suite("Counts and traces")
struct TraceTests {
  private static let blank = "00000000000000000000000000000000"
  private static let trailer = "a0a1a2a3a4a5787788c1b0b1b2b3b4b5"

  /// What a trace shows of one command: the command and its answer.
  private func trace(
    _ sent: String, _ answer: String, tag: String = ntag, _ run: (TagReader) throws -> Void
  ) throws -> String? {
    var shown: [Exchange] = []
    let link = ScriptedLink(setUp + [("4a0200", .bytes(tag)), (sent, .bytes(answer))])
    let reader = TagReader(link: link) { shown.append($0) }
    _ = try reader.select()
    try run(reader)
    return shown.last?.description
  }

  @Test("Keys never reach a trace")
  func keys() throws {
    let shown = try trace("4001 6007 a0a1a2a3a4a5 278b7034", "00", tag: classic) {
      try $0.authenticate(block: 7, key: .mad, type: .a)
    }
    #expect(shown == "40016007************278b7034 → 00")
  }

  @Test("Neither do the keys of a sector trailer, written or read")
  func trailers() throws {
    let bytes: [UInt8] = [
      0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x78, 0x77, 0x88, 0xC1, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4,
      0xB5,
    ]
    let written = try trace("4001 a007" + Self.trailer, "00", tag: classic) {
      try $0.writeBlock(7, bytes)
    }
    #expect(written == "4001a007************787788c1************ → 00")
    let read = try trace("4001 308f", "00" + Self.trailer, tag: classic) {
      _ = try $0.readBlock(143)
    }
    #expect(read == "4001308f → 00************787788c1************")
    let data = try trace("4001 3083", "00" + Self.blank, tag: classic) { _ = try $0.readBlock(131) }
    #expect(data == "40013083 → 00" + Self.blank)
  }

  @Test("Neither do passwords, their acknowledge, and pages said to be secret")
  func passwords() throws {
    let authentication = try trace("42 1b11223344", "00 abcd") { reader in
      try reader.inSelectForTest()
      _ = try reader.authenticate(password: [0x11, 0x22, 0x33, 0x44])
    }
    #expect(authentication == "421b******** → 00****")
    let secret = try trace("4001 a22b11223344", "00") {
      try $0.writePage(0x2B, [0x11, 0x22, 0x33, 0x44], isSecret: true)
    }
    #expect(secret == "4001a22b******** → 00")
    let open = try trace("4001 a20411223344", "00") {
      try $0.writePage(4, [0x11, 0x22, 0x33, 0x44])
    }
    #expect(open == "4001a20411223344 → 00")
  }

  @Test("Page 7 of a Type 2 tag is no sector trailer")
  func pages() throws {
    let shown = try trace("4001 3007", "00" + Self.trailer) { _ = try $0.readPages(from: 7) }
    #expect(shown == "40013007 → 00" + Self.trailer)
  }

  @Test("A trace has every exchange with its time, failures and repetitions too")
  func times() throws {
    var shown: [Exchange] = []
    let time = TestTime()
    let link = ScriptedLink()
    var answers: [ScriptedLink.Answer] = [
      .failure(.boardSilent(reader: "x")), .bytes("00" + Self.blank),
    ]
    link.afterwards = { _ in
      time.advance(.milliseconds(5))
      return answers.removeFirst()
    }
    time.advance(.seconds(1))
    _ = try TagReader(link: link, observer: { shown.append($0) }, clock: time.clock).readBlock(4)
    #expect(shown.map(\.start) == [.seconds(1), .milliseconds(1005)])
    #expect(shown.map(\.duration) == [.milliseconds(5), .milliseconds(5)])
    #expect(shown.first?.outcome == .failure(.boardSilent(reader: "x")))
  }

  @Test("Commands are counted by what they ask of the tag")
  func counting() throws {
    let link = ScriptedLink()
    link.afterwards = { sent in
      if sent.hasPrefix("421b") { return .bytes("00 0000") }
      return .bytes(sent.hasPrefix("400130") ? "00" + Self.blank : "00")
    }
    let reader = TagReader(link: link)
    try reader.authenticate(block: 4, key: .factory, type: .b)
    _ = try reader.readBlock(4)
    try reader.writeBlock(4, Array(0...15))
    try reader.writePage(4, [0, 0, 0, 0])
    _ = try reader.authenticate(password: [0, 0, 0, 0])
    _ = try reader.send(.apdu(CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 15)))
    _ = try reader.send(.apdu(CommandAPDU(0x00, 0xD6, 0, 0, data: [0xFF])))
    _ = try reader.send(TagCommand([0x60], way: .thru))
    var expected = OperationCounts()
    (expected.frames, expected.authentications, expected.reads, expected.writes) = (8, 2, 2, 3)
    #expect(reader.counts.modelledTime.chip == .microseconds(700) * 8)
    expected.modelledTime = reader.counts.modelledTime
    #expect(reader.counts == expected)
  }

  @Test(
    "Errors read as sentences",
    arguments: [
      (.cannotOpen(reader: "r", reason: "why"), "reader r cannot be opened: why"),
      (
        .busy(reader: "r", holder: "process 7 (x)"),
        "reader r is busy: process 7 (x) holds it; end that program, or: kill 7"
      ),
      (.busy(reader: "r", holder: nil), "reader r is busy: another process holds it"),
      (.boardSilent(reader: "r"), "the board on r does not answer"),
      (.boardLost(reader: "r"), "the board on r is gone: it was unplugged, or its line was closed"),
      (
        .boardGarbled(reader: "r"),
        "the board on r sent a damaged answer, or does not know the command"
      ),
      (.boardRefused(reader: "r"), "the board on r does not support this command"),
      (.interrupted, "interrupted"),
      (.noTag, "no tag is on the reader"),
      (
        .severalTags([UID([1, 2, 3, 4]), UID([5, 6, 7, 8])]),
        "several tags are on the reader: 01:02:03:04, 05:06:07:08"
      ),
      (.tagLost(expected: UID([1, 2, 3, 4]), found: nil), "tag 01:02:03:04 is gone"),
      (
        .tagLost(expected: UID([1, 2, 3, 4]), found: UID([5, 6, 7, 8])),
        "tag 01:02:03:04 is gone and tag 05:06:07:08 is in its place"
      ),
      (
        .exchangeFailed(.authentication),
        "the exchange with the tag failed: MIFARE authentication failed (status 14h)"
      ),
      (
        .wrongAnswerLength(expected: 16, received: 1),
        "the tag answered with 1 bytes instead of 16"
      ),
    ] as [(ReaderError, String)])
  func sentences(error: ReaderError, text: String) {
    #expect(error.description == text)
  }
}

extension TagReader {
  /// Leaves the chip's own waking of the tag out of a script.
  fileprivate func inSelectForTest() throws { targetMaySleep = false }
}
