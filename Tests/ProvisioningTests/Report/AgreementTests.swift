import Foundation
import GRDB
import NDEF
import SeededNumbers
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import HubKit
@testable import Ledger
@testable import LedgerSQLite
@testable import PN532Simulator
@testable import Provisioning
@testable import SeriesReports

/// What is said of one series in several places is the same.
@Suite("Summary, report, hub, audit and tags")
struct AgreementTests {
  /// What runs on one journal have told, one after the other.
  private struct Told {
    var figures = Figures()
    var passed = 0
    var failedOrHeld = 0
    var left = 0
    var inspections = (good: 0, bad: 0)
    var types: [String: Figures.Counts] = [:]
    /// What was said of tags that failed or were left alone, by cause.
    var causes: [String: Int] = [:]

    mutating func add(_ run: (summary: LineSummary, outcomes: [TagOutcome])) {
      let summary = run.summary
      passed += summary.passed
      failedOrHeld += run.outcomes.count { $0.count == .failure }
      left += run.outcomes.count { $0.count == .leftAlone }
      inspections.good += summary.inspected - summary.inspectedBad
      inspections.bad += summary.inspectedBad
      for outcome in run.outcomes where [.failure, .leftAlone].contains(outcome.count) {
        causes[outcome.trouble?.cause ?? "", default: 0] += 1
      }
      for (type, counts) in summary.types {
        types[type, default: .init()].written += counts.written
        types[type, default: .init()].failed += counts.failed
        types[type, default: .init()].left += counts.left
      }
      let told = summary.failed + summary.held + summary.left
      #expect(
        summary.causes.filter { $0.key != LineSummary.several }.values.reduce(0, +) == told,
        "\(summary.causes)")
      #expect(summary.types.values.map(\.written).reduce(0, +) == summary.passed)
    }
  }

  /// A reel as it may come: good tags, worn ones, some of other types, some with a message of
  /// somebody else, some of earlier runs.
  private func reel(
    _ numbers: inout SeededGenerator, _ known: [any StoredTag], from first: Int
  ) throws -> [any StoredTag] {
    var tags: [any StoredTag] = []
    for number in 0..<7 {
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0:
        tags.append(try SimulatedTagSpec(parsing: "ntag213*99,bad=100%").tag(at: first + number))
      case 1: tags.append(try LineBench.tag(first + number, "ntag215"))
      case 2:
        let tag = try LineBench.tag(first + number)
        let foreign = Message(try URIRecord("https://other.example/\(number)").record)
        let report = Programmer(reader: TestReader("other", [tag]).reader).run(
          .write(foreign, WriteOptions()))
        #expect(report.failure == nil)
        tag.powerOff()
        tags.append(tag)
      case 3...4 where !known.isEmpty:
        let tag = known[Int.random(in: 0..<known.count, using: &numbers)]
        if !tags.contains(where: { $0 === tag }) { tags.append(tag) }
      default: tags.append(try LineBench.tag(first + number))
      }
    }
    return tags
  }

  @Test(
    "agree on runs with failures, swaps, scrap, rewrites, inspections, releases and interruptions",
    arguments: 0..<12)
  func agreement(seed: Int) throws {
    let (bench, told, tags) = try series(seed)
    try check(bench, told, tags)
  }

  @Test("are compared on all that can happen to a job that is no mistake")
  func reach() throws {
    var (kinds, causes, written): (Set<EventKind>, Set<String>, [Int: Int]) = ([], [], [:])
    for seed in 0..<4 {
      let (bench, told, _) = try series(seed)
      let store = try JournalHubStore(bench.journal.path)
      let events = try store.events(of: store.id, after: 0, limit: 10_000).map(\.event)
      kinds.formUnion(events.compactMap(\.what.kind))
      causes.formUnion(events.compactMap(\.cause))
      for case .written(let job, _, _, _) in events.map(\.what) {
        written[seed * 100 + job, default: 0] += 1
      }
      if told.inspections.good > 0 { causes.insert("good inspection") }
    }
    #expect(kinds == Set(EventKind.allCases).subtracting([.refused, .retried]))
    let wanted: Set = ["interrupted", "inspection", "released", "good inspection"]
    #expect(wanted.subtracting(causes).isEmpty, "\(causes)")
    #expect(written.values.contains { $0 > 1 }, "No tag was written again.")
  }

  /// Four runs on one list, with all that may come between.
  private func series(_ seed: Int) throws -> (LineBench, Told, [any StoredTag]) {
    var numbers = SeededGenerator(seed: UInt64(seed))
    let bench = try LineBench(codes: 12)
    var told = Told()
    var tags: [any StoredTag] = []
    for run in 0..<4 {
      let reel = try reel(&numbers, tags, from: run * 10)
      for tag in reel where !tags.contains(where: { $0 === tag }) { tags.append(tag) }
      var faults = FaultPlan()
      if Bool.random(using: &numbers) {
        let place = Int.random(in: 1..<60, using: &numbers)
        faults.exchanges = [(.at(place), .removed(afterObeying: Bool.random(using: &numbers)))]
      }
      let end = Bool.random(using: &numbers) ? Int.random(in: 1..<12, using: &numbers) : nil
      let rewrites = Int.random(in: 0..<4, using: &numbers) == 0
      let steps = Counter()
      told.add(
        try bench.run([TestReader("1", reel, faults: faults)]) {
          ($0.rewrite, $0.timeout) = (rewrites, .milliseconds(700))
        } until: { event in
          guard let end, case .progress(.step) = event.kind else { return false }
          return steps.next() == end
        })
      for tag in reel { tag.powerOff() }
      if Int.random(in: 0..<3, using: &numbers) == 0 {
        // Somebody gives up the tags that are waited for.
        let session = try bench.journal.open().begin()
        _ = try session.release(.absent)
        try session.end()
      }
      let inspection = Int.random(in: 0..<4, using: &numbers)
      if inspection < 2 { try inspect(bench, isGood: inspection == 0, &told) }
    }
    return (bench, told, tags)
  }

  /// Somebody has a finished tag inspected, which cannot be read where it is not good.
  private func inspect(_ bench: LineBench, isGood: Bool, _ told: inout Told) throws {
    let session = try bench.journal.open().begin()
    defer { try? session.end() }
    guard let written = try session.journal.writtenTags().last else { return }
    let tag = PresentedTag(
      uid: written.uid, tagType: written.tagType, station: "1", reader: "1")
    let fault = InspectionFault(TagTrouble(.inspection, "It cannot be read."), message: nil)
    _ = try session.inspected(
      written, on: tag, isGood ? nil : fault, timing: JournalBench.timing)
    if isGood { told.inspections.good += 1 } else { told.inspections.bad += 1 }
  }

  @Test("agree on a tag that fails its inspection")
  func inspected() throws {
    let bench = try LineBench(codes: 2)
    let tags = try (0..<2).map { try LineBench.tag($0) }
    var told = Told()
    told.add(try bench.run([TestReader("1", tags)]))
    for tag in tags { tag.powerOff() }
    let journal = try bench.journal.open()
    let session = try journal.begin()
    let written = try #require(try journal.writtenTag(ofJob: 1))
    let presented = PresentedTag(
      uid: written.uid, tagType: written.tagType, station: "1", reader: "1")
    _ = try session.inspected(
      written, on: presented,
      InspectionFault(TagTrouble(.inspection, "It holds other data."), message: [1]),
      timing: JournalBench.timing)
    try session.end()
    told.inspections.bad = 1
    try check(bench, told, tags, spoiled: written.uid)
  }

  /// Compares everything that is said of the journal. `spoiled`: a tag that a test says holds
  /// something else.
  private func check(
    _ bench: LineBench, _ told: Told, _ tags: [any StoredTag], spoiled: UID? = nil
  ) throws {
    let journal = try bench.journal.open()
    let report = try journal.report()
    #expect(report.inconsistencies == [])
    #expect(try journal.verify(facts: true) == [])
    #expect(report.successes == told.passed)
    let inspections = told.inspections
    #expect(report.failed == told.failedOrHeld + inspections.bad)
    #expect((report.inspections.good, report.inspections.bad) == inspections)
    #expect(report.leftAlone == told.left)
    #expect(report.goodTypes.values.reduce(0, +) == report.tally.written)
    let types = report.figures.types.mapValues(\.written).filter { $0.value > 0 }
    #expect(types == told.types.mapValues(\.written).filter { $0.value > 0 })
    var causes = told.causes
    if inspections.bad > 0 { causes["inspection", default: 0] += inspections.bad }
    let reported = (report.failures + report.reasons).map { ($0.name, $0.count) }
    #expect(Dictionary(reported, uniquingKeysWith: +) == causes)

    // The hub folds all events, and those that come after it has begun to look.
    let store = try JournalHubStore(bench.journal.path)
    let id = store.id
    let last = try store.lastEvent(of: id)
    for start in [0, last / 2, last] {
      var history = BoardHistory(after: start, figures: try store.figures(of: id, upTo: start))
      for event in try store.events(of: id, after: start, limit: 10_000) { history.take(event) }
      let board = history.board(of: try store.batch(id), runs: [], now: 0)
      #expect(board.figures == report.figures, "from event \(start)")
      #expect(board.yield == report.yield)
      #expect(board.failures.map(\.count) == report.failures.map(\.count))
      let types = report.figures.types(good: report.goodTypes).map(TypeCountJSON.init)
      #expect(BoardJSON(board).types.map { "\($0)" } == types.map { "\($0)" })
    }

    // Every row on a tag counts once.
    var outcomes: [String: Int] = [:]
    var text = ""
    try journal.render(report, with: ReportCSV(report)) { text += $0 }
    try journal.reading { reading in
      try reading.forEachRow { row in
        if row.subject == .tag { outcomes[row.outcome, default: 0] += 1 }
      }
    }
    #expect(outcomes["written", default: 0] == report.successes)
    let interrupted = try journal.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM event WHERE kind = 'held' AND cause = 'interrupted'") ?? 0
    }
    let bad = outcomes["failed", default: 0] + outcomes["scrap", default: 0]
    #expect(bad + outcomes["held", default: 0] == report.failed + interrupted)
    #expect(outcomes["left", default: 0] == report.leftAlone)
    #expect(text.split(whereSeparator: \.isNewline).count > report.tally.jobs)
    try checkJSON(report, outcomes, journal, try store.batch(id))
    try checkRows(report, journal, store, tags, spoiled: spoiled)

    // What the journal says of each tag is what the tag holds.
    for tag in tags where UID(tag.uid) != spoiled {
      let image = MemoryImage(tag.eeprom.bytes)
      let held = CollectedFile.Tag(uid: UID(tag.uid), message: image?.message ?? [])
      let audit = try journal.audit(TagReading(held))
      let link = LineBench.link(on: tag)
      switch audit {
      case .agrees(let written): #expect(written.uri == link && link != nil)
      case .differs: Issue.record("\(UID(tag.uid)) holds \(link ?? "nothing")")
      case .unfinished(let reserved, let isThere):
        let code = "https://example.com/t/\(reserved.job.name)"
        #expect(!isThere || link == code)
      case .copy: Issue.record("\(UID(tag.uid)) is no copy")
      case .scrap(let scrap) where scrap.trouble.known == .released: continue
      case .scrap, .randomUID, .unknown:
        #expect(link?.hasPrefix("https://example.com/t/") != true)
      }
    }
  }

  /// `report --json` says in its summary and line by line what the report and the hub say.
  private func checkJSON(
    _ report: Report, _ outcomes: [String: Int], _ journal: Journal, _ batch: HubBatch
  ) throws {
    var text = ""
    try journal.render(report, with: ReportJSON()) { text += $0 }
    let lines = try text.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
    let summary = try #require(lines.first)
    func number(_ name: String) -> Int? { summary[name] as? Int }
    #expect(number("attempts") == report.attempts && number("failedAttempts") == report.failed)
    #expect(number("leftAlone") == report.leftAlone && number("jobs") == batch.jobs)
    #expect(number("pending") == batch.pending && number("reserved") == batch.reserved)
    #expect(number("written") == batch.written && number("failedJobs") == batch.failed)
    #expect(number("scrap") == batch.scrap && number("released") == report.released.count)
    let found = summary["inspections"] as? [String: Int]
    let inspections = report.inspections
    #expect(found?["good"] ?? 0 == inspections.good && found?["bad"] ?? 0 == inspections.bad)
    #expect(found?["pending"] ?? 0 == inspections.due)
    let difference = (summary["yield"] as? Double ?? 0) - (report.yield ?? 0)
    #expect((summary["yield"] == nil) == (report.yield == nil) && abs(difference) < 1e-9)
    var (tags, jobs): ([String: Int], [String: Int]) = ([:], [:])
    for line in lines.dropFirst() {
      let outcome = try #require(line["outcome"] as? String)
      if line["type"] as? String == "tag" {
        tags[outcome, default: 0] += 1
      } else {
        jobs[outcome, default: 0] += 1
      }
    }
    #expect(tags == outcomes)
    #expect(jobs["written", default: 0] == batch.written && jobs.values.reduce(0, +) == batch.jobs)
    #expect(jobs["pending", default: 0] == batch.pending)
  }
}

/// Counts from 1.
private final class Counter: Sendable {
  private let value = Mutex(0)
  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
