import Foundation
import GRDB
import JSON
import JobLists
import LedgerSQLite
import Testing

@testable import SeriesReports

@Suite("What a report tells of a series")
struct ReportContentTests {
  let bench: JournalBench

  init() throws { bench = try JournalBench() }

  private func timing(
    _ minute: Double, seconds: Double = 1, _ steps: [Timing.Step] = []
  ) -> Timing {
    Timing(
      started: Date(timeIntervalSince1970: 1_800_000_000 + minute * 60),
      duration: .seconds(seconds), steps: steps)
  }

  private func complete(
    _ session: JournalSession, _ number: Int, _ timing: Timing
  ) throws {
    let reservation = try session.take(JournalBench.tag(number))
    _ = try session.complete(
      reservation,
      verified: .init(message: reservation.message, isLocked: number == 1, isProtected: false),
      timing: timing)
  }

  @Test("tags an hour are counted by the clock, pauses are shown, an operator's break ends a shift")
  func shifts() throws {
    let ada = try bench.session(jobs: 8)
    for (number, minute) in [0.0, 1, 2, 22, 23].enumerated() {
      try complete(ada, number + 1, timing(minute))
    }
    let bea = try ada.journal.begin(operator: "Bea", command: "c", version: "0.2.0")
    try complete(bea, 6, timing(24))
    try complete(ada, 7, timing(600, seconds: 60))
    let report = try ada.journal.report()
    #expect(report.shifts.map(\.operatorName) == ["Ada", "Bea", "Ada"])
    #expect(report.shifts.map(\.written) == [5, 1, 1])
    #expect(report.shifts[0].pauses == .seconds(20 * 60 - 1))
    #expect(report.pauses.map(\.length) == [.seconds(20 * 60 - 1), .seconds(576 * 60 - 1)])
    #expect(report.span == .seconds(601 * 60))
    #expect(try Int(#require(report.hourlyRate) * 1000) == 7 * 60_000 / 601)
    let worked = 601 * 60 - 20 * 60 - 576 * 60 + 2
    #expect(try Int(#require(report.workingRate)) == 7 * 3600 / worked)
    #expect(report.sessions.map(\.written) == [6, 1])
    let lines = report.lines
    #expect(lines.contains { $0.contains("by the clock") && $0.contains("2 pauses of 9:56 h") })
    #expect(
      lines.contains { $0.hasPrefix("  Bea, 2027-01-15 08:24 to 2027-01-15 08:24: 1 written") })
  }

  @Test("overlapping work of several stations is no pause, and is not counted twice")
  func overlapping() throws {
    let session = try bench.session(jobs: 3)
    try complete(session, 1, timing(0, seconds: 600))
    try complete(session, 2, timing(1))
    try complete(session, 3, timing(10.5))
    let report = try session.journal.report()
    #expect(report.pauses.isEmpty)
    #expect(report.span == .seconds(631))
    #expect(report.shifts.count == 1)
  }

  @Test("a step that few tags need is averaged over all tags")
  func steps() throws {
    let session = try bench.session(jobs: 4)
    let write = Timing.Step("write", .milliseconds(40))
    try complete(session, 1, timing(0, [write, .init("retry", .milliseconds(400))]))
    for number in 2...4 { try complete(session, number, timing(1, [write])) }
    let steps = try session.journal.report().steps
    #expect(steps.map(\.name) == ["retry", "write"])
    #expect(steps[0].mean == .milliseconds(100) && steps[0].count == 1)
    #expect(steps[0].longest == .milliseconds(400))
    #expect(steps[1].mean == .milliseconds(40) && steps[1].count == 4)
  }

  @Test("scrap and released tags are lists of their own")
  func setAside() throws {
    let session = try bench.session(jobs: 4)
    try session.giveBack(try session.take(JournalBench.tag(1)), isScrap: true)
    try session.giveBack(try session.take(JournalBench.tag(2)), isScrap: false)
    try session.hold(try session.take(JournalBench.tag(3)))
    _ = try session.release(.absent)
    let report = try session.journal.report()
    #expect(report.worn.count == 1 && report.worn.tags.map(\.uid) == [JournalBench.uid(1)])
    #expect(report.released.tags.map(\.uid) == [JournalBench.uid(3)])
    #expect(report.released.tags.map(\.job) == [1])
    #expect(report.presented == 4)
    var page = ""
    try session.journal.render(report, with: ReportPage(report)) { page += $0 }
    #expect(page.contains("Scrap tags, worn or damaged: 1</h2>"))
    #expect(page.contains("Scrap tags, released: 1</h2>"))
    #expect(report.lines.contains("Scrap tags, released: do not use them: 1"))
  }

  @Test("the settings of the series are told: template, lock, tag, program, the list's digest")
  func settings() throws {
    let journal = try bench.open()
    let source = SourceDescription(
      kind: "csv", name: "jobs.csv",
      settings: [
        .init("record 1", "uri https://example.com/{code}"), .init("tag", "ntag213"),
        .init("lock", "yes"),
      ])
    _ = try journal.adopt(source) { take throws(JournalError) in
      for number in 1...3 { try take(JournalBench.job(number)) }
    }
    let session = try journal.begin()
    try complete(session, 1, timing(0))
    let report = try journal.report()
    let settings = Dictionary(uniqueKeysWithValues: report.settings.map { ($0.name, $0.value) })
    #expect(settings["List"] == "jobs.csv (csv), 3 jobs")
    #expect(settings["Template, record 1"] == "uri https://example.com/{code}")
    #expect(settings["Tag"] == "ntag213" && settings["Lock"] == "yes")
    #expect(settings["Tags locked"] == "1 of 1")
    #expect(settings["Program"] == "nfcprog 0.1.0")
    let rows = (1...3).flatMap { JournalBench.job($0).digest }
    #expect(
      report.listDigest
        == digest(of: rows).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined())
    var page = ""
    try journal.render(report, with: ReportPage(report)) { page += $0 }
    for part in [
      "https://example.com/{code}", "Sign-off", "Quality manager", report.listDigest ?? "-",
    ] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test("the list's columns stand in the table and on the page, under names of their own")
  func columns() throws {
    let journal = try bench.open()
    let row = JournalBench.job(1)
    let job = PlannedJob(
      number: 1, line: 2, offset: 0, name: "A", message: row.message, tagType: nil, locks: false,
      hasPassword: false,
      columns: [
        .init(name: "serial", value: "S\"1\n"), .init(name: "uid", value: "of the list"),
      ])
    _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in try take(job) }
    let report = try journal.report()
    var rows: [[String]] = []
    var (scanner, table) = (CSVScanner(), "")
    try journal.render(report, with: ReportCSV(report)) { table += $0 }
    scanner.scan(Array(table.utf8)) { rows.append($0) }
    #expect(Array(rows[0].suffix(2)) == ["serial", "row.uid"])
    #expect(Array(rows[1].suffix(2)) == ["S\"1\n", "of the list"])
    var page = ""
    try journal.render(report, with: ReportPage(report)) { page += $0 }
    #expect(page.contains("<td class=\"w\">of the list</td>") && page.contains(">serial</th>"))
  }

  @Test(
    "pairs without escapes are read as JSON reads them", arguments: ["[]", "[[\"a\",\"b, [c]\"]]"])
  func pairs(text: String) throws {
    let texts = [text, JSONText.pairs([("ä", "x\"y\\z\n"), ("", "\u{1F600}")])]
    for text in texts {
      let (fast, whole) = (try StoredJob.quickPairs(text), try StoredJob.pairs(text))
      #expect(fast.map(\.0) == whole.map(\.0) && fast.map(\.1) == whole.map(\.1))
    }
  }

  @Test("times are those of the calendar")
  func times() {
    var generator = SystemRandomNumberGenerator()
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let known = [0.0, -1, 951_782_399.999, 951_782_400, 4_107_542_399, -2_203_891_200]
    let random = (0..<500).map { _ in
      Double(Int64.random(in: -62_000_000_000_000...253_000_000_000_000, using: &generator)) / 1000
    }
    for seconds in known + random where seconds > -12_000_000_000 {
      let date = Date(timeIntervalSince1970: seconds)
      // Whole milliseconds: what lies between is rounded here and cut off there.
      let whole = Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000 + 0.0001)
      #expect(date.reportText == whole.formatted(style))
    }
  }
}
