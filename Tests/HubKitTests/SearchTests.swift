import Foundation
import JobLists
import Ledger
import LedgerSQLite
import Testing

@testable import HubKit
@testable import Provisioning
@testable import TagMemory

@Suite("A search")
struct SearchTests {
  @Test(
    "knows a job's number where it is one",
    arguments: [
      ("11", 11), ("#11", 11), ("# 11", 11), ("Job 11", 11), ("job#11", 11), ("1,234", 1234),
      ("#000011", 11), ("000011", nil), ("0", nil), ("11a", nil), ("1,23", nil), ("", nil),
      ("9999999999", nil), ("job", nil),
    ])
  func number(text: String, number: Int?) {
    #expect(SearchText(text).job == number, "\(text)")
  }

  @Test("knows a UID as people write it")
  func uid() {
    for text in ["0479373a9e6c80", "04:79:37:3A:9E:6C:80", "04 79 37 3a 9e 6c 80"] {
      #expect(SearchText(text).uid == UID([0x04, 0x79, 0x37, 0x3A, 0x9E, 0x6C, 0x80]))
    }
    #expect(SearchText("0479").uid == nil && SearchText("Valve 7").uid == nil)
  }

  @Test("finds a text in the value of any column, in any case, and in no column's name")
  func columns() throws {
    let folder = NSTemporaryDirectory() + "search-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let journal = try Journal(at: folder + "/A17.journal", access: .readWrite(creating: true))
    let source = SourceDescription(kind: "csv", name: "jobs.csv")
    let rows = [("000011", "Room 5 \"Süd\""), ("B-2", "C:\\Lager"), ("B-3", "Öl, Halle 7")]
    _ = try journal.adopt(source) { (take) throws(JournalError) in
      for (index, row) in rows.enumerated() {
        let job = SampleJournal.job(index + 1)
        try take(
          PlannedJob(
            number: job.number, line: job.line, offset: job.offset, name: row.0,
            message: job.message, tagType: nil, locks: false, hasPassword: false,
            columns: [.init(name: "code", value: row.0), .init(name: "Platz", value: row.1)]))
      }
    }
    let store = try JournalHubStore(folder + "/A17.journal")
    func found(_ text: String) throws -> [Int] {
      let filter = JobFilter(text: SearchText(text))
      return try store.jobs(of: "A17", filter, after: 0, limit: 10).map(\.number)
    }
    for (text, numbers) in [
      ("room 5", [1]), ("\"süd\"", [1]), ("SÜD", [1]), ("c:\\lager", [2]), ("ÖL", [3]),
      ("halle", [3]), ("b-", [2, 3]), ("000011", [1]), ("platz", []), ("code", []), ("11", [1]),
      ("\",\"", []), ("]", []),
    ] {
      #expect(try found(text) == numbers, "\(text)")
    }
    #expect(
      try store.jobs(of: "A17", .init(text: SearchText("b-"), upTo: 2), after: 0, limit: 9).count
        == 1)
  }
}
