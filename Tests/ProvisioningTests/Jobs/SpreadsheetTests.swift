import Testing

@testable import JobLists

@Suite("Lists that a spreadsheet has saved")
struct SpreadsheetTests {
  private static let link = ("uri", "https://example.com/t/{code}")

  @Test(
    "a list of one column is divided by what divides any other, and a value in quotes is not",
    arguments: [
      ("code\n0007,1,2\n", "line 2: The row has 3 fields, the header 1."),
      ("code\n7\n0007;1;2\n", "line 3, column code: It has a semicolon"),
      ("code\n0007\t1\n", "line 2, column code: It has a tab"),
      ("code\r\n  a;b\r\n", "line 2, column code: It has a semicolon"),
      ("\u{FEFF}code\n1,2\n", "line 2: The row has 2 fields, the header 1."),
    ])
  func oneColumn(_ text: String, problem: String) throws {
    let problems = try JobFile(text).table(Self.link).problems
    #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    #expect(problems[0].hasSuffix(RowError.quoting), "\(problems)")
  }

  @Test("a value in quotes keeps its separators, in a list of one column, too")
  func quoted() throws {
    let source = try JobFile("code\n\"0007,1,2\"\n  \"a;b\"\n\"c\td\"\n8,,\n").table(
      ("text", "{code}"))
    #expect(source.problems.isEmpty, "\(source.problems)")
    #expect(source.texts == ["0007,1,2", "a;b", "c\td", "8"])
  }

  @Test(
    "the line that names the separator is taken, whatever it names and however it ends",
    arguments: [
      "sep=;\nurl;x\nU;a\n", "SEP=;\r\nurl;x\r\nU;a\r\n", "\"sep=;\"\nurl;x\nU;a\n",
      "\u{FEFF}sep=,\nurl,x\nU,a\n", "sep=\t\rurl\tx\rU\ta\r", "\nsep=|\nurl|x\nU|a\n",
      "sep=;\n\n\nurl;x\nU;a",
    ])
  func separator(_ text: String) throws {
    let text = text.replacing("U", with: "https://example.com/t/1")
    let source = try JobFile(text).table()
    #expect(source.columns == ["url", "x"])
    #expect(source.texts == ["https://example.com/t/1"], "\(source.problems)")
    // What the line names divides, and nothing else.
    #expect(source.jobs.first?.columns.last?.value == "a")
    let line = text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).firstIndex { $0.hasPrefix("https") }
    #expect(source.jobs.first?.line == (line ?? 0) + 1)
  }

  @Test(
    "a column that is called like it is none",
    arguments: ["sep=\nx", "sep=ab\n1", "sepx=;\n1", "set=;\n1", "sep=a\n1"])
  func noSeparator(_ text: String) throws {
    #expect(SeparatorLine(Array(text.utf8)[...]) == nil)
  }

  @Test("rows of separators alone are left out, counted and said")
  func blankRows() throws {
    let source = try JobFile("code;x\n1;a\n;\n;;\n2;b\n;;;\n").table(Self.link)
    #expect(source.jobs.map(\.number) == [1, 2])
    #expect(source.jobs.map(\.line) == [2, 5])
    #expect(source.problems.isEmpty)
    #expect(source.remarks.map(\.code) == ["empty-rows"])
    #expect(source.remarks[0].text.hasPrefix("3 lines, the first of them line 3,"))
    #expect(try JobCheck().report(on: source).remarks == source.remarks)
    let one = try JobFile("code,x\n1,a\n,").table(Self.link)
    #expect(one.jobs.count == 1)
    #expect(one.remarks.map(\.text) == ["Line 3 has separators and no value, and is left out."])
    // An empty value of its own is a mistake.
    #expect(
      try JobFile("code,x\n,a\n").table(Self.link).problems == ["line 2, column code: It is empty."]
    )
  }

  @Test(
    "what a spreadsheet leaves of a value goes onto no tag",
    arguments: [
      "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
      "#FIELD!", "#GETTING_DATA!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#N/D", "#\u{A1}REF!",
      "#\u{BF}NOMBRE?", "#VALEUR!", "####", "########", "1.23457E+11", "1,23457E+11", "4E+12",
      "-1.5E+10", "9.9e-05", "1.2E+100",
    ])
  func damaged(_ value: String) throws {
    let source = try JobFile("code,x\n1,a\n\"\(value)\",b\n").table(Self.link)
    #expect(source.jobs.map(\.line) == [2])
    #expect(source.problems.count == 1)
    #expect(source.problems[0].hasPrefix("line 3, column code: \u{201C}\(value)\u{201D} "))
    // In a column that no tag gets it does no harm.
    #expect(try JobFile("code,x\n1,\"\(value)\"\n").table(Self.link).problems.isEmpty)
  }

  @Test(
    "other values with the same signs are taken",
    arguments: [
      "#1", "#", "#abc!", "#top", "#A7", "1E5", "12E+10", "E+10", "1.E+10", "1.5E+1", "1.5E10",
      "7E-1",
      "1.5E+1000", "3.14", "0012345678901", "A1.5E+10", "1.23457E+11x", "#N/Ab",
    ])
  func sound(_ value: String) throws {
    let source = try JobFile("code,x\n\"\(value)\",b\n").table(Self.link)
    #expect(source.problems.isEmpty, "\(source.problems)")
  }

  @Test("a column that looks as if it did something, and does nothing, is named")
  func unusedColumns() throws {
    func codes(_ header: String, _ records: (String, String)...) throws -> [String] {
      let row = Array(repeating: "x", count: header.split(separator: ",").count)
      let file = try JobFile("\(header)\n\(row.joined(separator: ","))\n")
      return try JobSource(.table(file.path), settings(records)).remarks.map(\.code)
    }
    #expect(try codes("code,url", Self.link) == ["url-unused"])
    #expect(try codes("code,URL", ("uri", "{url:raw}")) == [])
    #expect(try codes("url") == [])
    for name in [
      "ReadOnly", "read-only", "Read only", "locked", "write_protect", "Pwd", "passwd", "TagType",
      "Chip", "uri", "Link",
    ] {
      #expect(try codes("code,\(name)", Self.link) == ["column-unused"], "\(name)")
    }
    #expect(try codes("code,link", ("uri", "{link:raw}")) == [])
    #expect(try codes("code,lock,ReadOnly", Self.link) == [])
    #expect(try codes("code,name,note", Self.link) == [])
  }

  @Test("a list without a column url gets a template that fits its columns")
  func advice() throws {
    for (header, template) in [
      ("code", "https://example.com/{code}"), ("Link,code", "{Link:raw}"),
      ("password,code", "https://example.com/{code}"), ("code,uri", "{uri:raw}"),
    ] {
      let file = try JobFile("\(header)\n")
      let error = #expect(throws: JobSourceError.self) { try file.table() }
      #expect(error?.template == template)
    }
  }

  @Test("a file that is no text in UTF-8 is named for what it is")
  func foreign() throws {
    let text = "code,x\n1,a\n"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for (bytes, word) in [
      ([0xFF, 0xFE] + little, "UTF-16"), ([0xFE, 0xFF] + big, "UTF-16"), (little, "UTF-16"),
      (big, "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"), (Array("PK\u{3}\u{4}x".utf8), "workbook"),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "workbook"),
    ] as [([UInt8], String)] {
      let file = try JobFile(bytes)
      for error in [
        #expect(throws: JobSourceError.self) { try file.table(Self.link) },
        #expect(throws: JobSourceError.self) { try file.codes(Self.link) },
      ] {
        #expect(error?.kind == .badInput)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("CSV UTF-8") == true)
      }
    }
  }

  /// A table of LibreOffice, with what cells can have.
  private static let workbook =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    + "/WorkbooksTests/Files/libreoffice.xlsx"

  @Test("a workbook is read like a table, by the numbers of its rows")
  func workbook() throws {
    let source = try JobSource(.table(Self.workbook), settings([("text", "{code}/{serial}/{sum}")]))
    #expect(source.columns == ["code", "serial", "price", "when", "sum", "lock", "note"])
    let problems = source.problems
    #expect(problems.map { $0.prefix(22) } == ["line 5, column serial:", "line 6, column serial:"])
    #expect(source.texts == ["A1/10000001/20000002", "0007/00123/246"])
    #expect(source.remarks.map(\.code) == ["first-sheet", "formulas", "hidden-rows"])
  }

  @Test("a sheet is named, and only of a workbook")
  func sheets() throws {
    let named = try JobSource(.table(Self.workbook, sheet: "Other"), settings([("text", "{code}")]))
    #expect(named.columns == ["code"] && named.count == 0 && named.remarks.isEmpty)
    #expect(throws: JobSourceError.self) {
      try JobSource(.table(Self.workbook, sheet: "other"), settings([("text", "{code}")]))
    }
    let file = try JobFile("code\nA\n")
    #expect(throws: JobSourceError(.usage, "\(file.path) is no workbook, so it has no sheets.")) {
      try JobSource(.table(file.path, sheet: "Other"), settings([("text", "{code}")]))
    }
  }
}
