import Foundation
import Testing

@testable import Workbooks

@Suite("Workbooks")
struct WorkbookTests {
  /// The same table by openpyxl, and by LibreOffice, which has computed its formulas.
  static let files = ["openpyxl.xlsx", "libreoffice.xlsx"]

  /// The bytes of a file of this suite.
  private static func bytes(_ name: String) throws -> Data {
    let folder = try #require(Bundle.module.url(forResource: "Files", withExtension: nil))
    return try Data(contentsOf: folder.appending(path: name))
  }

  /// The rows of a sheet of the workbook in `bytes`, and what is said of it.
  private func read(_ bytes: Data, sheet: String? = nil) throws -> ([SheetRow], SheetFacts) {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try bytes.write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let file = try FileHandle(forReadingFrom: path)
    var rows: [SheetRow] = []
    let facts = try Workbook(file.fileDescriptor).read(sheet: sheet) { rows.append($0) }
    return (rows, facts)
  }

  @Test("the cells of a sheet are as a person sees them, or say what is wrong", arguments: files)
  func cells(_ name: String) throws {
    let (rows, facts) = try read(Self.bytes(name))
    let isComputed = name.hasPrefix("libre")
    let sum = { (value: String) in isComputed ? value : CellFault.formula.rawValue }
    // openpyxl writes `_x0041_` as it is given; LibreOffice knows no such thing, and escapes it.
    let escaped = isComputed ? "_x0041_" : "A"
    #expect(
      rows == [
        SheetRow(number: 1, cells: ["code", "serial", "price", "when", "sum", "lock", "note"]),
        SheetRow(
          number: 2,
          cells: ["A1", "10000001", "1.1", "#DATE!", sum("20000002"), "TRUE", "Größe, “XL”"]),
        SheetRow(
          number: 3, cells: ["0007", "00123", "1e+20", "#DATE!", sum("246"), "FALSE", "two\nlines"]),
        SheetRow(
          number: 5, cells: [" A3 ", "1.23456789012346e+19", "0.3", "#DATE!", "", "", escaped]),
        SheetRow(number: 6, cells: ["rich", "#FORMAT!", "#N/A"]),
      ])
    #expect((facts.name, facts.shownSheets, facts.hiddenRows) == ("Reel 7", 2, 1))
    // LibreOffice writes TRUE and #N/A as formulas.
    #expect(facts.formulas == (isComputed ? 5 : 0))
  }

  @Test("a sheet is found by its name, a hidden one too", arguments: files)
  func names(_ name: String) throws {
    let bytes = try Self.bytes(name)
    #expect(
      try read(bytes, sheet: "Notes").0 == [SheetRow(number: 1, cells: ["not the list"])])
    #expect(throws: WorkbookError.noSheet("reel", has: ["Notes", "Reel 7", "Other"])) {
      try read(bytes, sheet: "reel")
    }
  }

  @Test("another ZIP file is named")
  func others() throws {
    #expect(throws: WorkbookError.other("a workbook of OpenDocument (.ods)")) {
      try read(Self.bytes("libreoffice.ods"))
    }
    #expect(throws: WorkbookError.self) { try read(Data([0x50, 0x4B, 3, 4])) }
  }

  @Test("a damaged file is an error, or has rows: no other end", arguments: files)
  func damage(_ name: String) throws {
    let bytes = try Self.bytes(name)
    var errors = 0
    for length in stride(from: 4, to: bytes.count, by: 97) {
      #expect(throws: WorkbookError.self) { try read(bytes.prefix(length)) }
    }
    for index in stride(from: 4, to: bytes.count, by: 11) {
      var damaged = bytes
      damaged[index] ^= 0x55
      do { _ = try read(damaged) } catch is WorkbookError { errors += 1 }
    }
    #expect(errors > 0)
  }

  @Test(
    "formats of numbers",
    arguments: [
      ("General", "12", "12"), ("GENERAL", "1.5", "1.5"), ("0", "12", "12"), ("@", "7", "7"),
      ("000000", "7", "000007"), ("000", "-7", "-007"), ("000", "12345", "12345"),
      ("000", "1.5", "#FORMAT!"), ("0.00", "7", "#FORMAT!"), ("#,##0", "7", "#FORMAT!"),
      ("0%", "0.5", "#FORMAT!"), ("0.00E+00", "7", "#FORMAT!"), ("\"d\" 0", "7", "#FORMAT!"),
      ("[Red]0", "7", "#FORMAT!"), ("yyyy\\-mm\\-dd", "7", "#DATE!"), ("[h]:mm", "7", "#DATE!"),
      ("[$-409]d\\.m\\.yy", "7", "#DATE!"), ("General", "1E3", "1000"),
      ("General", "1.1000000000000001", "1.1"),
      ("General", "123456789012345678", "123456789012345678"),
      ("General", "1.2E-7", "1.2e-07"), ("General", "text", "text"), ("General", "nan", "nan"),
      ("General", "0x1F", "0x1F"),
      ("0", "1.5", "#FORMAT!"), ("0;(0)", "-5", "#FORMAT!"), (";;;", "7", "#FORMAT!"),
      ("#", "7", "#FORMAT!"),
    ])
  func formats(_ code: String, _ value: String, _ shown: String) {
    #expect(NumberFormat(code: code).shown(value) == shown)
  }

  @Test(
    "characters by their number",
    arguments: [
      ("_x000D_", "\r"), ("a_x0041_b", "aAb"), ("_x005F_x0041_", "_x0041_"), ("_x41_", "_x41_"),
      ("_xD800_", "_xD800_"), ("plain", "plain"), ("_x", "_x"),
    ])
  func escapes(_ text: String, _ meant: String) {
    #expect(TextRuns.unescaped(text) == meant)
  }
}
