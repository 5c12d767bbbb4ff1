import TagMemory
import Testing

@testable import JobLists

/// Lists whose rows say which tag they are for.
@Suite("A list with a column uid")
struct TagRowTests {
  private static func rows(_ lines: String...) -> String {
    (["code,uid"] + lines).joined(separator: "\n") + "\n"
  }

  private func report(_ text: String, tag: String? = nil) throws -> JobReport {
    let source = try JobFile(text).table(
      ("uri", "https://example.com/{code}"), tag: tag)
    return try JobCheck().report(on: source)
  }

  @Test("has a tag for each row, however its UID is written, and says what that means")
  func read() throws {
    let text = Self.rows("A,04:A1:B2:C3:D4:E5:80", "B,04a1b2c3d4e581", "C,DE AD BE EF")
    let source = try JobFile(text).table(("uri", "https://example.com/{code}?t={uid}"))
    #expect(
      source.jobs.map(\.uid?.hex) == ["04a1b2c3d4e580", "04a1b2c3d4e581", "deadbeef"])
    #expect(source.namesTags && source.texts[0] == "https://example.com/A?t={uid}")
    #expect(source.remarks.map(\.code) == ["rows-for-tags"])
    #expect(try !JobFile("code\nA\n").table(("uri", "https://example.com/{code}")).namesTags)
  }

  @Test(
    "is refused with row and column where a UID is none, stands twice or changes each time",
    arguments: [
      ("A,04a1b2c3d4e58", "odd"), ("A,wrong", "no hexadecimal"), ("A,04a1b2", "has 3"),
      ("A,", "empty"), ("A,4.12346E+12", "spreadsheet"), ("A,08112233", "random UID"),
      ("X,04a1b2c3d4e580\nA,04:A1:B2:C3:D4:E5:80", "is the tag of line 2 too"),
    ])
  func mistakes(_ row: String, reason: String) throws {
    let report = try report(Self.rows(row))
    let problem = try #require(report.problems.first)
    #expect(report.problemCount == 1 && problem.column == "uid", "\(report.lines)")
    #expect(problem.line == row.split(separator: "\n").count + 1, "\(problem)")
    #expect(problem.message.contains(reason), "\(problem)")
  }

  @Test("may have what the supplier put on each tag, which no message, column or error shows")
  func secrets() throws {
    let text = "code,uid,old-password\nA,04a1b2c3d4e580,C0FFEE01\nB,04a1b2c3d4e581,\n"
    let source = try JobFile(text).table(("uri", "https://example.com/{code}"))
    #expect(
      try source.jobs.map { try source.oldSecrets(of: $0).password }
        == [[0xC0, 0xFF, 0xEE, 0x01], nil])
    #expect(source.hasSecrets && source.openColumns == ["code", "uid"])
    #expect(source.jobs.allSatisfy { $0.columns.map(\.name) == ["code", "uid"] })
    let wrong = try report("code,uid,old-password\nA,04a1b2c3d4e580,C0FFEE0\n")
    #expect(wrong.problems.first?.column == "old-password")
    #expect(!wrong.lines.joined().contains("C0FFEE"))
    let type = try report("code,uid,old-password\nA,04a1b2c3d4e580,C0FFEE01\n", tag: "classic1k")
    #expect(type.problems.first?.message.contains("opened by no such password") == true)
    #expect(throws: JobSourceError.self) {
      try JobFile(text).table(("uri", "https://example.com/{old-password}"))
    }
    let unbound = #expect(throws: JobSourceError.self) {
      try JobFile("code,old-password\nA,C0FFEE01\n").table(("uri", "https://example.com/{code}"))
    }
    #expect(unbound?.message.contains("column uid") == true)
  }

  @Test("makes a text for stores that says which tags a job may go on, and reads it again")
  func stored() {
    let uid = UID([4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])
    for wanted in [
      WantedTag(uid: nil, type: nil), WantedTag(uid: nil, type: "ntag213"),
      WantedTag(uid: uid, type: nil), WantedTag(uid: uid, type: "ntag213"),
    ] { #expect(WantedTag(stored: wanted.stored) == wanted) }
    #expect(WantedTag(stored: "uid:x").uid == nil)
    #expect(Product.all.allSatisfy { !$0.name.hasPrefix(WantedTag.prefix) })
  }
}
