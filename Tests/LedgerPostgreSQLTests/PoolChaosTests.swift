import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL

/// Tags that lie about, each with a memory of its own: the truth that the pool is held to.
private final class Reel: Sendable {
  private let memories = Mutex<[[UInt8]: [UInt8]]>([:])
  private let next = Mutex(0)

  func fresh() -> [UInt8] {
    let number = next.withLock { next in
      next += 1
      return next
    }
    return [0x04] + (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  func read(_ tag: [UInt8]) -> [UInt8]? { memories.withLock { $0[tag] } }
  func write(_ message: [UInt8], to tag: [UInt8]) { memories.withLock { $0[tag] = message } }
  var all: [[UInt8]: [UInt8]] { memories.withLock { $0 } }
}

/// What a bench has on its own disk, and so keeps when its process dies.
private struct Disk {
  struct Hand {
    let job: Int
    var epoch: Int64
    /// Whether the pool has said that the bench may bind it alone. Where the answer was lost it may
    /// have, so the claim is kept until the pool says that it is over.
    var isEntrusted = false
    var tag: [UInt8]?
    var isAway = false
  }

  /// A command that the pool has not confirmed.
  struct Entry {
    let id = EventID()
    let command: LedgerCommand
    let kind: String
    let job: Int
    let tag: [UInt8]
  }

  var hands: [Hand] = []
  var outbox: [Entry] = []
}

/// A bench that works as the model's does, and ends wherever `Killed` is thrown.
private struct ChaosBench {
  struct Killed: Error {}

  let name: String
  let address: PoolAddress
  let reel: Reel
  /// How many steps are left until the process dies.
  var life: Int
  private var store: PoolStore?

  init(_ name: String, _ address: PoolAddress, _ reel: Reel, life: Int) {
    (self.name, self.address, self.reel, self.life) = (name, address, reel, life)
  }

  static func message(_ job: Int) -> [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: job >> (($0 % 4) * 8)) }
  }

  private mutating func step() throws {
    guard life > 0 else { throw Killed() }
    life -= 1
  }

  /// Works until the pool has no job, or the process dies; false: the pool may have some still.
  mutating func run(_ disk: inout Disk) throws -> Bool {
    // It starts with its pool only, which says what is still this bench's.
    let store = try PoolStore(address, bench: name, lease: .seconds(2))
    self.store = store
    try store.sayAlive(host: "here")
    try report(&disk, store)
    for hand in disk.hands {
      if hand.tag != nil { continue }
      let there = try store.standing(ofJob: hand.job)
      if case .claimed(let claim) = there?.state, claim.bench == name, there?.epoch == hand.epoch {
        continue
      }
      disk.hands.removeAll { $0.job == hand.job }
    }
    for index in disk.hands.indices where disk.hands[index].tag != nil {
      disk.hands[index].isAway = true
    }
    while true {
      try step()
      do {
        if disk.hands.isEmpty {
          try report(&disk, store)
          _ = try store.expire()
          try step()
          let claims = try store.claim(4, for: nil)
          if claims.isEmpty { return true }
          try step()
          disk.hands = claims.map { Disk.Hand(job: $0.job, epoch: $0.epoch) }
        }
        try step()
        for hand in disk.hands where !hand.isEntrusted && hand.tag == nil {
          let decision = try store.perform(
            .entrust(bench: name, epoch: hand.epoch), on: hand.job, as: EventID(),
            telling: told("entrusted"))
          let index = try #require(disk.hands.firstIndex { $0.job == hand.job })
          if case .refused = decision {
            disk.hands.remove(at: index)
          } else {
            disk.hands[index].isEntrusted = true
          }
          try step()
        }
      } catch PoolError.away {
        guard disk.hands.first?.isEntrusted == true || disk.hands.first?.tag != nil else {
          usleep(20_000)
          continue
        }
      }
      try serve(&disk, store)
    }
  }

  /// Puts the first job in hand on its tag, with the pool or without.
  private mutating func serve(_ disk: inout Disk, _ store: PoolStore) throws {
    guard var hand = disk.hands.first else { return }
    let message = Self.message(hand.job)
    if hand.isAway, let tag = hand.tag, reel.read(tag) != message {
      // Without the pool's word nothing is written on it.
      do {
        try report(&disk, store)
        let decision = try store.perform(
          .takeOver(bench: name, tag: tag), on: hand.job, as: EventID(),
          telling: told("resumed", tag))
        guard case .changed(let standing, _) = decision else {
          disk.hands.removeFirst()
          return
        }
        hand.epoch = standing.epoch
        hand.isAway = false
        disk.hands[0] = hand
      } catch PoolError.away {
        usleep(20_000)
        return
      }
    }
    let tag = hand.tag ?? reel.fresh()
    if hand.tag == nil {
      hand.tag = tag
      disk.hands[0] = hand
      disk.outbox.append(
        Disk.Entry(
          command: .bind(bench: name, epoch: hand.epoch, tag: tag, message: message),
          kind: "reserved", job: hand.job, tag: tag))
      try step()
      try? report(&disk, store)
      guard disk.hands.first?.job == hand.job else { return }
    }
    try step()
    reel.write(message, to: tag)
    try step()
    disk.outbox.append(
      Disk.Entry(
        command: .finish(bench: name, epoch: hand.epoch, tag: tag, message: message),
        kind: "written", job: hand.job, tag: tag))
    disk.hands.removeFirst()
    try step()
    try? report(&disk, store)
  }

  /// Tells the pool in order what it has not heard.
  private mutating func report(_ disk: inout Disk, _ store: PoolStore) throws {
    while let entry = disk.outbox.first {
      let decision = try store.perform(
        entry.command, on: entry.job, as: entry.id, telling: told(entry.kind, entry.tag))
      disk.outbox.removeFirst()
      if case .refused(let refusal) = decision, refusal != .superseded {
        Issue.record("a conflict that nobody has caused: \(refusal), job \(entry.job)")
      }
    }
  }
}

@Suite(
  "A pool whose benches, database and network die", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolChaosTests {
  /// Jobs, kills of benches, of the database, and cuts; `NFCPROG_POOL_CHAOS=5000,200,20,20` sets
  /// them.
  static let size: [Int] = {
    let text = ProcessInfo.processInfo.environment["NFCPROG_POOL_CHAOS"] ?? "200,12,2,2"
    return text.split(separator: ",").compactMap { Int($0) }
  }()

  @Test("puts every job on one tag, by the tags' own memories")
  func chaos() throws {
    let (jobs, kills, crashes, cuts) = (Self.size[0], Self.size[1], Self.size[2], Self.size[3])
    // Its own, which it may kill.
    let server = try PostgresServer(1)
    let networks = try (0..<4).map { _ in try Network(to: server.port) }
    let first = try server.pool("A17")
    try PoolStore.load(jobs, at: first)
    let database = first.connection.split(separator: "/").last.map(String.init) ?? ""
    let reel = Reel()
    let killed = Atomic(0)
    let working = Atomic(4)
    together(5) { index in
      guard index < 4 else {
        // The one who cuts cables and kills servers, evenly over the work.
        var numbers = Numbers(state: 7)
        var (crashed, cut) = (0, 0)
        while working.load(ordering: .relaxed) > 0, crashed < crashes || cut < cuts {
          let share = Double(reel.all.count) / Double(jobs)
          if cut < cuts, share > Double(cut) / Double(cuts + 1) {
            let network = networks[Int.random(in: 0..<4, using: &numbers)]
            network.cut()
            usleep(UInt32.random(in: 50_000...400_000, using: &numbers))
            network.heal()
            cut += 1
          } else if crashed < crashes, share > Double(crashed) / Double(crashes + 1) {
            do { try server.crash() } catch { Issue.record(error) }
            crashed += 1
          } else {
            usleep(5_000)
          }
        }
        return
      }
      defer { working.subtract(1, ordering: .relaxed) }
      var disk = Disk()
      var numbers = Numbers(state: UInt64(index) &* 977 &+ 5)
      do {
        let address = try server.address(database, "A17", networks[index].port)
        var isDone = false
        while !isDone {
          let wants = killed.load(ordering: .relaxed) < kills
          var bench = ChaosBench(
            "bench \(index)", address, reel,
            life: wants
              ? Int.random(in: 1...max(8, 40 * jobs / max(1, kills) / 8), using: &numbers) : .max)
          do {
            isDone = try bench.run(&disk)
          } catch is ChaosBench.Killed {
            killed.add(1, ordering: .relaxed)
          } catch let error as PoolError {
            guard case .away = error else { throw error }
            usleep(50_000)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    try finish(first, reel, jobs)
    print(
      "pool chaos: \(jobs) jobs, \(killed.load(ordering: .relaxed)) kills of benches, \(crashes) of the database, \(cuts) cuts"
    )
  }

  /// What a bench that was killed between a claim and its disk had claimed comes back when its
  /// lease is over; then each message is on one tag, and the pool says so of the same tag.
  private func finish(_ address: PoolAddress, _ reel: Reel, _ jobs: Int) throws {
    let store = try PoolStore(address, bench: "last", lease: .seconds(60))
    let deadline = ContinuousClock.now + .seconds(20)
    while try store.tally() != ["written": jobs], ContinuousClock.now < deadline {
      _ = try store.expire()
      var (disk, bench) = (Disk(), ChaosBench("last", address, reel, life: .max))
      _ = try bench.run(&disk)
      usleep(200_000)
    }
    #expect(try store.tally() == ["written": jobs])
    let holders = Dictionary(grouping: reel.all, by: \.value)
    #expect(holders.count == jobs)
    for job in 1...jobs {
      let tags = holders[ChaosBench.message(job)] ?? []
      #expect(tags.count == 1, "job \(job)")
      #expect(try store.standing(ofJob: job)?.state.binding?.tag == tags.first?.key, "job \(job)")
    }
    let events = try store.events(after: 0, limit: 100 * jobs).filter { $0.kind == "written" }
    #expect(events.count == jobs)
  }
}
