import Bench
import Foundation
import JobLists
import LedgerSQLite
import Line
import SeriesReports
import Synchronization
import TagMemory

@testable import Provisioning
@testable import TagProgramming
@testable import nfcprog

/// The documents of a series of two tags: its list, its events, its journal.
enum SeriesDocuments {
  static func all() throws -> [Document] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "journal").path()

    let list = JobListChoice(
      numbers: try CodeRange(parsing: "1..2"), url: "https://b\u{FC}cher.example/t/{code}")
    var settings = ProvisioningSettings(list, Environment(["HOME": folder.path()]))
    (settings.journal, settings.operatorName, settings.version) = (path, "tester", "test")
    let collected = Mutex<[Document]>([])
    let run = try ProvisioningRun(settings) { event in
      let document: Document? =
        switch event {
        case .listChecked(let list): Document("series-list", ListJSON(list))
        case .line(let event):
          LineJSON(event, reader: "simulated", advice: { _ in nil }).map {
            Document("series-\($0.event)-\($0.job?.number ?? 0)", $0)
          }
        default: nil
        }
      if let document { collected.withLock { $0.append(document) } }
    }
    let outcome = try run.work(run.check(), on: LineReaders(named: ["sim:ntag213*2"]))
    let summary = LineJSON(outcome.summary, ending: "complete", failure: nil)
    return collected.withLock { $0 } + [Document("series-summary", summary)] + printing()
      + (try kept(Journal(at: path, access: .readOnly), path)) + (try inspected(in: folder))
      + (try read())
  }

  /// What is said of tags that are only read: a good one, and one that comes again.
  private static func read() throws -> [Document] {
    let collected = Mutex<[Document]>([])
    var settings = CollectingRun.Settings()
    settings.line.timeout = .seconds(1)
    let run = CollectingRun(
      settings,
      tell: { event in
        guard case .line(let event) = event,
          let document = CollectedJSON(event, "collect", reader: "simulated")
        else { return }
        collected.withLock { $0.append(Document("collected-\($0.count + 1)", document)) }
      }, shouldStop: { collected.withLock { $0.count == 3 } })
    let tag = "ntag213,uid=04E10CDA993C80"
    let reel = "sim:\(tag),then=ntag215,uid=04112233445566,then=\(tag)"
    let outcome = try run.work(on: LineReaders(named: [reel]))
    let conclusion = LineConclusion(outcome.summary, reading: outcome.found, count: nil)
    return collected.withLock(\.self) + [
      Document(
        "collected-summary",
        CollectedSummaryJSON("collect", outcome.summary, outcome.found, conclusion))
    ]
  }

  /// What is said of a label printer, and of its labels at the end.
  private static func printing() -> [Document] {
    var prints = OpenPrints()
    (prints.printed, prints.unsure, prints.due) = (40, [17], [41, 42])
    let events: [(String, LineEvent.Kind)] = [
      ("series-printer", .printerWanted(.paperOut)), ("series-printerReady", .printerReady),
    ]
    return events.compactMap { name, kind in
      LineJSON(LineEvent(station: 0, kind: kind), reader: "simulated", advice: { _ in nil })
        .map { Document(name, $0) }
    } + [
      Document(
        "series-summary-labels",
        LineJSON(LineSummary(), ending: "complete", prints: prints, failure: nil))
    ]
  }

  /// What is said of a tag that is taken away and put on again, and of its job.
  private static func inspected(in folder: URL) throws -> [Document] {
    let path = folder.appending(path: "inspected").path()
    let list = JobListChoice(
      numbers: try CodeRange(parsing: "1..1"), url: "https://example.com/t/{code}")
    var settings = ProvisioningSettings(list, Environment(["HOME": folder.path()]))
    (settings.journal, settings.operatorName, settings.version) = (path, "tester", "test")
    settings.line.inspectEvery = 1
    let collected = Mutex<[Document]>([])
    let run = try ProvisioningRun(settings) { event in
      guard case .line(let event) = event, case .inspection(let found) = event.kind,
        let line = LineJSON(event, reader: "simulated", advice: { _ in nil })
      else { return }
      collected.withLock {
        $0.append(Document("series-inspection-\(found.verdict.rawValue)", line))
      }
    }
    let tag = folder.appending(path: "tag").path()
    // Another tag in between shows that the first was taken away.
    let reader =
      "sim:ntag213,file=\(tag),then=ntag213,uid=04112233445566,then=ntag213,file=\(tag)"
    _ = try run.work(run.check(), on: LineReaders(named: [reader]))
    let journal = try Journal(at: path, access: .readOnly)
    var text = ""
    try journal.render(try journal.report(), with: ReportJSON()) { text += $0 }
    let lines = text.split(separator: "\n").map(String.init)
    return collected.withLock { $0 } + [Document("report-job-inspected", lines[1])]
  }

  /// What the journal says.
  private static func kept(_ journal: Journal, _ path: String) throws -> [Document] {
    let report = try journal.report()
    var text = ""
    try journal.render(report, with: ReportJSON()) { text += $0 }
    let lines = text.split(separator: "\n").map(String.init)
    let unknown = TagAudit.unknown
    let failure = FailureJSON(code: 65, message: "The journal does not list this tag.")
    return [
      Document("journal", JournalJSON(path, try journal.verify(), try journal.tally())),
      Document("pool-batch", PoolBatchJSON("A17", "jobs.csv", 2)),
      Document("pool-bench", PoolBenchJSON("line-1a2b3c4d", isAtWork: true, 4, 1, 812)),
      Document(
        "report-summary", lines[0].replacing(/"sha256":"[0-9a-f]+"/, with: #""sha256":"…""#)),
      Document("report-job", lines[1]),
      Document("report-tag", lines[3]),
      Document("audit", AuditJSON(TagReport(.read), unknown, failure: failure)),
    ]
  }
}
