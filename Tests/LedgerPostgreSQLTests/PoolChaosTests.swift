import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// Tags that lie about, each with a memory of its own: the truth that the pool is held to.
private final class TagStack: Sendable {
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

/// A bench that works with the product's own code, and whose process "dies" wherever `Killed` is
/// thrown: what it has in memory is gone then, and what it has on its disk stays.
private struct ChaosBench {
  struct Killed: Error {}

  let address: String
  /// The bench's disk.
  let folder: String
  let tags: TagStack
  let jobs: Int
  /// How many steps are left until the process dies.
  var life: Int

  private mutating func step() throws {
    guard life > 0 else { throw Killed() }
    life -= 1
  }

  /// Works until the pool has no job, or the process dies.
  mutating func run() throws {
    let series = try PoolSeries(address, state: folder, extending: false, ahead: 4) { news in
      guard case .conflict = news else { return }
      Issue.record("a conflict that nobody has caused: \(news)")
    }
    let (jobs, tags) = (jobs, tags)
    let bench = try series.open(SampleList.source) {
      (journal, extending, take) throws(JournalError) in
      try SampleList.adopt(jobs, into: journal, extending, take)
    }
    let session = try bench.journal.begin(operator: "", command: "test", version: "1")
    do {
      while try serve(bench.journal, session, tags) {}
      try session.end()
    } catch {
      bench.abandon()
      throw error
    }
  }

  /// Puts the next job on a tag; first those of tags that it was at when it died. False: the pool
  /// has none.
  private mutating func serve(
    _ journal: Journal, _ session: JournalSession, _ tags: TagStack
  ) throws -> Bool {
    try step()
    // The dead one was of this process, so that nothing tells it from one that is at work.
    let waiting = try journal.reservations().first
    if waiting == nil, try journal.jobsLeft() == 0 { return false }
    let tag = PresentedTag(
      uid: UID(waiting?.uid.bytes ?? tags.fresh()), tagType: "ntag213", station: "1", reader: "sim")
    let uid = tag.uid?.bytes ?? []
    try step()
    if case .written = try tag.uid.flatMap(journal.history) { return true }
    var reservation: Reservation?
    if let content = tags.read(uid) { reservation = try session.takeUp(tag, holding: content) }
    if reservation == nil {
      try step()
      let outcome = try session.reserve(for: tag) { (job, _) throws(JobRefusal) in
        SampleList.message(job.number)
      }
      guard case .reserved(let made) = outcome else {
        // Another bench has what is left, or the database is away.
        usleep(20_000)
        return true
      }
      reservation = made
    }
    guard let reservation else { return true }
    try step()
    tags.write(reservation.message, to: uid)
    try step()
    _ = try session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: Timing(started: .now, duration: .milliseconds(60)))
    return true
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
    let folder = NSTemporaryDirectory() + "pool-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = first.connection.split(separator: "/").last.map(String.init) ?? ""
    let tags = TagStack()
    let killed = Atomic(0)
    let working = Atomic(4)
    together(5) { index in
      guard index < 4 else {
        // The one who cuts cables and kills servers, evenly over the work.
        var numbers = Numbers(state: 7)
        var (crashed, cut) = (0, 0)
        while working.load(ordering: .relaxed) > 0, crashed < crashes || cut < cuts {
          let share = Double(tags.all.count) / Double(jobs)
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
      var numbers = Numbers(state: UInt64(index) &* 977 &+ 5)
      do {
        let address = server.addressText(database, "A17", networks[index].port)
        var isDone = false
        while !isDone {
          let wants = killed.load(ordering: .relaxed) < kills
          var bench = ChaosBench(
            address: address, folder: "\(folder)/\(index)", tags: tags, jobs: jobs,
            life: wants
              ? Int.random(in: 1...max(8, 40 * jobs / max(1, kills) / 8), using: &numbers) : .max)
          do {
            try bench.run()
            isDone = true
          } catch is ChaosBench.Killed {
            killed.add(1, ordering: .relaxed)
          } catch JournalError.pool(.away, _) {
            usleep(50_000)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    try check(first, tags, jobs)
    print(
      "pool chaos: \(jobs) jobs, \(killed.load(ordering: .relaxed)) kills of benches, \(crashes) of the database, \(cuts) cuts"
    )
  }

  /// Each message is on one tag, the pool says so of the same tag, and has heard of each once.
  private func check(_ address: PoolAddress, _ tags: TagStack, _ jobs: Int) throws {
    let store = try PoolStore(address, bench: "last", lease: .seconds(60))
    #expect(try store.tally() == ["written": jobs])
    let holders = Dictionary(grouping: tags.all, by: \.value)
    #expect(holders.count == jobs)
    for job in 1...jobs {
      let tags = holders[SampleList.message(job)] ?? []
      #expect(tags.count == 1, "job \(job)")
      #expect(try store.standing(ofJob: job)?.state.binding?.tag == tags.first?.key, "job \(job)")
    }
    let events = try store.events(after: 0, limit: 100 * jobs).filter { $0.kind == "written" }
    #expect(events.count == jobs)
  }
}
