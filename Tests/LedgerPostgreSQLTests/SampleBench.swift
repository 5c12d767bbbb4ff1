import Foundation
import JobLists
import Synchronization
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// A bench with a disk of its own, between runs of its program.
final class SampleBench: Sendable {
  let folder = NSTemporaryDirectory() + "bench-\(UInt64.random(in: 0 ... .max))"
  let address: String
  /// What was said that is not good.
  let news = Mutex<[PoolNews]>([])
  /// That a batch was loaded, and that a restored database knows all again.
  let goodNews = Mutex<[PoolNews]>([])

  init(_ address: String) { self.address = address }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  struct Run {
    let bench: PoolBench
    let session: JournalSession
    var journal: Journal { bench.journal }

    /// Reserves a job for a tag; nil, and why not, in `outcome`. `code`: what its message holds in
    /// place of its own.
    func reserve(
      _ uid: [UInt8], code: Int? = nil, outcome: inout ReservationOutcome?
    ) throws -> Reservation? {
      let made = try session.reserve(for: tag(uid)) { (job, _) throws(JobRefusal) in
        SampleList.message(code ?? job.number)
      }
      outcome = made
      if case .reserved(let reservation) = made { return reservation }
      return nil
    }

    func reserve(_ uid: [UInt8], code: Int? = nil) throws -> Reservation? {
      var outcome: ReservationOutcome?
      return try reserve(uid, code: code, outcome: &outcome)
    }

    func finish(_ reservation: Reservation) throws {
      _ = try session.complete(
        reservation,
        verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
        timing: Timing(started: .now, duration: .milliseconds(60)))
    }

    /// Puts jobs on the tags with these numbers.
    func write(_ numbers: ClosedRange<Int>) throws {
      for number in numbers { try finish(#require(try reserve(uid(number)))) }
    }

    /// The tag went away while it was written.
    func hold(_ reservation: Reservation) throws {
      try session.hold(
        reservation, because: Self.lost, timing: Timing(started: .now, duration: .zero))
    }

    /// The same of a tag on which nothing was written.
    func giveBack(_ reservation: Reservation) throws {
      try session.giveBack(
        reservation, because: Self.lost, isScrap: false,
        timing: Timing(started: .now, duration: .zero))
    }

    private static let lost = TagTrouble(.lost, "It went away.")

    func tag(_ uid: [UInt8]) -> PresentedTag {
      PresentedTag(uid: UID(uid), tagType: "ntag213", station: "1", reader: "sim")
    }
  }

  func begin(
    jobs: Int, ahead: Int = 4, extending: Bool = false, lost: LostBatches = .refused,
    wishing wish: PlaceWish = PlaceWish(), prints: Bool = false,
    _ source: SourceDescription = SampleList.source
  ) throws -> Run {
    let bench = try open(
      codes: 1...jobs, ahead: ahead, extending: extending, lost: lost, wishing: wish, source)
    return Run(
      bench: bench,
      session: try bench.journal.begin(
        operator: "Ann", command: "test", version: "1", deliveringResults: prints,
        printingLabels: prints))
  }

  /// Opens its place at the pool, with a list of these codes.
  func open(
    codes: some Sequence<Int> & Sendable, ahead: Int = 4, extending: Bool = false,
    lost: LostBatches = .refused, wishing wish: PlaceWish = PlaceWish(),
    _ source: SourceDescription = SampleList.source
  ) throws -> PoolBench {
    try open(ahead: ahead, extending: extending, lost: lost, wishing: wish) {
      (journal, extending) throws(JournalError) in
      try SampleList.adopt(codes, into: journal, extending, as: source)
    }
  }

  /// The same with a list that `adopt` reads, or that is the pool's own.
  func open(
    ahead: Int = 4, extending: Bool = false, list: PooledList? = nil, lost: LostBatches = .refused,
    wishing wish: PlaceWish = PlaceWish(), adopting adopt: PoolSeries.Adopting
  ) throws -> PoolBench {
    var series = try PoolSeries(
      address, state: folder, extending: extending, ahead: ahead, list: list, lostBatches: lost
    ) { [self] told in
      switch told {
      case .made, .reminded: goodNews.withLock { $0.append(told) }
      default: news.withLock { $0.append(told) }
      }
    }
    series.wish = wish
    return try series.open(adopt)
  }

  /// Whether the pool has heard of everything.
  func isTold(_ run: Run) throws -> Bool {
    run.bench.poke()
    return try run.journal.untoldCount() == 0
      && run.journal.firstUntoldInspection() == nil
  }
}
