import Testing

@testable import JobLists

@Suite("Codes without a table")
struct CodeTests {
  @Test("stand one on a line, whatever characters they have")
  func lines() throws {
    let source = try JobFile("\u{FEFF}A1\r\n\r\n a,\"b;\t \nA\u{E4}").codes(("text", "{code}"))
    #expect(source.texts == ["A1", "a,\"b;", "A\u{E4}"])
    #expect(source.jobs.map(\.line) == [1, 3, 4])
    #expect(source.jobs.map(\.name) == source.texts)
    let bad = try JobFile([0x41, 0xFF, 0x0A, 0x00, 0x0A, 0x42]).codes(("text", "{code}"))
    #expect(
      bad.problems == [
        "line 1, column code: The text is not UTF-8; save the table as “CSV UTF-8”.",
        "line 2: It has a NUL byte: this is no text.",
      ])
    #expect(bad.texts == ["B"])
  }

  @Test("need a message to stand in")
  func noMessage() throws {
    let file = try JobFile("A1\n")
    let error = #expect(throws: JobSourceError.self) { try file.codes() }
    #expect(error?.template?.contains("{code}") == true)
  }

  @Test(
    "come from a range of numbers",
    arguments: [
      ("1..3", ["1", "2", "3"]), ("000009..000011", ["000009", "000010", "000011"]),
      ("0009..0010", ["0009", "0010"]), ("09..10", ["09", "10"]), ("7..7", ["7"]),
      ("0..1", ["0", "1"]), ("09..100", Array(9...100).map(String.init)),
    ] as [(String, [String])])
  func range(_ text: String, codes: [String]) throws {
    let source = try JobSource(.range(CodeRange(parsing: text)), settings([("text", "{code}")]))
    #expect(source.texts == codes)
    #expect(source.count == codes.count)
    #expect(source.jobs.map(\.columns) == codes.map { [.init(name: "code", value: $0)] })
    #expect(try source.jobs.allSatisfy { try source.password(of: $0) == nil })
  }

  @Test(
    "are refused where the range is none",
    arguments: [
      "", "1", "1..", "..5", "1...5", "5..1", "-1..5", "a..b", "1..10000001",
      "1..99999999999999999999", "\u{661}..\u{665}", "1 .. 5",
    ])
  func badRange(_ text: String) {
    let error = #expect(throws: JobSourceError.self) { try CodeRange(parsing: text) }
    #expect(error?.kind == .usage)
  }
}
