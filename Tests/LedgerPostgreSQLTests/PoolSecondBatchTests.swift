import Foundation
import HubKit
import JobLists
import NDEF
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

  @Test(
    "of which a message is on a tag of another batch is refused with its line: whoever loads it, and whoever adds rows"
  )
  func messagesOnTags() throws {
    let run = try bench.begin(jobs: 6)
    let outcome = try run.session.reserve(for: run.tag(uid(2))) { (job, _) throws(JobRefusal) in
      let fields = TagFields(uid: UID([0, 0, 0, 0]), number: 1, made: TagFields.anyDay)
      return (try? job.message.message(for: fields).serialize()) ?? []
    }
    guard case .reserved(let reservation) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reservation.job.number == 1)
    try run.finish(reservation)
    try run.session.end()
    // A hub that makes a batch, and one that adds rows.
    let hub = try pool.hub()
    func refusal(_ body: () throws -> Void) -> [String] {
      do { try body() } catch HubError.badList(let mistakes) { return mistakes } catch {
        return ["\(error)"]
      }
      return []
    }
    func list(_ codes: Int...) -> HubList {
      let rows = codes.map { "\($0);r\n" }.joined()
      return HubList(id: "B", csv: "code;room\n\(rows)", template: SampleList.template)
    }
    let wanted =
      "line 3, 1, is on a tag already, as job 1 of the batch A17 in the same database. Leave that row out; a bench puts all jobs on new tags with --start-over."
    #expect(refusal { _ = try hub.make(list(20, 1)) } == [wanted])
    #expect(try batches() == ["A17"])
    #expect(try hub.make(list(20, 21)).jobs == 2)
    #expect(refusal { _ = try hub.extend("B", csv: "code;room\n22;r\n1;r\n") } == [wanted])
    #expect(try hub.extend("B", csv: "code;room\n22;r\n2;r\n").jobs == 4)
    // A bench that loads a batch, and one that extends it.
    let text = self.refusal { _ = try other.open(codes: [30, 1]) }
    #expect(text.contains("line 3, CODE-1, is on a tag already, as job 1 of the batch A17"))
    #expect(try batches() == ["A17", "B"])
    do { withExtendedLifetime(try other.open(codes: [30, 31])) {} }
    let added = self.refusal { _ = try other.open(codes: [30, 31, 1], extending: true) }
    #expect(added.contains("line 4, CODE-1, is on a tag already, as job 1 of the batch A17"))
    do { withExtendedLifetime(try other.open(codes: [30, 31, 2], extending: true)) {} }
    do {
      withExtendedLifetime(try other.open(codes: [30, 31, 2, 1], extending: true, lost: .ignored)) {
      }
    }
    #expect(try batches() == ["A17", "A71", "B"])
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
