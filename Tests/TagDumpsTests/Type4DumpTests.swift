import Bytes
import TagMemory
import Testing

@testable import TagDumps

@Suite("Dumps of Type 4 tags")
struct Type4DumpTests {
  static let files: [(file: FileID, bytes: [UInt8])] = [
    (.capability, [0, 15, 0x20, 0, 0x3A, 0, 0x34, 4, 6, 0xE1, 4, 0, 32, 0, 0]),
    (.usualMessage, [0, 5, 0xD1, 1, 1, 0x54, 0] + [UInt8](repeating: 7, count: 25)),
  ]

  private func dump() throws -> TagDump {
    let image = try #require(MemoryImage(files: Self.files, uid: UID([4, 1, 2, 3, 4, 5, 6])))
    var dump = TagDump(image)
    (dump.atqa, dump.sak) = (0x0344, 0x20)
    return dump
  }

  @Test("keeps files, UID and activation in JSON")
  func roundTrip() throws {
    let dump = try dump()
    let text = try dump.serialize(as: .proxmark)
    let read = try TagDump(parsing: text)
    #expect(read.image == dump.image)
    #expect((read.atqa, read.sak) == (0x0344, 0x20))
    #expect(read.image.message == [0xD1, 1, 1, 0x54, 0])
    #expect(read.image.files.map(\.file) == [.capability, .usualMessage])
    #expect(String(decoding: text, as: UTF8.self).contains("\"E103\": \"000F20003A0034"))
  }

  @Test("says that the tag filled in a part of the message")
  func mirrored() throws {
    var dump = try dump()
    #expect(try !TagDump(parsing: dump.serialize(as: .proxmark)).image.isMirrored)
    dump.image.isMirrored = true
    #expect(try TagDump(parsing: dump.serialize(as: .proxmark)).image == dump.image)
  }

  @Test(
    "says which formats have no form for it", arguments: [DumpFormat.raw, .flipper, .classicTool])
  func others(format: DumpFormat) throws {
    let dump = try dump()
    #expect(throws: DumpError.self) { try dump.serialize(as: format) }
  }

  @Test(
    "refuses what is no dump",
    arguments: [
      "{}", "{\"E103\": \"00\"}", "{\"E1\": \"00\"}", "{\"E103\": \"0\"}", "{\"E103\": 5}",
      "{\"E103\": \"00\", \"e103\": \"00\"}",
    ])
  func damaged(files: String) {
    let text = "{\"FileType\": \"type4 files\", \"Card\": {\"UID\": \"0401\"}, \"files\": \(files)}"
    #expect(throws: DumpError.self) { try TagDump(parsing: Array(text.utf8)) }
  }
}
