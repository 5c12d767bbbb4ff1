import Foundation
import GRDB
import LedgerSQLite
import Testing

@testable import SeriesReports

@Suite("A report of a long series")
struct LongReportTests {
  /// A journal with `count` finished jobs, made in one go.
  private func journal(_ bench: JournalBench, _ count: Int) throws -> Journal {
    let session = try bench.session(jobs: 1)
    try session.journal.write { db in
      // Events name jobs, and jobs their last event: jobs first, pending, then what happened to
      // them.
      try db.execute(
        sql: """
          INSERT INTO job (number, line, offset, name, records, locks, has_password, columns, row_digest)
          WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
          SELECT i, i + 1, i * 20, 'CODE-' || i, '[["uri","https://example.com/t/' || i || '"]]', 0, 0,
            '[["code","CODE-' || i || '"],["serial","S' || i || '"]]', randomblob(32) FROM n
          """, arguments: ["count": count])
      try db.execute(
        sql: """
          INSERT INTO event (session, kind, job, uid, tag, station, reader, started_at, duration, steps,
            digest, length, link, locked, protected, seal)
          SELECT 1, kind, number, CAST(printf('%07d', number) AS BLOB), 'ntag213', '1', 'pn532_uart:/dev/ttyUSB0',
            1800000000000 + number * 400, iif(kind = 'written', 80000, 0),
            iif(kind = 'written', '{"look":5100,"reserve":4000,"write":52000,"verify":9000}', NULL),
            CAST(printf('%032d', number) AS BLOB), iif(kind = 'reserved', 40, NULL),
            iif(kind = 'reserved', 'https://example.com/t/' || number, NULL),
            iif(kind = 'written', 0, NULL), iif(kind = 'written', 0, NULL), zeroblob(32)
          FROM job, (SELECT 'reserved' AS kind UNION ALL SELECT 'written') ORDER BY number, kind
          """)
      try db.execute(
        sql: """
          UPDATE job SET state = 'reserved', event = 2 * number, uid = CAST(printf('%07d', number) AS BLOB),
            tag = 'ntag213', message_digest = CAST(printf('%032d', number) AS BLOB), message_length = 40,
            uri = 'https://example.com/t/' || number
          """)
      try db.execute(
        sql: "UPDATE job SET state = 'written', is_locked = 0, is_protected = 0")
    }
    return session.journal
  }

  @Test("a page of 110,000 tags stays small enough for a browser, and names a file of all")
  func long() throws {
    let bench = try JournalBench()
    let count = 110_000
    let journal = try journal(bench, count)
    let report = try journal.report()
    #expect(report.inconsistencies == [] && report.isComplete && report.tally.written == count)
    #expect(ReportPage.isShort(of: report))
    var (page, rows, size) = ("", 0, 0)
    try journal.render(report, with: ReportPage(report, allRows: "all.csv")) { page += $0 }
    try journal.render(report, with: ReportCSV(report)) { text in
      rows += text.utf8.count { $0 == 0x0A }
      size += text.utf8.count
    }
    #expect(rows == 1 + 2 * count)
    #expect(page.utf8.count < 3_000_000)
    #expect(page.components(separatedBy: "<td class=\"n\">").count > 2 * ReportPage.limit)
    #expect(page.contains("CODE-2000</td>") && !page.contains("CODE-2001</td>"))
    #expect(page.contains("The first 2,000 of 110,000. All of them are in <b>all.csv</b>."))
  }

  @Test("a page of a short series has all rows and names no other file")
  func short() throws {
    let bench = try JournalBench()
    let journal = try journal(bench, 2000)
    let report = try journal.report()
    #expect(!ReportPage.isShort(of: report))
    var page = ""
    try journal.render(report, with: ReportPage(report)) { page += $0 }
    #expect(page.contains("CODE-2000</td>") && !page.contains("The first"))
  }
}
