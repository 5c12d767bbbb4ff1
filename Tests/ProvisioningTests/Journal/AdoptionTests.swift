import Foundation
import JobLists
import Testing

@testable import LedgerSQLite

@Suite("A journal's source")
struct AdoptionTests {
  let bench: JournalBench

  init() throws { bench = try JournalBench() }

  private func adopt(
    _ codes: [String], settings: [SourceDescription.Setting] = [], extending: Bool = false,
    correcting: Bool = false, shift: Int = 0
  ) throws -> Adoption {
    let journal = try bench.open()
    let source = SourceDescription(kind: "codes", name: "codes.txt", settings: settings)
    return try journal.adopt(
      source, extending: extending, correcting: correcting
    ) { take throws(JournalError) in
      for (index, code) in codes.enumerated() {
        let job = JournalBench.job(index + 1, code: code)
        try take(
          PlannedJob(
            number: job.number, line: job.line + shift, offset: job.offset + UInt64(shift),
            name: job.name, message: job.message, tagType: nil, locks: false, hasPassword: false,
            columns: job.columns))
      }
    }
  }

  private func refusal(_ codes: [String], extending: Bool = false) -> String {
    do {
      _ = try adopt(codes, extending: extending)
      return "adopted"
    } catch {
      return "\(error)"
    }
  }

  @Test("is adopted once and then continued")
  func continuing() throws {
    #expect(try adopt(["a", "b"]) == .imported(2))
    #expect(try adopt(["a", "b"]) == .continued(2, added: 0))
  }

  @Test("that changed is refused, with the rows that differ")
  func changed() throws {
    _ = try adopt(["a", "b", "c"])
    #expect(
      refusal(["a", "x", "c"]) == """
        The jobs differ from those that the journal started with.
          line 3: was “b”, is “x”
        The rows that differ are on no tag yet: the program can take them up as they are now.
        """)
    #expect(refusal(["a", "b"]).contains("1 row removed at the end"))
    #expect(refusal((0..<9).map { "\($0)" }, extending: true).contains("6 rows added at the end"))
    #expect(try adopt(["a", "b", "c"]) == .continued(3, added: 0))
  }

  @Test("takes rows up as they are now that are on no tag, and no others")
  func correcting() throws {
    _ = try adopt(["a", "b", "c"])
    let session = try bench.open().begin()
    _ = try session.take(JournalBench.tag(1))
    for changed in [["x", "b", "c"], ["b", "a", "c"], ["a", "b"]] {
      #expect(throws: JournalError.self) { try adopt(changed, correcting: true) }
    }
    let mistake = #expect(throws: JournalError.self) {
      try adopt(["x", "y", "c"], correcting: true)
    }
    #expect(mistake?.description.contains("1 row that differs is on tags") == true)
    #expect(try adopt(["a", "c", "b"], correcting: true) == .continued(3, added: 0))
    #expect(
      try adopt(["a", "c", "z", "d"], extending: true, correcting: true) == .continued(4, added: 1))
    var names: [String] = []
    try bench.open().forEachJob { job in
      names.append(job.name)
      return true
    }
    #expect(names == ["a", "c", "z", "d"])
    #expect(try bench.open().verify().isEmpty)
  }

  @Test("of many differences shows the first ones and their number")
  func manyDifferences() throws {
    _ = try adopt((0..<100).map { "a\($0)" })
    let text = refusal((0..<100).map { "b\($0)" })
    #expect(text.contains("line 6: was “a4”, is “b4”"))
    #expect(!text.contains("line 7"))
    #expect(text.contains("and 95 more rows differ"))
  }

  @Test("may grow at its end when that is asked for")
  func extending() throws {
    _ = try adopt(["a", "b"])
    #expect(refusal(["a", "b", "c"]).contains("The program can take up added rows"))
    #expect(try adopt(["a", "b", "c"], extending: true) == .continued(3, added: 1))
    #expect(try bench.open().tally().pending == 3)
  }

  @Test("with other settings is refused")
  func settings() throws {
    _ = try adopt(["a"], settings: [.init("template", "https://example.com/{code}")])
    let error = #expect(throws: JournalError.self) {
      try adopt(["a"], settings: [.init("template", "https://example.org/{code}")])
    }
    #expect(
      "\(try #require(error))".contains(
        "template: was “https://example.com/{code}”, is “https://example.org/{code}”"))
  }

  @Test("may have its rows elsewhere, and they are found there")
  func moved() throws {
    _ = try adopt(["a", "b"])
    #expect(try adopt(["a", "b"], shift: 7) == .continued(2, added: 0))
    let session = try bench.open().begin()
    #expect(try session.take(JournalBench.tag(1)).job.offset == 17)
  }

  @Test("that fails on the way leaves nothing behind")
  func failing() throws {
    let journal = try bench.open()
    #expect(throws: JournalError.sourceFailed("Line 3 is not UTF-8.")) {
      try journal.adopt(JournalBench.source) { take throws(JournalError) in
        try take(JournalBench.job(1))
        throw .sourceFailed("Line 3 is not UTF-8.")
      }
    }
    #expect(try journal.tally().jobs == 0)
    #expect(try adopt(["b"]) == .imported(1))
  }

  @Test("keeps odd texts as they are")
  func oddTexts() throws {
    let odd = "“\\\"\u{1}\u{7F}\n\r\t</script>\u{202E}é😀"
    let journal = try bench.open()
    let job = JournalBench.job(1, code: odd)
    _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in try take(job) }
    #expect(try journal.begin().take(JournalBench.tag(1)).job == job)
  }
}
