import HubKit
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import Provisioning
import Testing

@testable import SeriesReports

/// The report of a pool and what a hub shows of it say the same: how many, how good and why, and
/// which tag has which job.
func expectAgreement(of address: PoolAddress) throws {
  let (name, journal) = (address.batch, try Journal(copying: address))
  let report = try journal.report()
  #expect(report.inconsistencies == [])
  let hub = PoolHubStore(try PoolViewer(address))
  let (batch, tally) = (try hub.batch(name), report.tally)
  #expect([batch.pending, batch.reserved] == [tally.pending, tally.reserved])
  #expect(batch.written == tally.written && 0...batch.pending ~= batch.claimed)
  #expect(batch.types == report.goodTypes)
  #expect([batch.jobs, batch.failed, batch.scrap] == [tally.jobs, tally.failed, tally.scrap])

  var (told, last): (Figures, Int64) = (Figures(), 0)
  while case let events = try hub.events(of: name, after: last, limit: 500), let end = events.last {
    for event in events { told.take(event.event) }
    last = end.event.number
  }
  #expect(told == report.figures)
  #expect(try hub.figures(of: name, upTo: last) == report.figures)
  // However the work is divided, it is the same work.
  #expect(report.readers.reduce(0) { $0 + $1.failed } == report.failed)
  #expect(report.sessions.reduce(0) { $0 + $1.failed } == report.failed)
  #expect(report.shifts.reduce(0) { $0 + $1.failed } == report.failed)
  #expect(report.periods.reduce(0) { $0 + $1.failed } == report.failed)
  #expect(report.readers.reduce(0) { $0 + $1.written } == report.successes)

  var (jobs, outcomes): ([ReportRow], [String: Int]) = ([], [:])
  try journal.reading { reading in
    try reading.forEachRow { row in
      if row.subject == .job { jobs.append(row) } else { outcomes[row.outcome, default: 0] += 1 }
    }
  }
  #expect(outcomes["written", default: 0] == report.successes)
  // What a pool has contradicted before is left alone, and counted once.
  #expect(outcomes["left", default: 0] >= report.leftAlone)
  var listed: [ListedJob] = []
  while case let more = try hub.jobs(
    of: name, JobFilter(), after: listed.last?.number ?? 0, limit: 500), !more.isEmpty
  {
    listed += more
  }
  #expect(listed.map(\.number) == jobs.map(\.job))
  for (shown, row) in zip(listed, jobs) {
    #expect(shown.state.rawValue == row.outcome, "\(shown)")
    #expect(shown.tag == row.uid?.bytes, "\(shown)")
    #expect(shown.uri == row.uri && shown.name == row.name, "\(shown)")
  }
}
