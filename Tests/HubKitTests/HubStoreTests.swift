import Foundation
import JobLists
import Ledger
import LedgerSQLite
import Testing

@testable import HubKit
@testable import Provisioning
@testable import TagMemory

/// A journal in a folder of its own.
final class SampleJournal {
  let folder = NSTemporaryDirectory() + "hub-\(UInt64.random(in: 0 ... .max))"
  var path: String { folder + "/A17.journal" }
  let journal: Journal
  let session: JournalSession

  init(jobs: Int) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    journal = try Journal(at: folder + "/A17.journal", access: .readWrite(creating: true))
    let source = SourceDescription(kind: "csv", name: "jobs.csv", settings: [.init("tag", "any")])
    _ = try journal.adopt(source) { (take) throws(JournalError) in
      for number in 1...jobs { try take(Self.job(number)) }
    }
    session = try journal.begin(operator: "Ann", command: "test", version: "1")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static func job(_ number: Int) -> PlannedJob {
    PlannedJob(
      number: number, line: number + 1, offset: UInt64(number * 10), name: "CODE-\(number)",
      message: MessageTemplate(records: [
        .init(option: "uri", text: "https://example.com/t/\(number)")
      ]), tagType: nil, locks: false, hasPassword: false,
      columns: [.init(name: "code", value: "\(number)")])
  }

  static func message(_ job: Int) -> [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: job >> (($0 % 4) * 8)) }
  }

  static func uid(_ number: Int) -> UID { UID([0x04, 0, 0, 0, 0, 0, UInt8(number)]) }

  static let timing = Timing(started: .now, duration: .milliseconds(60))

  /// Lays a tag down and ends as `ending` says: `written`, `held`, `returned`, `passed`, or
  /// `reserved`, which leaves it there.
  func work(_ ending: String, tag number: Int, station: String = "1") throws {
    let tag = PresentedTag(
      uid: Self.uid(number), tagType: "ntag213", station: station, reader: "sim")
    if ending == "passed" {
      return try session.passOver(
        tag, because: TagTrouble(.foreign, "Foreign."), timing: Self.timing)
    }
    let outcome = try session.reserve(for: tag) { (job, _) throws(JobRefusal) in
      Self.message(job.number)
    }
    guard case .reserved(let reservation) = outcome else { return }
    switch ending {
    case "written":
      _ = try session.complete(
        reservation,
        verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
        timing: Self.timing)
    case "held":
      try session.hold(reservation, because: TagTrouble(.lost, "Lost."), timing: Self.timing)
    case "returned":
      try session.giveBack(
        reservation, because: TagTrouble(.refused, "Refused."), isScrap: true, timing: Self.timing)
    default: return
    }
  }
}

@Suite("A journal's file, as a hub looks at it")
struct JournalHubStoreTests {
  let sample: SampleJournal
  let store: JournalHubStore

  init() throws {
    sample = try SampleJournal(jobs: 50)
    store = try JournalHubStore(sample.path)
  }

  @Test("counts as the jobs stand, by events after the first time")
  func tally() throws {
    var seen: [HubBatch] = []
    for (number, ending) in ["", "written", "written", "held", "returned", "passed"].enumerated() {
      if !ending.isEmpty { try sample.work(ending, tag: number) }
      seen.append(try store.batch("A17"))
    }
    #expect(seen.map(\.written) == [0, 1, 2, 2, 2, 2])
    #expect(seen.map(\.reserved) == [0, 0, 0, 1, 1, 1])
    #expect(seen.map(\.scrap) == [0, 0, 0, 0, 1, 1])
    #expect(seen.allSatisfy { $0.pending + $0.reserved + $0.written == 50 && $0.jobs == 50 })
    #expect(try JournalHubStore(sample.path).batch("A17") == store.batch("A17"))
    #expect(seen[0].source == "jobs.csv" && seen[0].settings == [.init("tag", "any")])
    #expect(throws: HubError.noBatch("B")) { try store.batch("B") }
  }

  @Test("a journal whose name has the same letters in other bytes is another one")
  func otherBytes() throws {
    let path = sample.folder + "/\u{e4}.journal"
    try FileManager.default.copyItem(atPath: sample.path, toPath: path)
    let store = try JournalHubStore(path)
    #expect(try store.batch("\u{e4}").jobs == 50)
    #expect { try store.batch("a\u{308}") } throws: { error in
      if case HubError.noBatch = error { true } else { false }
    }
  }

  @Test("events, jobs and tags are found, page by page, while the run goes on")
  func rows() throws {
    for number in 1...3 { try sample.work("written", tag: number) }
    try sample.work("returned", tag: 4)
    let events = try store.events(of: "A17", after: 2, limit: 3)
    #expect(events.map(\.event.number) == [3, 4, 5])
    #expect(events.map(\.jobName) == ["CODE-2", "CODE-2", "CODE-3"])
    #expect(try store.events(of: "A17", after: 6, limit: 9).map(\.isScrap) == [false, true])
    #expect(try store.lastEvent(of: "A17") == 8)
    let run = try #require(try store.runs(of: "A17", limit: 9).first)
    #expect(run.operatorName == "Ann" && run.ended == nil && run.id == events[0].run)
    #expect(
      try store.jobs(of: "A17", JobFilter(state: .written), after: 1, limit: 1).map(\.number)
        == [2])
    #expect(
      try store.jobs(of: "A17", JobFilter(name: "CODE-4"), after: 40, limit: 2).map(\.number)
        == [41, 42])
    let tag = SampleJournal.uid(2).bytes
    let job = try store.jobs(of: "A17", JobFilter(tag: tag), after: 0, limit: 9)
    #expect(job.map(\.number) == [2] && job.first?.event?.kind == "written")
    #expect(
      try store.history(ofTag: SampleJournal.uid(4), limit: 9).map(\.event.kind) == [
        "reserved", "returned",
      ])
    try sample.session.end()
    #expect(try store.runs(of: "A17", limit: 9).first?.ended != nil)
    #expect(try store.journal(of: "A17").tally().written == 3)
  }

  @Test("a station's row with any time makes a board")
  func anyTime() throws {
    var hostile = ShownStation(name: "2", word: "place", since: 0)
    hostile.since = .max
    try sample.session.show([hostile])
    try sample.work("written", tag: 1)
    var reader = BoardReader(store, "A17")
    let board = try #require(try reader.read().board)
    #expect(board.stations.map(\.station) == ["1", "2"])
    #expect(board.stations.allSatisfy { $0.since <= board.now && $0.word != .ended })
    #expect(try store.runs(of: "A17", limit: 9).first?.wasCutOff == false)
  }

  @Test(
    "a journal that was replaced is opened anew, and one that was taken away is said to be away")
  func replaced() throws {
    _ = try store.batch("A17")
    let other = try SampleJournal(jobs: 7)
    try other.session.end()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: sample.path + suffix)
      try? FileManager.default.moveItem(atPath: other.path + suffix, toPath: sample.path + suffix)
    }
    #expect(try store.batch("A17").jobs == 7)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: sample.path + suffix)
    }
    #expect { try store.batch("A17") } throws: { error in
      if case HubError.away = error { true } else { false }
    }
  }
}
