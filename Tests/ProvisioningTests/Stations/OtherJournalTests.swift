import Foundation
import JobLists
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A tag of a list's other journal")
struct OtherJournalTests {
  struct List: Sendable, CustomTestStringConvertible {
    let table: String
    let records: [(String, String)]
    var testDescription: String { "\(records)" }

    init(_ table: String, _ records: (String, String)...) {
      (self.table, self.records) = (table, records)
    }
  }

  /// What makes rows differ stands in a column of any name, or in none.
  static let lists = [
    List("code,url\nA,https://e.co/x1\nB,https://e.co/x2\n", ("uri", "{url}")),
    List("code,url\nX1,https://e.co/x1\nX2,https://e.co/x2\n", ("uri", "{url}")),
    List("url\nhttps://e.co/x1\nhttps://e.co/x2\n", ("uri", "{url}")),
    List("code,serial\nA,17\nB,18\n", ("uri", "https://e.co/t?s={serial}#a")),
    List("code,a,b\nA,1,7\nB,1,8\n", ("uri", "https://e.co/{a}{b}")),
    List("code\nA\nB\n", ("uri", "https://e.co/{counter:6}")),
    List("code\nA\nB\n", ("uri", "https://e.co/{uid}")),
    List("code,n\nA,1\nB,2\n", ("uri", "https://e.co/{date}/{n}")),
    List("code\nA\nB\n", ("uri", "https://e.co/{random:12}")),
    List("code,n\nA,1\nB,2\n", ("uri", "https://b\u{FC}cher.example/\u{E4} {n}")),
    List("code,n\nA,\"a \"\"b\"\" \\1\"\nB,\"a \"\"b\"\" \\2\"\n", ("text", "No. {n}")),
    List("code,n\nA,{1}\nB,{2}\n", ("lang", "de"), ("text", "Nr. {n}"), ("uri", "tel:+49")),
    List("code,n\nA,1\nB,2\n", ("smart-poster", "https://e.co/{n},title=Room")),
    List("code,n\nA,1\nB,2\n", ("mime", "text/plain=No. {n}")),
  ]

  private func bench(_ list: List) throws -> LineBench {
    let journal = try JournalBench()
    let file = journal.folder.appending(path: "jobs.csv")
    try Data(list.table.utf8).write(to: file)
    return LineBench(journal, try JobSource(.table(file.path), settings(list.records)))
  }

  @Test("is known by what it holds, whatever its row is called", arguments: lists)
  func known(_ list: List) throws {
    let tags = try (0..<2).map { try LineBench.tag($0) }
    let first = try bench(list).run([TestReader("1", tags)]) { $0.timeout = .seconds(20) }
    #expect(first.summary.passed == 2, "\(first.summary)")
    for (overwrite, tag) in [(false, tags[1]), (true, tags[1]), (true, tags[0])] {
      let memory = tag.eeprom.bytes
      tag.powerOff()
      let ending = try bench(list).run([TestReader("1", [tag])]) { $0.overwrite = overwrite }
      guard case .journal(.listHasJournal) = ending.summary.ending else {
        Issue.record("\(ending.summary)")
        continue
      }
      #expect(tag.eeprom.bytes == memory)
    }
    // Another message is none of them.
    let other = try LineBench.tag(2)
    #expect(ChangingBench.run(.write(try .init([.empty]), WriteOptions()), on: other))
    let foreign = try bench(list).run([TestReader("1", [other])])
    #expect(foreign.outcomes.allSatisfy { $0.trouble?.known != .otherJournal }, "\(foreign)")
  }
}
