import JobLists
import TagMemory
import Testing

@Suite("Lists of tags")
struct TagListTests {
  private func list(_ text: String) throws -> TagList {
    let file = try JobFile(text)
    return try withExtendedLifetime(file) { try TagList(at: file.path) }
  }

  private func refusal(_ text: String) throws -> String {
    let file = try JobFile(text)
    do throws(JobSourceError) {
      _ = try TagList(at: file.path)
      return ""
    } catch {
      return error.message.replacing(file.path, with: "FILE")
    }
  }

  @Test("are lines of UIDs and addresses, or tables with columns for them")
  func forms() throws {
    let lines = try list("04A1B2C3D4E5F6\r\n04:a1:b2:c3\nhttps://b\u{FC}cher.example/\n")
    #expect(
      lines.rows.map(\.uid) == [
        UID([4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]), UID([4, 0xA1, 0xB2, 0xC3]), nil,
      ])
    #expect(lines.rows[2].content == .link("https://xn--bcher-kva.example/"))
    let table = try list(
      "note;UID;url\nx;04A1B2C3;\ny;;https://example.com/1\nz;04A1B2C4;https://example.com/2\n")
    #expect(table.rows.map(\.line) == [2, 3, 4] && table.rows[0].content == nil)
    #expect(table.rows[2].uid != nil && table.rows[2].content == .link("https://example.com/2"))
  }

  @Test("name what is wrong with them, and where")
  func refused() throws {
    #expect(try refusal("").contains("is empty"))
    #expect(try refusal("code,name\n1,2\n").contains("FILE lists no tags"))
    #expect(
      try refusal("uid\n04A1B2\n")
        == "FILE, line 2, column uid: A UID has 4, 7, 8 or 10 bytes, and this has 3.")
    #expect(try refusal("uid\n04A1B2C\n").contains("line 2, column uid: It is no hexadecimal"))
    #expect(
      try refusal("04A1B2C3\nhello\n")
        == "FILE, line 2: It names no tag: neither a UID nor what the tag holds.")
    #expect(
      try refusal("04A1B2C3\n04A1B2C4\n04:A1:B2:C3\n")
        == "FILE, line 3: The tag 04:A1:B2:C3 stands in line 1, too.")
  }
}
