import Bytes
import Foundation
import TagMemory
import Testing

@testable import HubKit
@testable import Ledger
@testable import LedgerSQLite
@testable import PN532Simulator
@testable import Provisioning
@testable import SeriesReports

/// What is said of single jobs and tags, row by row.
extension AgreementTests {
  /// Compares each row of `report --json` with that of `report --csv`, with what the hub says of
  /// the job or the event, and with what the tag holds. `spoiled`: a tag that a test says holds
  /// something else.
  func checkRows(
    _ report: Report, _ journal: Journal, _ store: JournalHubStore, _ tags: [any StoredTag],
    spoiled: UID?
  ) throws {
    var (json, csv) = ("", "")
    try journal.render(report, with: ReportJSON()) { json += $0 }
    try journal.render(report, with: ReportCSV(report)) { csv += $0 }
    let rows = try json.split(separator: "\n").dropFirst().map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
    try checkCSV(csv, rows)
    let jobs = rows.filter { $0["type"] as? String == "job" }
    try checkJobs(jobs, store, tags, spoiled: spoiled)
    for row in jobs {
      // As `audit` has it.
      let known = try journal.inspection(ofJob: #require(row["job"] as? Int))
      let word = known.map { $0.isGood.map { $0 ? "good" : "bad" } ?? "pending" }
      #expect(row["inspection"] as? String == word)
    }
    try checkTags(rows.filter { $0["type"] as? String == "tag" }, jobs, store)
    checkSums(report)
  }

  /// The names of the members that stand in a column of another name.
  private static let columns = [
    "row": "type", "duration_ms": "durationMs",
  ]

  private func checkCSV(_ text: String, _ rows: [[String: Any]]) throws {
    let records = Self.records(text)
    let header = try #require(records.first)
    #expect(records.count == rows.count + 1)
    for (record, row) in zip(records.dropFirst(), rows) {
      #expect(record.count == header.count)
      let own = row["columns"] as? [String: String] ?? [:]
      for (index, (name, value)) in zip(header, record).enumerated() {
        guard index < ReportCSV.own.count else {
          let name = name.hasPrefix("row.") ? String(name.dropFirst(4)) : name
          #expect(value == own[name] ?? "")
          continue
        }
        let wanted = row[Self.columns[name] ?? name]
        switch name {
        case "time": #expect(value.prefix(19) == (wanted as? String ?? "").prefix(19))
        case "locked", "protected":
          #expect(value == (wanted as? Bool).map { $0 ? "yes" : "no" } ?? "")
        case "duration_ms":
          #expect(Double(value) == (wanted as? NSNumber)?.doubleValue)
        case "keys": #expect(value.isEmpty == (wanted == nil))
        default: #expect(value == wanted.map { "\($0)" } ?? "", "\(name) of \(row)")
        }
      }
    }
  }

  private func checkJobs(
    _ jobs: [[String: Any]], _ store: JournalHubStore, _ tags: [any StoredTag], spoiled: UID?
  ) throws {
    let listed = try store.jobs(of: store.id, JobFilter(), after: 0, limit: 1000)
    #expect(listed.count == jobs.count)
    var owners: [String: String] = [:]
    for (row, job) in zip(jobs, listed) {
      let document = try Self.object(JobJSON(job, of: store.id))
      #expect(row["job"] as? Int == document["number"] as? Int)
      #expect(row["outcome"] as? String == document["state"] as? String)
      for name in ["name", "uid", "tag", "uri"] {
        #expect(row[name] as? String == document[name] as? String, "\(name) of \(row)")
      }
      #expect(row["columns"] as? [String: String] == document["columns"] as? [String: String])
      let event = document["event"] as? [String: Any] ?? [:]
      for name in ["station", "reader", "cause", "text"] {
        #expect(row[name] as? String == event[name] as? String, "\(name) of \(row)")
      }
      guard let uid = row["uid"] as? String else { continue }
      #expect(owners.updateValue(job.name, forKey: uid) == nil, "\(uid) has two jobs")
      let found = try store.jobs(of: store.id, JobFilter(tag: job.tag), after: 0, limit: 9)
      #expect(found == [job])
    }
    for tag in tags where UID(tag.uid) != spoiled {
      let uid = UID(tag.uid).hex
      let row = jobs.first { $0["uid"] as? String == uid }
      guard row?["outcome"] as? String == "written" else { continue }
      let image = MemoryImage(tag.eeprom.bytes)
      let message = image?.message ?? []
      #expect(LineBench.link(on: tag) == row?["uri"] as? String)
      #expect(message.count == row?["length"] as? Int)
      #expect(Hex.string(digest(of: message)) == row?["sha256"] as? String)
    }
  }

  private func checkTags(
    _ rows: [[String: Any]], _ jobs: [[String: Any]], _ store: JournalHubStore
  ) throws {
    let events = try store.events(of: store.id, after: 0, limit: 10_000)
    let presented = events.filter {
      [.written, .returned, .held, .passed, .released].contains(EventKind(rawValue: $0.event.kind))
    }
    #expect(presented.count == rows.count)
    for (row, event) in zip(rows, presented) {
      let document = try Self.object(EventJSON(event))
      for name in ["uid", "tag", "station", "reader", "cause", "text"] {
        #expect(row[name] as? String == document[name] as? String, "\(name) of \(row)")
      }
      #expect(row["job"] as? Int == event.event.job)
      let outcome = row["outcome"] as? String
      switch event.verdict {
      case .passed: #expect(outcome == "written")
      case .held: #expect(outcome == "held")
      case .failed: #expect(outcome == (event.isScrap ? "scrap" : "failed"))
      case .left: #expect(outcome == (event.isScrap ? "scrap" : "left"))
      case nil: #expect(outcome == event.event.kind)
      }
    }
    // A job was tried as often as a tag was reserved for it.
    for row in jobs {
      let tries = events.count { $0.event.kind == "reserved" && $0.event.job == row["job"] as? Int }
      #expect(row["attempts"] as? Int == tries)
    }
  }

  /// Sessions, readers, shifts, periods and types each add up to the whole.
  private func checkSums(_ report: Report) {
    func expect(_ what: String, _ parts: [(written: Int, failed: Int)]) {
      #expect(parts.map(\.written).reduce(0, +) == report.successes, "\(what)")
      #expect(parts.map(\.failed).reduce(0, +) == report.failed, "\(what)")
    }
    expect("runs", report.sessions.map { ($0.written, $0.failed) })
    expect("readers", report.readers.map { ($0.written, $0.failed) })
    expect("shifts", report.shifts.map { ($0.written, $0.failed) })
    expect("periods", report.periods.map { ($0.written, $0.failed) })
    expect("types", report.figures.types.values.map { ($0.written, $0.failed) })
    for left in [report.readers.map(\.left), report.shifts.map(\.left)] {
      #expect(left.reduce(0, +) == report.leftAlone)
    }
    #expect(report.failures.map(\.count).reduce(0, +) == report.failed)
    #expect(report.reasons.map(\.count).reduce(0, +) == report.leftAlone)
    #expect(report.scrap.count == report.tally.scrap)
    #expect(report.worn.count + report.released.count == report.scrap.count)
  }

  private static func object(_ document: some Encodable) throws -> [String: Any] {
    let data = try JSONEncoder().encode(document)
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// The records of a CSV text, whose values may have commas, quotation marks and line ends.
  private static func records(_ text: String) -> [[String]] {
    var (records, record, value, isQuoted) = ([[String]](), [String](), "", false)
    var last: Unicode.Scalar = ","
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case "\"":
        // Twice within quotation marks: one that is meant.
        if !isQuoted, last == "\"" { value += "\"" }
        isQuoted.toggle()
      case "," where !isQuoted:
        record.append(value)
        value = ""
      case "\n" where !isQuoted:
        records.append(record + [value])
        (record, value) = ([], "")
      case "\r" where !isQuoted: continue
      default: value.unicodeScalars.append(scalar)
      }
    }
    return records
  }
}
