import Foundation
import HubKit
import JobLists
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "Benches without a list, on a batch that a hub has made", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolListTests: PoolSuite {
  let pool: SamplePool
  let hub: PoolHubStore

  init() throws {
    pool = try SamplePool()
    hub = try pool.hub()
  }

  @Test("a bench with the same list as a file finds its batch")
  func sameAsFile() throws {
    _ = try hub.make(SampleList.ofHub(1...3))
    let sample = SampleBench(text)
    let path = sample.folder + ".csv"
    try SampleList.ofHub(1...3).csv.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var settings = JobSource.Settings()
    settings.message = MessageTemplate(records: [.init(option: "uri", text: SampleList.template)])
    settings.tagType = "ntag213"
    let source = try JobSource(.table(path), settings)
    let description = SourceDescription(kind: "csv", name: path, settings)
    #expect(description.jobSettings == settings)
    let bench = try sample.open(ahead: 2) {
      (journal, extending) throws(JournalError) in
      try adopt(source, description, into: journal, extending)
    }
    #expect(bench.store.lastJob == 3)
  }

  private func adopt(
    _ source: JobSource, _ description: SourceDescription, into journal: Journal,
    _ extending: Bool
  ) throws(JournalError) {
    _ = try journal.adopt(description, extending: extending) { (take) throws(JournalError) in
      try source.forEachJob { row throws(JournalError) in
        if case .success(let job) = row { try take(job) }
      }
    }
  }

  @Test("a bench without a list works on the batch's own, gets added rows, and ends with the batch")
  func bench() throws {
    _ = try hub.make(SampleList.ofHub(1...3))
    let list = try PooledList(at: text)
    #expect(list.source.columns == ["code", "room"])
    // Rows that come while the bench begins are no other list.
    _ = try hub.extend("A17", csv: "code,room\nA4,4\n")
    let bench = try SampleBench(text).open(ahead: 2, list: list) {
      (journal, extending) throws(JournalError) in
      try adopt(list.source, list.description, into: journal, extending)
    }
    let session = try bench.journal.begin(operator: "Ann", command: "test", version: "1")
    #expect(bench.store.lastJob == 3)
    var added = 0
    #expect(try !bench.takeUpRows { added += $0 })
    #expect(added == 1 && bench.store.lastJob == 4)
    let more = (5...5000).map { "A\($0),\($0)\n" }.joined()
    _ = try hub.extend("A17", csv: "code,room\n" + more)
    #expect(try !bench.takeUpRows { added += $0 })
    #expect(added == 4997 && bench.store.lastJob == 5000)
    try bench.checkRows()
    #expect(bench.state.withLock { $0.knownList } != [])
    #expect(try bench.journal.plannedJob(5000)?.name == "A5000")
    let tag = PresentedTag(
      uid: .init([4, 1, 2, 3, 4, 5, 6]), tagType: "ntag213", station: "1", reader: "sim")
    let outcome = try session.reserve(for: tag) { (job, _) throws(JobRefusal) in
      SampleList.message(job.number)
    }
    guard case .reserved(let reservation) = outcome
    else {
      Issue.record("The tag gets no job.")
      return
    }
    _ = try hub.close("A17")
    #expect(try bench.takeUpRows { added += $0 })
    // What it has claimed goes back; what it has begun, it finishes.
    try waitFor { try bench.store.ownClaims().isEmpty }
    #expect(bench.jobsLeft == 0)
    _ = try session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: Timing(started: .now, duration: .milliseconds(60)))
    #expect(try hub.batch("A17").written == 1)
    try session.end()
    // It begins again with all that there is.
    #expect(throws: JournalError.self) { try PooledList(at: text.replacing("A17", with: "none")) }
    #expect(try PooledList(at: text).source.count == 5000)
  }

  @Test("a batch that a bench has loaded asks every bench for its list")
  func noList() throws {
    try PoolStore.load(2, at: address)
    #expect {
      try PooledList(at: text)
    } throws: {
      "\($0)".contains("has no list in the database")
    }
  }
}
