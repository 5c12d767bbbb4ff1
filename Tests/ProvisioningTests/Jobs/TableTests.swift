import Testing

@testable import JobLists

@Suite("A job list")
struct TableTests {
  @Test(
    "is read with commas, semicolons or tabs, any line ends, and a byte-order mark",
    arguments: [",", ";", "\t"], ["\n", "\r\n", "\r"])
  func forms(delimiter: String, lineEnd: String) throws {
    for mark in ["", "\u{FEFF}"] {
      let lines = [
        "code\(delimiter)\"se rial\"", "A1\(delimiter)\"x\(delimiter)\"\"y\"\"\"", "",
        "\"A\(lineEnd)2\"\(delimiter)\u{E4}", " A3 \(delimiter) z ",
      ]
      let file = try JobFile(mark + lines.joined(separator: lineEnd))
      let source = try file.table(("text", "{code}/{se rial}"))
      #expect(source.columns == ["code", "se rial"])
      #expect(source.texts == ["A1/x\(delimiter)\"y\"", "A\(lineEnd)2/\u{E4}", "A3/z"])
      #expect(source.jobs.map(\.line) == [2, 4, 6])
      #expect(source.jobs.map(\.number) == [1, 2, 3])
      #expect(source.count == 3)
    }
  }

  @Test("has a URL record of its column url where no record is asked for")
  func urlColumn() throws {
    let source = try JobFile("Name,URL\nx,https://example.com/a b?q=1\n").table()
    #expect(
      source.jobs.map(\.message.records) == [
        [.init(option: "uri", text: "https://example.com/a b?q=1")]
      ])
    #expect(source.jobs[0].name == "https://example.com/a b?q=1")
    #expect(source.jobs[0].columns.map(\.name) == ["Name", "URL"])
  }

  @Test("names what is wrong with a row and goes on behind it")
  func problems() throws {
    let list = """
      code,lock,tag,password
      A1,yes,ntag213,01020304
      A2
      A3,,,,
      A4,perhaps,,
      A5,,ntag999,
      A6,,,0102
      ,,,01020304
      A8 "x",,,
      "A9,,,
      A10,,,,x
      A11,no,,
      """
    let source = try JobFile(list).table(("text", "{code}"))
    #expect(source.texts == ["A1", "A3", "A11"])
    #expect(source.jobs.map(\.locks) == [true, false, false])
    #expect(source.jobs.map(\.hasPassword) == [true, false, false])
    #expect(source.jobs.map(\.tagType) == ["ntag213", nil, nil])
    #expect(source.jobs.map(\.number) == [1, 3, 11])
    #expect(
      source.problems == [
        "line 3: The row has 1 field, the header 4.",
        "line 5, column lock: It is yes or no, true or false, 1 or 0, not “perhaps”.",
        "line 6, column tag: “ntag999” is not a tag type; types are ntag213, ntag215, ntag216, ultralight, classic1k and others.",
        "line 7, column password: A password has 8 hexadecimal digits, the key of an Ultralight C or AES 32.",
        "line 8, column code: It is empty.",
        "line 9: A quotation mark is inside a field that does not begin with one. Write such a field \"like \"\"this\"\"\".",
        "line 10: A quote is opened and never closed.",
        "line 11: The row has 5 fields, the header 4. Put a value that has separators in it in quotation marks.",
      ])
    #expect(source.count == 11)
  }

  @Test("keeps a row's password out of the job and reads it again")
  func password() throws {
    let list = "code;password\r\nA1;DEADBEEF\r\n\r\nA2;\r\n\"A\r\n3\";c0ffee01\r\n"
    let file = try JobFile(list)
    let source = try file.table(("text", "{code}"))
    let jobs = source.jobs
    #expect(jobs.map(\.columns) == ["A1", "A2", "A\r\n3"].map { [.init(name: "code", value: $0)] })
    #expect(!"\(jobs)".lowercased().contains("deadbeef"))
    #expect(
      try jobs.map { try source.password(of: $0) } == [
        [0xDE, 0xAD, 0xBE, 0xEF], nil, [0xC0, 0xFF, 0xEE, 0x01],
      ])
  }

  @Test("calls a job by a name that cannot forge a line")
  func name() throws {
    let file = try JobFile("code\n\"A\n\u{1B}[31m\u{202E}1\"\n")
    let job = try #require(try file.table(("text", "{code}")).jobs.first)
    #expect(job.name == "A\\u{a}\\u{1b}[31m\\u{202e}1")
    #expect(job.columns[0].value == "A\n\u{1B}[31m\u{202E}1")
  }

  @Test("says so when a row's password can no longer be read")
  func changed() throws {
    let source = try JobFile("code,password\nA1,01020304\n").table(("text", "{code}"))
    let other = try JobFile("code,password\nA2,01020304\n").table(("text", "{code}"))
    #expect(throws: JobSourceError.self) { try other.password(of: source.jobs[0]) }
    let shorter = try JobFile("code,password\n").table(("text", "{code}"))
    #expect(throws: JobSourceError.self) { try shorter.password(of: source.jobs[0]) }
  }

  @Test(
    "is refused as a whole when its first line cannot be used",
    arguments: [
      ("", "is empty."), ("\n\n", "is empty."), ("a,b,A\n1,2,3", "two columns named “A”."),
      ("a,,b\n1,2,3", "Column 2 of the list has no name."),
      ("a,b\n1,2", "The list has no column “url”, and no message uses its columns: a, b."),
      ("\u{FEFF}", "is empty."), (",,\n", "names no columns."),
      ("a\"b,url\n", "A quotation mark is inside a field"), ("url\u{0},x\n", "NUL"),
    ])
  func badHeader(_ list: String, reason: String) throws {
    let file = try JobFile(list)
    let error = #expect(throws: JobSourceError.self) { try file.table() }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.kind == .badInput)
  }

  @Test("is not taken for text when it is UTF-16, and a row is named that is not UTF-8")
  func encodings() throws {
    let utf16 = try JobFile([0xFF, 0xFE] + Array("u\0r\0l\0".utf8))
    #expect(throws: JobSourceError.self) { try utf16.table() }
    let latin1 = try JobFile(Array("code,city\nA1,K".utf8) + [0xF6] + Array("ln\nA2,x\n".utf8))
    let source = try latin1.table(("text", "{code}"))
    #expect(
      source.problems == [
        "line 2, column city: The text is not UTF-8; save the table as “CSV UTF-8”."
      ])
    #expect(source.texts == ["A2"])
  }

  @Test("that is missing cannot be read")
  func missing() {
    let error = #expect(throws: JobSourceError.self) { try JobSource(.table("/no/such.csv")) }
    #expect(error?.kind == .noInput)
    #expect(error?.message == "/no/such.csv cannot be read: No such file or directory.")
    #expect(throws: JobSourceError.self) { try JobSource(.table("/tmp")) }
  }

  @Test("does not follow a field of ten megabytes into its memory")
  func hugeField() throws {
    for quote in ["", "\""] {
      let huge = String(repeating: "x", count: 10_000_000)
      let source = try JobFile("code\nA1\n\(quote)\(huge)\(quote)\nA3\n").table(("text", "{code}"))
      #expect(source.texts == ["A1", "A3"])
      #expect(
        source.problems == [
          "line 3: The row has more than 65536 bytes; is a quote opened and not closed?"
        ])
    }
  }

  @Test("loses one row to a quote that is not closed, and to a NUL")
  func oneRowLost() throws {
    let rows = (1...5000).map { $0 == 7 ? "\"A7" : $0 == 9 ? "A\u{0}9" : "A\($0)" }
    let file = try JobFile((["code"] + rows).joined(separator: "\r\n"))
    let source = try file.table(("text", "{code}"))
    #expect(source.texts.count == 4998)
    #expect(source.jobs.last?.line == 5001)
    #expect(source.jobs.last?.number == 5000)
    #expect(source.problems.count == 2)
  }
}
