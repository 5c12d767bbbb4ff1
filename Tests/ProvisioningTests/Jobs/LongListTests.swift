import Foundation
import Testing

@testable import JobLists

@Suite("A long list")
struct LongListTests {
  /// All of a million rows when asked for, a sample otherwise.
  private static let rowCount =
    ProcessInfo.processInfo.environment["NFCPROG_EXHAUSTIVE"] == nil ? 10_000 : 1_000_000

  @Test("is checked row by row, and what it repeats is found at any distance")
  func check() throws {
    let count = Self.rowCount
    let file = try JobFile("")
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    try handle.write(contentsOf: Data("code;serial;tag\r\n".utf8))
    for start in stride(from: 1, through: count, by: 1000) {
      let rows = (start..<start + 1000).map {
        "C\($0 == count ? 2 : $0);\(10_000_000 + $0);ntag213"
      }
      try handle.write(contentsOf: Data((rows.joined(separator: "\r\n") + "\r\n").utf8))
    }
    try handle.close()
    let source = try file.table(("uri", "https://example.com/t/{code}?s={serial}"))
    let report = try JobCheck().report(on: source)
    #expect(report.rowCount == count)
    #expect(
      report.lines == ["line \(count + 1), column code: “C2” is the code of line 3 too."])
  }

  @Test(
    "is compared in memory first and in a file then, with the same result",
    arguments: [0, 10, 5000])
  func spilling(limit: Int) throws {
    let duplicates = try Duplicates(limit: limit)
    for number in 1...3000 {
      let bytes = Array("\(number % 2000)".utf8)
      let line = try duplicates.line(ofFirst: bytes, kind: 0, on: number)
      #expect(line == (number > 2000 ? number - 2000 : nil))
      #expect(try duplicates.line(ofFirst: bytes, kind: 1, on: number) == line)
    }
  }
}
