import Foundation
import GRDB
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A bench's journal that was copied, or came back from a backup", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolCopiedTests: PoolSuite {
  let pool: SamplePool
  let (bench, other): (SampleBench, SampleBench)

  init() throws {
    pool = try SamplePool()
    (bench, other) = (SampleBench(pool.text), SampleBench(pool.text))
  }

  /// As a disk is copied to another machine.
  private func copy(_ source: SampleBench, to target: SampleBench) throws {
    try? FileManager.default.removeItem(atPath: target.folder)
    try FileManager.default.copyItem(atPath: source.folder, toPath: target.folder)
  }

  /// Runs once and writes these tags.
  private func work(_ numbers: ClosedRange<Int>) throws {
    let run = try bench.begin(jobs: 20)
    try run.write(numbers)
    try run.session.end()
  }

  private func copies(_ bench: SampleBench) -> [String] {
    bench.news.withLock { news in
      news.compactMap { if case .copied(_, let kept) = $0 { kept } else { nil } }
    }
  }

  @Test("is kept apart where the other one worked on; its machine goes on as a new bench")
  func restored() throws {
    try work(1...2)
    try copy(bench, to: other)
    try work(3...5)
    // Its events have the numbers of those that the pool knows.
    let old = try other.begin(jobs: 20)
    try old.write(6...9)
    #expect(copies(other).count == 1 && copies(bench).isEmpty)
    #expect(
      try copies(other).allSatisfy {
        try Journal(at: $0, access: .readOnly).verify(facts: true).isEmpty
      })
    try old.session.end()
    try work(10...11)
    let whole = try Journal(copying: address)
    #expect(try Set(whole.writtenTags().map(\.uid)) == Set((1...11).map { UID(uid($0)) }))
    #expect(try whole.writtenTags().count == 11)
    #expect(try PoolStore(address, bench: "looker").benches().count == 2)
  }

  @Test("gets no job that the other one has: both work at one time")
  func both() throws {
    try work(1...1)
    try copy(bench, to: other)
    let (left, right) = (try bench.begin(jobs: 20), try other.begin(jobs: 20))
    #expect(copies(bench).isEmpty && copies(other).count == 1)
    for number in 2...5 {
      try left.write(number...number)
      try right.write((number + 10)...(number + 10))
    }
    for run in [left, right] { try run.session.end() }
    #expect(try PoolStore(address, bench: "looker").tally()["written"] == 9)
  }

  @Test("is found where both begin at one moment, before either has a job")
  func twins() throws {
    try work(1...1)
    try copy(bench, to: other)
    let (left, right) = (try bench.open(codes: 1...20), try other.open(codes: 1...20))
    let first = try left.journal.begin(operator: "", command: "", version: "")
    #expect(throws: JournalError.self) {
      try right.journal.begin(operator: "", command: "", version: "")
    }
    #expect(try right.journal.freeClaims().isEmpty)
    try first.end()
  }

  @Test("is named where another version made it for a batch that the database does not have")
  func otherVersion() throws {
    let folder = bench.folder + "/nfcprog/pools/" + String(repeating: "0", count: 32)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/bench-1.journal"
    #expect(FileManager.default.createFile(atPath: folder + "/bench-1.lock", contents: nil))
    let database = try DatabaseQueue(path: path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('10')
          """)
    }
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = \(Journal.applicationID)")
    }
    #expect(throws: JournalError.earlierVersion(path)) { try bench.begin(jobs: 2) }
    try bench.begin(jobs: 2, lost: .ignored).session.end()
  }

  @Test("is none where its own last run was killed, or the pool is older")
  func own() throws {
    let backup = try server.backUp(database)
    do {
      let killed = try bench.begin(jobs: 20)
      try killed.write(1...2)
      killed.bench.abandon()
    }
    try work(3...3)
    try server.restore(database, from: backup)
    try bench.begin(jobs: 20, lost: .continued).session.end()
    #expect(copies(bench).isEmpty)
  }
}
