import Foundation
import Synchronization

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

/// A bench with a disk of its own, between runs of its program.
final class SampleBench: Sendable {
  let folder = NSTemporaryDirectory() + "bench-\(UInt64.random(in: 0 ... .max))"
  let address: String
  let news = Mutex<[PoolNews]>([])

  init(_ address: String) { self.address = address }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  struct Run {
    let bench: PoolBench
    let session: JournalSession
    var journal: Journal { bench.journal }

    /// Reserves a job for a tag; nil, and why not, in `outcome`.
    func reserve(_ uid: [UInt8], outcome: inout ReservationOutcome?) throws -> Reservation? {
      let made = try session.reserve(for: tag(uid)) { (job, _) throws(JobRefusal) in
        SampleList.message(job.number)
      }
      outcome = made
      if case .reserved(let reservation) = made { return reservation }
      return nil
    }

    func reserve(_ uid: [UInt8]) throws -> Reservation? {
      var outcome: ReservationOutcome?
      return try reserve(uid, outcome: &outcome)
    }

    func finish(_ reservation: Reservation) throws {
      _ = try session.complete(
        reservation,
        verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
        timing: Timing(started: .now, duration: .milliseconds(60)))
    }

    func tag(_ uid: [UInt8]) -> PresentedTag {
      PresentedTag(uid: UID(uid), tagType: "ntag213", station: "1", reader: "sim")
    }
  }

  func begin(
    jobs: Int, ahead: Int = 4, extending: Bool = false, lost: LostBatches = .refused,
    _ source: SourceDescription = SampleList.source
  ) throws -> Run {
    let series = try PoolSeries(
      address, state: folder, extending: extending, ahead: ahead, lostBatches: lost
    ) { [self] told in news.withLock { $0.append(told) } }
    let bench = try series.open(source) { (journal, extending, take) throws(JournalError) in
      try SampleList.adopt(jobs, into: journal, extending, as: source, take)
    }
    return Run(
      bench: bench,
      session: try bench.journal.begin(operator: "Ann", command: "test", version: "1"))
  }

  /// Whether the pool has heard of everything.
  func isTold(_ run: Run) throws -> Bool {
    run.bench.poke()
    return try run.journal.untoldCount() == 0
      && run.journal.firstUntoldInspection() == nil
  }
}
