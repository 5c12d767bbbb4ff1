import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// Tags that lie about, each with a memory of its own: the truth that the pool is held to.
final class TagStack: Sendable {
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

  /// Each message is on one tag, the pool says so of the same tag, and has heard of each once.
  func check(_ address: PoolAddress, _ jobs: Int) throws {
    let store = try PoolStore(address, bench: "last", lease: .seconds(60))
    let tally = try store.tally()
    #expect(tally == ["written": jobs])
    let holders = Dictionary(grouping: all, by: \.value)
    #expect(holders.count == jobs)
    for job in 1...jobs {
      let tags = holders[SampleList.message(job)] ?? []
      #expect(tags.count == 1, "job \(job)")
      #expect(try store.standing(ofJob: job)?.binding?.tag == tags.first?.key, "job \(job)")
    }
    let events = try store.events(after: 0, limit: 100 * jobs).filter { $0.kind == "written" }
    #expect(events.count == jobs)
  }
}

/// A bench that works with the product's own code, and whose process "dies" wherever `Killed` is
/// thrown: what it has in memory is gone then, and what it has on its disk stays.
struct ChaosBench {
  struct Killed: Error {}

  let address: String
  /// The bench's disk.
  let folder: String
  let tags: TagStack
  let jobs: Int
  /// How many steps are left until the process dies.
  var life: Int
  /// What happens when so many are left.
  var incident: (left: Int, happen: () -> Void)?

  private mutating func step() throws {
    guard life > 0 else { throw Killed() }
    life -= 1
    if let incident, incident.left == life { incident.happen() }
  }

  /// Begins and ends, without a tag.
  func report() throws {
    let bench = try open()
    try bench.journal.begin(operator: "", command: "test", version: "1").end()
  }

  private func open() throws -> PoolBench {
    let series = try PoolSeries(address, state: folder, extending: false, ahead: 4) { news in
      guard case .conflict = news else { return }
      Issue.record("a conflict that nobody has caused: \(news)")
    }
    return try series.open { (journal, extending) throws(JournalError) in
      try SampleList.adopt(1...jobs, into: journal, extending)
    }
  }

  /// Works until the pool has no job, or the process dies.
  mutating func run() throws {
    let bench = try open()
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
