import Testing
import WebAddress

@testable import UniversalLinks

@Suite("Matching links with site associations")
struct MatcherTests {
  static let app = "Q7K2M9P4ZX.com.example.app"

  @Test(
    "gives the verdict of every vector, and the rule that decides",
    arguments: try MatchingVector.load())
  func verdict(_ vector: MatchingVector) throws {
    let association = try SiteAssociation(parsing: vector.file.utf8)
    let link = try Address(parsing: vector.url)
    let verdict = Matcher(association).verdict(link, for: vector.appID)
    #expect(verdict.outcome.rawValue == vector.outcome)
    let rule = verdict.decidedBy.map { "\($0.path)".dropFirst("$.applinks.".count) } ?? "-"
    #expect(rule == vector.rule)
    let claimed = Matcher(association).matches(link).contains { $0.appID == vector.appID }
    #expect(claimed == (verdict.outcome == .matched))
  }
}
