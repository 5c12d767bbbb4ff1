import Bytes
import Foundation
import JobLists
import LedgerSQLite
import Testing

@testable import SeriesReports

@Suite("A report")
struct ReportTests {
  let bench: JournalBench
  let session: JournalSession
  var journal: Journal { session.journal }

  /// Five jobs: two on tags, one given back by a tag that is scrap, one held, one reserved; a
  /// foreign tag left alone.
  init() throws {
    bench = try JournalBench()
    session = try bench.session(jobs: 5)
    let made = try (1...4).map { try session.take(JournalBench.tag($0, station: "\($0 % 2)")) }
    try session.finish(made[0])
    try session.finish(made[1])
    let bad = TagTrouble(.mismatch, "Page 4 does not hold what was written.")
    try session.giveBack(made[2], because: bad, isScrap: true, timing: JournalBench.timing)
    try session.hold(made[3])
    try session.passOver(
      JournalBench.tag(9), because: TagTrouble(.foreign, "It holds another message."),
      timing: JournalBench.timing)
    try #require(try session.take(JournalBench.tag(5)).job.number == 3)
  }

  private func render(_ renderer: some ReportRenderer) throws -> String {
    var text = ""
    try journal.render(try journal.report(), with: renderer) { text += $0 }
    return text
  }

  @Test("adds the series up")
  func figures() throws {
    let report = try journal.report()
    #expect(report.tally.written == 2 && report.tally.reserved == 2 && report.tally.pending == 1)
    #expect(report.attempts == 4 && report.successes == 2 && report.leftAlone == 1)
    #expect(report.yield == 0.5)
    #expect(report.failures.map(\.name) == ["lost", "mismatch"])
    #expect(report.reasons.map(\.name) == ["foreign"])
    #expect(report.steps.map(\.name) == ["write", "verify"])
    #expect(report.steps.first?.mean == .milliseconds(40))
    #expect(report.meanDuration == .milliseconds(60))
    #expect(report.periods.map(\.written) == [2] && report.periods.map(\.failed) == [2])
    #expect(report.inconsistencies == [])
    #expect(!report.isComplete)
  }

  @Test("says it in lines")
  func lines() throws {
    let lines = try journal.report().lines
    #expect(lines[0] == "\(bench.path): 2 of 5 jobs on tags.")
    #expect(lines[1] == "  1 pending, 2 reserved, 2 written, 0 failed; 1 scrap tag")
    #expect(lines.contains("  yield 50.0 %: 2 of 4 attempts"))
    #expect(lines.contains("  1 mismatch: Page 4 does not hold what was written."))
    #expect(
      lines.contains {
        $0.hasPrefix("  job 4, CODE-4, for tag 04:00:00:00:00:00:04: it was removed")
      }
    )
  }

  @Test("has a row for every job and every tag, as CSV")
  func csv() throws {
    let header = ReportCSV(try journal.report()).header
    #expect(header.last == "code", "the list's own column")
    var rows: [[String]] = []
    var scanner = CSVScanner()
    scanner.scan(Array(try render(ReportCSV(journal.report())).utf8)) { rows.append($0) }
    #expect(rows.first == header)
    #expect(rows.allSatisfy { $0.count == header.count })
    let outcomes = rows.dropFirst().map { "\($0[0]) \($0[1]) \($0[4]) \($0[5].suffix(1))" }
    #expect(
      outcomes == [
        "job 1 written 1", "job 2 written 2", "job 3 reserved 5", "job 4 reserved 4",
        "job 5 pending ",
        "tag 1 written 1", "tag 2 written 2", "tag 3 scrap 3", "tag 4 held 4", "tag  left 9",
      ])
  }

  @Test("has an object for every job and every tag, as JSON Lines")
  func json() throws {
    let objects = try render(ReportJSON()).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      objects.map { $0["type"] as? String } == ["summary"] + Array(repeating: "job", count: 5)
        + Array(repeating: "tag", count: 5))
    #expect(objects[0]["written"] as? Int == 2)
    #expect(
      objects[1]["sha256"] as? String
        == Hex.string(digest(of: makeText(JournalBench.job(1)))))
    #expect((objects[6]["stepsMs"] as? [String: Double])?["verify"] == 5)
  }

  @Test("of an empty journal, or one on which nobody has worked, has its pages too")
  func empty() throws {
    for jobs in [0, 2] {
      let bench = try JournalBench()
      let journal = try jobs == 0 ? bench.open() : bench.session(jobs: jobs).journal
      let report = try journal.report()
      #expect(!report.lines.isEmpty)
      for renderer in [ReportCSV(report), ReportJSON(), ReportPage(report)] as [any ReportRenderer]
      {
        var text = ""
        try journal.render(report, with: renderer) { text += $0 }
        #expect(!text.contains("nan") && !text.contains("inf\""))
      }
    }
  }

  @Test("is text whatever it tells of: a page holds no markup of others")
  func hostile() throws {
    let bench = try JournalBench()
    let journal = try bench.open()
    let nasty = "\"><script>alert(1)</script><img src=x onerror='a'>&amp;\u{202E}\u{1B}[31m\n]]>"
    _ = try journal.adopt(.init(kind: nasty, name: nasty, settings: [.init(nasty, nasty)])) {
      take throws(JournalError) in try take(JournalBench.job(1, code: nasty))
    }
    let session = try journal.begin(operator: nasty, command: nasty, version: nasty)
    let tag = PresentedTag(uid: JournalBench.uid(1), tagType: nasty, station: nasty, reader: nasty)
    let timing = Timing(started: .now, duration: .seconds(1), steps: [.init(nasty, .seconds(1))])
    let trouble = TagTrouble(stored: nasty, nasty)
    guard case .reserved(let first) = try session.reserve(for: tag, make: makeText) else {
      throw Unexpected(0)
    }
    try session.giveBack(first, because: trouble, isScrap: true, timing: timing)
    try session.passOver(tag, because: trouble, timing: timing)
    guard case .reserved(let again) = try session.reserve(for: tag, make: makeText) else {
      throw Unexpected(0)
    }
    _ = try session.complete(
      again, verified: .init(message: again.message, isLocked: true, isProtected: true),
      timing: timing)
    var page = ""
    let report = try journal.report()
    try journal.render(report, with: ReportPage(report)) { page += $0 }
    for forbidden in ["<script", "<img", "onerror='", "\u{202E}", "\u{1B}"] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    #expect(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
    // Well-formed but for the line breaks of HTML: each element that is opened is closed.
    for element in ["table", "tr", "td", "svg", "g", "text", "div", "figure", "p", "span", "b"] {
      let opened = page.components(separatedBy: "<\(element)").dropFirst().count {
        " >".contains($0.first ?? "x")
      }
      #expect(opened == page.components(separatedBy: "</\(element)>").count - 1, "\(element)")
    }
    #expect(!report.lines.joined().contains("\u{1B}"))
  }

  @Test("goes into its file whole")
  func file() throws {
    let path = bench.folder.appending(path: "report.csv").path
    let report = try journal.report()
    try Data("old".utf8).write(to: URL(filePath: path))
    try journal.render(report, with: ReportCSV(report), to: path)
    #expect(
      try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        == render(ReportCSV(report)))
    let nowhere = path + "/report.csv"
    #expect(throws: ReportError.self) {
      try journal.render(report, with: ReportCSV(report), to: nowhere)
    }
    #expect(throws: ReportError.cannotWrite("/dev/full", reason: "no space is left")) {
      try journal.render(report, with: ReportCSV(report), to: "/dev/full")
    }
  }
}
