import Foundation
import Synchronization
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A list that a batch of the pool has already", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolSecondBatchTests: PoolSuite {
  let pool: SamplePool
  /// A bench that came to the batch, and one of another machine with a mistyped name of it.
  let (bench, other): (SampleBench, SampleBench)

  init() throws {
    pool = try SamplePool()
    bench = SampleBench(pool.text)
    other = SampleBench(pool.server.addressText(pool.database, "A71"))
    try bench.begin(jobs: 6).session.end()
  }

  private func batches() throws -> [String] {
    try PoolStore.batches(at: address).map(\.name).sorted()
  }

  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch let error as JournalError {
      return "\(error)"
    } catch {
      return "other: \(error)"
    }
  }

  @Test(
    "is not loaded into a second one: as it is, longer or shorter; only where that is asked for",
    arguments: [6, 8, 4])
  func refused(jobs: Int) throws {
    let text = refusal { try other.begin(jobs: jobs).session.end() }
    #expect(text.contains("it is the list of the batch A17 in the same database"))
    #expect(try batches() == ["A17"])
    try other.begin(jobs: jobs, lost: .ignored).session.end()
    #expect(try batches() == ["A17", "A71"])
    #expect(other.goodNews.withLock { $0 } == [.made(jobs: jobs)])
  }

  @Test("is loaded where only its first row is another list's")
  func alike() throws {
    let run = try other.open(codes: [1, 20, 21])
    #expect(try batches() == ["A17", "A71"])
    withExtendedLifetime(run) {}
  }

  @Test("another list is refused with the first row that differs, a shorter one with its length")
  func differences() throws {
    let third = SampleBench(pool.text)
    #expect(
      refusal { try third.begin(jobs: 4).session.end() }
        == "This list has the first 4 of the 6 jobs of the batch A17: start with the longer list.")
    do {
      let run = try bench.begin(jobs: 6)
      try run.write(1...1)
      try run.session.end()
    }
    #expect(
      refusal { try bench.begin(jobs: 4).session.end() }
        == "This list lacks the last 2 rows of the batch A17: start with the longer list.")
    let text = refusal { _ = try third.open(codes: [1, 2, 30, 4, 5, 6]) }
    #expect(text.contains("line 4: “CODE-30” here is “CODE-3” in the batch."))
  }

  @Test("counts down what is left while the database is away")
  func left() throws {
    let network = try Network(to: server.port)
    let cut = SampleBench(pool.text(through: network))
    let run = try cut.begin(jobs: 6, ahead: 6)
    run.bench.countAgain()
    network.cut()
    try run.write(1...4)
    #expect(run.bench.jobsLeft == 2)
    run.bench.abandon()
  }
}
