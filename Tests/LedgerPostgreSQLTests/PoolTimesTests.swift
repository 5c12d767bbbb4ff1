import Foundation
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import SeriesReports
@testable import TagMemory

@Suite(
  "Times in a pool", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolTimesTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  @Test(
    "end no program, whatever a row says", arguments: [(Int64.max, Int64.max), (.min, .min)])
  func beyond(started: Int64, duration: Int64) throws {
    let run = try SampleBench(text).begin(jobs: 3)
    let uids = (1...2).map { uid($0) }
    let reservation = try #require(try run.reserve(uids[0]))
    try run.finish(reservation)
    let job = reservation.job.number
    try PQConnection(address).run(
      """
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, started_at, duration, steps)
      SELECT 1, uuid_send(gen_random_uuid()), 'B', kind, \(job), '\\x04000000000001', \(started),
        \(duration), '{"read": 1e30, "write": "x"}' FROM (VALUES ('written'), ('returned')) AS event (kind);
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, started_at, duration,
        sets_aside)
      VALUES (1, uuid_send(gen_random_uuid()), 'B', 'returned', \(job), '\\x04000000000002',
        \(started), \(duration), true);
      INSERT INTO nfcprog.session (id, batch, bench, operator, command, version, host, begun_at,
        ended_at) VALUES (uuid_send(gen_random_uuid()), 1, 'B', '', '', '', '', \(started),
        \(started));
      INSERT INTO nfcprog.inspection (uuid, batch, job, uid, reason, result, inspected_at)
      VALUES (uuid_send(gen_random_uuid()), 1, \(job), '\\x04000000000001', 'first', 'good',
        \(started))
      """)
    for uid in uids { #expect(try run.bench.history(of: UID(uid)) != nil) }
    try run.session.end()
    let file = NSTemporaryDirectory() + "times-\(UInt64.random(in: 0 ... .max)).journal"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Journal.export(text, to: file)
    let journal = try Journal(at: file, access: .readOnly)
    for uid in uids { #expect(try journal.history(of: UID(uid)) != nil) }
    var written = ""
    let report = try journal.report()
    try journal.render(report, with: ReportCSV(report)) { written += $0 }
    try journal.render(report, with: ReportPage(report)) { written += $0 }
    written += report.lines.joined()
    #expect(written.contains("04:00:00:00:00:00:02"))
  }

  @Test("make a journal also where rows lack what belongs to them, or say it twice")
  func oddRows() throws {
    let pool = try SamplePool()
    let bench = SampleBench(pool.text)
    let run = try bench.begin(jobs: 3)
    try run.finish(#require(try run.reserve([0x04, 0, 0, 0, 0, 0, 1])))
    try run.session.end()
    func event(_ kind: String, _ job: String, _ uid: String, _ keys: String = "NULL") -> String {
      """
      INSERT INTO nfcprog.event (batch, uuid, bench, kind, job, uid, started_at, duration, keys)
        VALUES (1, uuid_send(gen_random_uuid()), 'B', '\(kind)', \(job), \(uid), 0, 0, \(keys));
      """
    }
    func inspection(_ job: Int, _ reason: String, _ result: String, _ cause: String) -> String {
      """
      INSERT INTO nfcprog.inspection (uuid, batch, job, uid, reason, result, cause, inspected_at)
        VALUES (uuid_send(gen_random_uuid()), 1, \(job), '\\x04000000000001', '\(reason)', \(result),
        \(cause), 0);
      """
    }
    try PQConnection(pool.address).run(
      [
        event("returned", "NULL", "'\\x04000000000009'"), event("held", "2", "NULL"),
        event("reserved", "99", "'\\x04000000000009'"), event("sung", "2", "NULL"),
        event("passed", "1", "NULL", "'no keys'"), event("passed", "1", "NULL", "'[[[]],[[]]]'"),
        // Two benches wait for the inspection of one tag.
        inspection(1, "first", "NULL", "NULL"), inspection(1, "every", "NULL", "NULL"),
        inspection(1, "dance", "NULL", "NULL"), inspection(1, "first", "'bad'", "NULL"),
        inspection(99, "first", "'good'", "NULL"),
      ].joined(separator: "\n"))
    let copy = try Journal(at: pool.text, access: .readOnly)
    let faults = try copy.verify()
    #expect(faults == [])
    #expect(try copy.report().leftAlone == 6)
    #expect(try copy.inspectionsDue().count == 1)
    #expect(try copy.inspection(ofJob: 1)?.reason == .every)
  }
}
