import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "Rows of a batch that do not fit a bench's tags", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolUnfitTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  /// A bench with small tags: the jobs up to `last` fit none of them.
  private func reserve(
    _ number: Int, _ run: SampleBench.Run, unfit last: Int
  ) throws -> ReservationOutcome {
    try run.session.reserve(for: run.tag(uid(number))) { (job, _) throws(JobRefusal) in
      guard job.number > last else { throw .unsuitedTag("Row \(job.number) needs a larger tag.") }
      return SampleList.message(job.number)
    }
  }

  @Test("hold up none behind them, and are left to benches with other tags")
  func heldUp() throws {
    let run = try SampleBench(text).begin(jobs: 90)
    for number in 1...3 {
      guard case .reserved(let reservation) = try reserve(number, run, unfit: 80) else {
        Issue.record("tag \(number) gets no job")
        return
      }
      #expect(reservation.job.number == 80 + number)
      try run.finish(reservation)
    }
    let larger = try SampleBench(text).begin(jobs: 90)
    for number in 11...90 { #expect(try larger.reserve(uid(number)) != nil) }
    let tally = try PoolStore(address, bench: "looker").tally()
    #expect(tally["written"] == 3 && tally["bound"] == 80, "\(tally)")
    try run.session.end()
    try larger.session.end()
  }

  @Test("are said where there are no others, and wait")
  func allOfThem() throws {
    let run = try SampleBench(text).begin(jobs: 30)
    for number in 1...2 {
      guard case .left(let trouble) = try reserve(number, run, unfit: 30) else {
        Issue.record("tag \(number) gets a job")
        return
      }
      #expect(trouble == TagTrouble(.unsuited, "Row 1 needs a larger tag."))
    }
    try run.session.end()
    #expect(try PoolStore(address, bench: "looker").tally() == ["pending": 30])
  }
}
