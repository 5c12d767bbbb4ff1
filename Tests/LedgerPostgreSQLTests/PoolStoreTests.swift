import Foundation
import Ledger
import SeriesContract
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

@Suite("A pool in PostgreSQL", .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolStoreTests {
  private func server() throws -> PostgresServer { try PostgresServer.shared.get() }

  @Test("decides as the rules do, whatever two benches ask of it", arguments: 1...8)
  func rules(seed: UInt64) throws {
    let address = try server().pool("A17")
    try PoolStore.load(3, at: address)
    let names = ["A", "B"]
    let owner = try server().owner(of: address)
    var contract = SeriesContract(
      try names.map { try PoolStore(address, bench: $0) },
      of: names.map { .init($0, station: "1", run: nil) }, jobs: 3, isShared: true,
      now: Int64(Date().timeIntervalSince1970 * 1000), seed: seed
    ) { (_, milliseconds) throws(PoolError) in
      try owner.run(
        """
        UPDATE nfcprog.job SET lease_until = lease_until - interval '\(milliseconds) ms'
        WHERE lease_until IS NOT NULL
        """)
    }
    #expect(try contract.faults(in: 150) == [], "seed \(seed)")
    try expectFold(of: address)
  }

  @Test("lets failed jobs wait again once each, however many there are and whoever asks")
  func retried() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1300, at: address)
    try server().owner(of: address).run(
      """
      ALTER TABLE nfcprog.job DISABLE TRIGGER USER;
      UPDATE nfcprog.job SET state = 'failed', epoch = 4 WHERE number <> 7;
      ALTER TABLE nfcprog.job ENABLE TRIGGER USER
      """)
    let count = Mutex(0)
    together(3) { index in
      let store = try? PoolStore(address, bench: "bench \(index)")
      let retried = (try? store?.retryFailed(session: nil, at: 12)) ?? -9999
      count.withLock { $0 += retried }
    }
    let store = try PoolStore(address, bench: "A")
    // What one passes by, another has in hand: what is left once all are done is nothing.
    #expect(count.withLock(\.self) == 1299)
    #expect(try store.jobs(where: .failed) == [])
    let events = try store.events(after: 0, limit: 9999)
    #expect(
      events.map(\.what).sorted { $0.job ?? 0 < $1.job ?? 0 }
        == (1...1300).filter { $0 != 7 }.map { .retried(job: $0) })
    #expect(events.allSatisfy { $0.epoch == 5 && $0.started == 12 })
    #expect(try store.standing(ofJob: 1300) == JobStanding(epoch: 5))
    #expect(try store.standing(ofJob: 7) == JobStanding())
  }

  @Test("gives each job to one of many benches that ask at the same moment")
  func claims() throws {
    let address = try server().pool("A17")
    try PoolStore.load(600, at: address)
    let taken = Mutex<[Int]>([])
    together(6) { index in
      guard let store = try? PoolStore(address, bench: "bench \(index)") else { return }
      while let claims = try? store.claim(7, for: nil), !claims.isEmpty {
        taken.withLock { $0 += claims.map(\.job) }
      }
    }
    #expect(taken.withLock { $0.sorted() } == Array(1...600))
  }

  @Test("gives jobs that came back once the list's end was reached, and jobs for the tag's type")
  func order() throws {
    let address = try server().pool("A17")
    let list = PoolList(
      kind: "csv", source: "jobs.csv", settings: "[]", digest: [UInt8](repeating: 1, count: 32),
      jobs: 6)
    try PoolStore.load(
      list, identity: EventID().bytes, at: address, LoadFailure.init
    ) { (take) throws(LoadFailure) in
      for number in 1...6 {
        try take(
          PoolJob(
            number: number, name: "Tab\t, \\N and\nline \(number)",
            wantedTag: number % 2 == 0 ? "ntag213" : nil, digest: [UInt8(number)])
        ) { nil }
      }
    }
    let store = try PoolStore(address, bench: "A")
    #expect(try store.claim(9, for: "ntag216").map(\.job) == [1, 3, 5])
    #expect(try store.claim(2, for: "ntag213").map(\.job) == [2, 4])
    let back = LedgerCommand.letGo(bench: "A", epoch: 1)
    #expect(try store.perform(back, on: 2, as: EventID(), telling: told("x")).isChange)
    #expect(try store.claim(9, for: "ntag213").map(\.job) == [2, 6])
    #expect(try store.claim(9, for: "ntag213") == [])
    let owner = try server().owner(of: address)
    let names = try owner.query("SELECT name FROM nfcprog.job ORDER BY number").map { $0[0] }
    #expect(names.first == "Tab\t, \\N and\nline 1")
  }

  @Test("lets a lease run out by the database's clock, and nothing that is bound or entrusted")
  func leases() throws {
    let address = try server().pool("A17")
    try PoolStore.load(4, at: address)
    let short = try PoolStore(address, bench: "A", lease: .seconds(500))
    let other = try PoolStore(address, bench: "B")
    let claims = try short.claim(3, for: nil)
    #expect(try other.claim(9, for: nil).map(\.job) == [4])
    #expect(
      try short.perform(
        .bind(
          bench: "A", epoch: 1, tag: [4, 1],
          message: MessageFacts(digest: Array(repeating: 1, count: 32))),
        on: 1, as: EventID(), telling: told("reserved", [4, 1])
      ).isChange)
    #expect(
      try short.perform(.entrust(bench: "A", epoch: 1), on: 2, as: EventID(), telling: told("x"))
        .isChange)
    #expect(try other.expire() == 0)
    // An hour later.
    try server().owner(of: address).run(
      "UPDATE nfcprog.job SET lease_until = lease_until - interval '1 hour' WHERE bench = 'A'")
    // The clock of the bench is nobody's business: its claim is over when the database says so.
    let late = LedgerCommand.bind(
      bench: "A", epoch: claims[2].epoch, tag: [4, 3],
      message: MessageFacts(digest: Array(repeating: 3, count: 32)))
    #expect(
      try short.perform(late, on: 3, as: EventID(), telling: told("reserved"))
        == .refused(.leaseOver))
    #expect(try other.expire() == 1)
    #expect(try other.claim(9, for: nil).map(\.job) == [3])
    #expect(
      try short.perform(late, on: 3, as: EventID(), telling: told("reserved")) == .refused(.fenced))
    #expect(try short.standing(ofJob: 1)?.state.kind.rawValue == "bound")
    #expect(try short.standing(ofJob: 2)?.state == .claimed(Claim(bench: "A", lease: .entrusted)))
  }

  @Test("knows a command and its event again that are told twice")
  func twice() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1, at: address)
    let store = try PoolStore(address, bench: "A")
    let claim = try #require(try store.claim(1, for: nil).first)
    let message = Array(repeating: UInt8(7), count: 32)
    let steps: [(LedgerCommand, String)] = [
      (
        .bind(
          bench: "A", epoch: claim.epoch, tag: [4], message: MessageFacts(digest: message)),
        "reserved"
      ),
      (
        .finish(bench: "A", epoch: claim.epoch, tag: [4], digest: message, noLocks), "written"
      ),
    ]
    for (command, kind) in steps {
      let id = EventID()
      #expect(try store.perform(command, on: 1, as: id, telling: told(kind, [4])).isChange)
      #expect(try store.perform(command, on: 1, as: id, telling: told(kind, [4])) == .done)
    }
    #expect(try store.events(after: 0, limit: 9).map(\.kind) == ["reserved", "written"])
    let first = try #require(try store.events(after: 0, limit: 1).first)
    #expect(try store.events(after: first.number, limit: 9).map(\.kind) == ["written"])
  }

  @Test("an epoch that no bench gives is an error, and no end of the program")
  func hugeEpoch() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1, at: address)
    try server().owner(of: address).run(
      """
      ALTER TABLE nfcprog.job DISABLE TRIGGER USER;
      UPDATE nfcprog.job SET epoch = \(Int64.max), recalled = \(Int64.max)
      """)
    let store = try PoolStore(address, bench: "A")
    #expect(throws: PoolError.self) { try recall(uid(1), epoch: 1, store) }
  }

  /// Has a bench have job 1 again, as it tells a store that was restored.
  @discardableResult
  private func recall(
    _ tag: [UInt8], epoch: Int64, _ store: PoolStore, number: Int64 = 0
  ) throws -> LedgerDecision {
    var event = told("reserved", tag)
    event.number = number
    let message = MessageFacts(digest: SampleList.message(1))
    let commands: [LedgerCommand] = [
      .recall(bench: store.bench, tag: tag, message: message, epoch: epoch),
      .bind(bench: store.bench, epoch: epoch, tag: tag, message: message),
    ]
    return try store.perform(PoolReport(EventID(), commands, event)).decision
  }

  @Test("a recalled job is on its tag at once, so that no earlier word comes in between")
  func recalledAtOnce() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1, at: address)
    let (store, other) = (try PoolStore(address, bench: "A"), try PoolStore(address, bench: "B"))
    #expect(try recall(uid(1), epoch: 7, store, number: 12).isChange)
    let binding = Binding(
      bench: "A", tag: uid(1), message: MessageFacts(digest: SampleList.message(1)))
    let standing = JobStanding(.bound(binding), epoch: 7, recalled: 7)
    #expect(try store.standing(ofJob: 1) == standing)
    #expect(try store.last()?.number == 12)
    #expect(try other.last() == nil)
    #expect(try store.events(after: 0, limit: 9).map(\.kind) == ["reserved"])
    for (tag, refusal) in [(uid(1), LedgerRefusal.superseded), (uid(2), .fenced)] {
      #expect(try recall(tag, epoch: 5, other) == .refused(refusal))
    }
    #expect(try store.standing(ofJob: 1) == standing)
  }

  @Test("a bench recalls a job of its own claim, though the lease is over")
  func recalledAfterLease() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1, at: address)
    let store = try PoolStore(address, bench: "A", lease: .milliseconds(1))
    let claim = try #require(try store.claim(1, for: nil).first)
    let owner = try server().owner(of: address)
    try waitFor {
      try !owner.query("SELECT 1 FROM nfcprog.job WHERE lease_until < clock_timestamp()").isEmpty
    }
    #expect(try recall(uid(1), epoch: claim.epoch, store).isChange)
    #expect(try store.standing(ofJob: 1)?.binding?.tag == uid(1))
  }

  @Test("a recalled job hears that its tag got another one at that moment")
  func recalledTogether() throws {
    let address = try server().pool("A17")
    try PoolStore.load(2, at: address)
    let owner = try server().owner(of: address)
    try owner.run(
      """
      BEGIN; UPDATE nfcprog.job SET state = 'claimed', bench = 'C', epoch = 1 WHERE number = 2;
      UPDATE nfcprog.job SET state = 'bound', uid = '\\x01', message_digest = decode(
        repeat('ee', 32), 'hex') WHERE number = 2
      """)
    let decision = Mutex<LedgerDecision?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let store = try? PoolStore(address, bench: "A")
      let found = try? store.map { try recall([1], epoch: 7, $0) }
      decision.withLock { $0 = found }
      isDone.signal()
    }
    // It waits to know what becomes of the tag's other job.
    try waitFor {
      try server().owner(of: address).query(
        """
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'
        """
      ).count == 1
    }
    try owner.run("COMMIT")
    isDone.wait()
    #expect(decision.withLock { $0 } == .refused(.tagTaken(job: 2)))
    // Nothing of it is done.
    #expect(try PoolStore(address, bench: "A").standing(ofJob: 1) == JobStanding())
  }

  @Test("loads nothing for a batch that is there")
  func otherList() throws {
    let address = try server().pool("A17")
    try PoolStore.load(5, at: address)
    try PoolStore.load(5, at: address)
    let batch = try PoolStore.batch(at: address)
    try PoolStore.load(6, at: address, code: "OTHERS")
    #expect(try batch?.jobs == 5 && PoolStore.batch(at: address) == batch)
    #expect(try PoolStore(address, bench: "A").tally() == ["pending": 5])
    let missing = try PoolAddress(
      parsing: "\(address.connection)?batch=B1&password=\("s3cret%2Fof%3Athe%40bench")")
    let empty = try server().address("postgres", "A17")
    #expect(throws: PoolError.noSchema) { try PoolStore(empty, bench: "A") }
    #expect(throws: PoolError.noBatch("B1")) { try PoolStore(missing, bench: "A") }
  }
}

extension LedgerDecision {
  var isChange: Bool { if case .changed = self { true } else { false } }
}
