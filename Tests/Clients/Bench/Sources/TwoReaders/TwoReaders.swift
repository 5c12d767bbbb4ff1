import Bench
import Foundation
import LedgerSQLite
import Line
import NDEF
import Provisioning
import TagProgramming
import Wording

/// A bench tool: one tag by hand, then a list on two readers, and what the journal has of it.
@main
enum TwoReaders {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "two-readers-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await writeByHand()
    try await putList(in: folder)
  }

  /// Waits for tags and writes each.
  private static func writeByHand() async throws {
    let bench = try await Bench("sim:ntag213*3")
    for try await tag in bench.tags {
      let report = try await bench.run(.write(try .url("https://example.com/t/1")), on: tag).get()
      print("\(tag.uid) \(report.result.rawValue)")
    }
    try await bench.close()
  }

  /// Puts the rows of a list on the tags of two readers, and stops well if it is asked to.
  private static func putList(in folder: URL) async throws {
    let list = folder.appending(path: "jobs.csv")
    let rows = (1...6).map { "S\($0),\($0 % 2 == 0 ? "01020304" : "")" }
    try Data("code,password\n\(rows.joined(separator: "\n"))\n".utf8).write(to: list)

    var settings = ProvisioningSettings(
      JobListChoice(csv: list.path, records: [.uri("https://example.com/t/{code}")]),
      Environment(["XDG_STATE_HOME": folder.path]))
    settings.journal = list.path + ".journal"
    let events = try ProvisioningRun(settings).events(
      on: LineReaders(named: ["sim:ntag213*3", "sim:ntag213*3"]))
    for try await event in events {
      guard case .line(let event) = event, case .finished(let tag) = event.kind else { continue }
      print("station \(event.station + 1): \(tag.uid) \(tag.verdict.rawValue)")
    }
    let summary = try await events.outcome.summary
    let journal = try Journal(at: list.path + ".journal", access: .readOnly)
    for row in try journal.rows() {
      print("job \(row.job) \(row.verdict.rawValue) \(row.uid.map { "\($0)" } ?? "no tag")")
    }
    print("\(summary.passed) passed, \(summary.failed) failed")
  }
}
