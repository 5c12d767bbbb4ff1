import Foundation
import SeededNumbers
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
    let stores = [
      "A": try PoolStore(address, bench: "A"), "B": try PoolStore(address, bench: "B"),
    ]
    var ledger = MemoryLedger(jobs: 3)
    let soon = Int64(Date().timeIntervalSince1970 * 1000) + 300_000
    var numbers = SeededGenerator(seed: seed)
    for _ in 0..<120 {
      let name = Bool.random(using: &numbers) ? "A" : "B"
      let store = try #require(stores[name])
      let job = Int.random(in: 1...3, using: &numbers)
      // Now and then somebody comes with what he knew before.
      let epoch = ledger[job].epoch - (Int.random(in: 0..<5, using: &numbers) == 0 ? 1 : 0)
      let tag = [UInt8(4), UInt8.random(in: 0...3, using: &numbers)]
      let bound = ledger[job].state.binding?.tag ?? tag
      let message = Array(repeating: UInt8(job), count: 32)
      let command: LedgerCommand =
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0, 1: .claim(bench: name, until: soon)
        case 2: .renew(bench: name, epoch: epoch, until: soon)
        case 3: .entrust(bench: name, epoch: epoch)
        case 4, 5: .bind(bench: name, epoch: epoch, tag: tag, message: message)
        case 6: .finish(bench: name, epoch: epoch, tag: bound, message: message)
        case 7: .hold(bench: name, epoch: epoch, tag: bound)
        case 8:
          .giveBack(
            bench: name, epoch: epoch, tag: bound,
            isScrap: Int.random(in: 0..<9, using: &numbers) == 0)
        case 9: .takeOver(bench: name, tag: bound)
        case 10:
          .recall(
            bench: name, tag: Bool.random(using: &numbers) ? tag : bound,
            message: [nil, message, Array(repeating: UInt8(job + 9), count: 32)]
              .randomElement(using: &numbers) ?? nil,
            epoch: epoch + Int64.random(in: -2...3, using: &numbers))
        default: Bool.random(using: &numbers) ? .letGo(bench: name, epoch: epoch) : .retry
        }
      let wanted = ledger.perform(command, on: job)
      var decision: LedgerDecision?
      if case .recall(_, let tag, let message, let epoch) = command {
        let known = PoolRecall(
          job: job, tag: tag, message: message, epoch: epoch, as: EventID(), told("x", tag),
          at: 0)
        decision = try store.recall(known)?.decision
      } else {
        decision = try store.perform(
          command, on: job, as: EventID(),
          telling: told(
            Self.kind(of: command), command.binding?.tag ?? bound,
            link: "https://example.com/\(job)"))
      }
      #expect(decision == wanted, "\(command), seed \(seed)")
      #expect(try store.standing(ofJob: job) == ledger[job], "\(command), seed \(seed)")
      #expect(try store.job(ofTag: tag) == ledger.job(ofTag: tag))
    }
    try expectFold(of: address)
  }

  /// What is told with a command.
  private static func kind(of command: LedgerCommand) -> String {
    switch command {
    case .bind: "reserved"
    case .finish: "written"
    case .hold: "held"
    case .giveBack: "returned"
    case .takeOver: "resumed"
    case .retry: "retried"
    case .refuse: "refused"
    case .release: "released"
    case .claim, .renew, .entrust, .letGo, .recall: "x"
    }
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
        .bind(bench: "A", epoch: 1, tag: [4, 1], message: Array(repeating: 1, count: 32)), on: 1,
        as: EventID(), telling: told("reserved", [4, 1])
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
      bench: "A", epoch: claims[2].epoch, tag: [4, 3], message: Array(repeating: 3, count: 32))
    #expect(
      try short.perform(late, on: 3, as: EventID(), telling: told("reserved"))
        == .refused(.leaseOver))
    #expect(try other.expire() == 1)
    #expect(try other.claim(9, for: nil).map(\.job) == [3])
    #expect(
      try short.perform(late, on: 3, as: EventID(), telling: told("reserved")) == .refused(.fenced))
    #expect(try short.standing(ofJob: 1)?.state.word == "bound")
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
      (.bind(bench: "A", epoch: claim.epoch, tag: [4], message: message), "reserved"),
      (.finish(bench: "A", epoch: claim.epoch, tag: [4], message: message), "written"),
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
    #expect(throws: PoolError.self) { try store.recall(recall(1, uid(1), epoch: 1)) }
  }

  private func recall(
    _ job: Int, _ tag: [UInt8], epoch: Int64, as id: EventID = EventID()
  ) -> PoolRecall {
    PoolRecall(
      job: job, tag: tag, message: SampleList.message(job), epoch: epoch, as: id, told("", tag),
      at: 0)
  }

  @Test("a recalled job is on its tag at once, so that no earlier word comes in between")
  func recalledAtOnce() throws {
    let address = try server().pool("A17")
    try PoolStore.load(1, at: address)
    let (store, other) = (try PoolStore(address, bench: "A"), try PoolStore(address, bench: "B"))
    let id = EventID()
    let found = try #require(try store.recall(recall(1, uid(1), epoch: 7, as: id)))
    let binding = Binding(bench: "A", tag: uid(1), message: SampleList.message(1))
    #expect(found.standing == JobStanding(.bound(binding), epoch: 7, recalled: 7))
    #expect(try store.standing(ofJob: 1) == found.standing)
    #expect(try store.knows(id))
    #expect(try store.events(after: 0, limit: 9).map(\.kind) == ["reserved"])
    for (tag, refusal) in [(uid(1), LedgerRefusal.superseded), (uid(2), .fenced)] {
      let late = try #require(try other.recall(recall(1, tag, epoch: 5)))
      #expect(late.decision == .refused(refusal))
    }
    #expect(try store.standing(ofJob: 1) == found.standing)
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
    let standing = Mutex<JobStanding?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let store = try? PoolStore(address, bench: "A")
      let found = try? store?.recall(recall(1, [1], epoch: 7))
      standing.withLock { $0 = found?.standing }
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
    // Its bench tries to put the job on the tag then, and hears why it cannot.
    let claim = JobState.claimed(Claim(bench: "A", lease: .entrusted))
    #expect(standing.withLock { $0 } == JobStanding(claim, epoch: 7, recalled: 7))
    let store = try PoolStore(address, bench: "A")
    let bind = LedgerCommand.bind(
      bench: "A", epoch: 7, tag: [1], message: SampleList.message(1))
    #expect(
      try store.perform(bind, on: 1, as: EventID(), telling: told("reserved", [1]))
        == .refused(.tagTaken(job: 2)))
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
