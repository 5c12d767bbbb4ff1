import Bench
import Foundation
import JobLists
import LedgerSQLite
import Line
import Provisioning
import TagProgramming
import Testing

/// A list in a file, put on simulated tags by what is public alone.
@Suite("Job lists from files", .timeLimit(.minutes(2)))
struct JobListTests {
  /// A folder with a list, and its journal.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID())")
    var list: String { path.appending(path: "jobs.csv").path }
    var journal: String { path.appending(path: "jobs.journal").path }

    init(_ list: String) throws {
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      try write(list)
    }

    func write(_ list: String) throws {
      try Data(list.utf8).write(to: path.appending(path: "jobs.csv"))
    }

    func settings(_ choice: JobListChoice) -> ProvisioningSettings {
      var settings = ProvisioningSettings(
        choice, Environment(["XDG_STATE_HOME": path.path, "HOME": path.path]))
      settings.journal = journal
      return settings
    }

    func rows() throws -> [JournalRow] { try Journal(at: journal, access: .readOnly).rows() }

    deinit { try? FileManager.default.removeItem(at: path) }
  }

  private static func passed(_ settings: ProvisioningSettings, on reader: String) throws -> Int {
    let run = try ProvisioningRun(settings)
    return try run.work(run.check(), on: LineReaders(named: [reader])).summary.passed
  }

  @Test("records, passwords and locks are the rows' own, and the journal says which tag has which")
  func rowsOfTheirOwn() throws {
    let folder = try Folder(
      "code,shelf,password,lock\nA1,north,01020304,\nA2,south,,yes\nA3,east,,\n")
    let choice = JobListChoice(
      csv: folder.list,
      records: [.uri("https://example.com/t/{code}"), .text("Shelf {shelf}")], tag: "ntag213")
    #expect(try folder.settings(choice).list.description.name == folder.list)
    #expect(try Self.passed(folder.settings(choice), on: "sim:ntag213*3") == 3)
    let rows = try folder.rows()
    #expect(rows.map(\.job) == [1, 2, 3] && rows.allSatisfy { $0.verdict == .written })
    #expect(rows.map(\.uri) == ["A1", "A2", "A3"].map { "https://example.com/t/\($0)" })
    #expect(rows.map(\.isProtected) == [true, false, false])
    #expect(rows.map(\.isLocked) == [false, true, false])
    #expect(Set(rows.map(\.uid)).count == 3 && !rows.contains { $0.uid == nil })
    #expect(rows.allSatisfy { $0.time != nil && $0.trouble == nil && ($0.length ?? 0) > 30 })
  }

  @Test("rows that were added are taken up where they are asked for, and not before")
  func extended() throws {
    let folder = try Folder("url\nhttps://example.com/1\n")
    var settings = folder.settings(JobListChoice(csv: folder.list))
    #expect(try Self.passed(settings, on: "sim:ntag213") == 1)
    try folder.write("url\nhttps://example.com/1\nhttps://example.com/2\n")
    #expect(throws: BenchError.self) { try Self.passed(settings, on: "sim:ntag215") }
    settings.extends = true
    #expect(try Self.passed(settings, on: "sim:ntag213,uid=04aabbccddee80") == 1)
    #expect(try folder.rows().map(\.verdict) == [.written, .written])
  }

  @Test("a job that no tag has is pending")
  func pending() throws {
    let folder = try Folder("A1\nA2\n")
    let choice = JobListChoice(codes: folder.list, records: [.uri("https://example.com/{code}")])
    var settings = folder.settings(choice)
    settings.line.count = 1
    #expect(try Self.passed(settings, on: "sim:ntag213*2") == 1)
    let rows = try folder.rows()
    #expect(rows.map(\.verdict) == [.written, .pending] && rows[1].uid == nil)
  }

  @Test("every option of write names a record, and nothing else does")
  func options() {
    for option in ["uri", "text", "lang", "id", "mime", "external", "android-app", "smart-poster"] {
      #expect(RecordTemplate(option: option, "x") != nil, "\(option)")
    }
    #expect(RecordTemplate(option: "url", "x") == nil)
  }

  @Test("columns of keys that go on no tag are refused", arguments: [["k0"], ["k0", "k1"]])
  func uselessKeys(columns: [String]) throws {
    let folder = try Folder("url,k0,k1\nhttps://example.com/1,00,00\n")
    let failure = #expect(throws: BenchError.self) {
      try ProvisioningRun(
        folder.settings(JobListChoice(csv: folder.list, keyColumns: columns)))
    }
    #expect(failure?.code == .usage && failure?.reason.contains("columns of keys") == true)
  }

  @Test("rows that come later come by standard input, and not from a file")
  func followedFile() throws {
    let folder = try Folder("url\nhttps://example.com/1\n")
    var settings = folder.settings(JobListChoice(csv: folder.list))
    settings.follows = true
    let failure = #expect(throws: BenchError.self) { try ProvisioningRun(settings) }
    #expect(failure?.code == .usage && failure?.reason.contains("standard input") == true)
  }

  @Test("a file that is not there is what the run fails with")
  func missing() throws {
    let failure = #expect(throws: BenchError.self) {
      try ProvisioningRun(ProvisioningSettings(JobListChoice(csv: "/nowhere/jobs.csv")))
    }
    #expect(failure?.code == .noInput)
  }
}
