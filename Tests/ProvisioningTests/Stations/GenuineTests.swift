import PN532Simulator
import SeriesReports
import TagMemory
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A line for genuine tags alone")
struct GenuineTests {
  /// NTAG213 of the public vector, whose UID its maker has signed.
  private static let signed: [UInt8] = [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]

  @Test("sets others aside before they get a job, which no event of the journal names")
  func others() throws {
    let bench = try LineBench(codes: 1)
    let (other, genuine) = (
      try LineBench.tag(0), try TagCatalog.tag("ntag213", uid: Self.signed)
    )
    let (summary, outcomes) = try bench.run([TestReader("1", [other, genuine])]) {
      ($0.mustBeGenuine, $0.timeout) = (true, .seconds(30))
    }
    #expect(outcomes.first?.trouble?.cause == "not-genuine" && outcomes.first?.bin == .aside)
    #expect(outcomes.first?.job == nil && outcomes.first?.counts.writes == 0)
    #expect(summary.passed == 1 && summary.left == 1)
    #expect(LineBench.link(on: other) == nil && LineBench.link(on: genuine) != nil)
    let journal = try bench.journal.open()
    #expect(try journal.verify().isEmpty)
    var kinds: [String] = []
    try journal.render(try journal.report(), with: Outcomes(take: { kinds.append($0) })) { _ in }
    #expect(kinds == ["left", "written"], "the one that is not genuine was only left alone")
  }

  /// What became of each tag that was presented.
  private struct Outcomes: ReportRenderer {
    let take: (String) -> Void
    func head(_ report: Report) -> String { "" }
    func row(_ row: ReportRow) -> String {
      if row.subject == .tag { take(row.outcome) }
      return ""
    }
  }
}
