import Testing
import UniversalLinks

@Suite("A file and what Apple's CDN hands out meanwhile")
struct CachedFileTests {
  private static let app = "ABCDE12345.com.example.app"

  private static func file(_ path: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}]}}"#
  }

  @Test(
    "a warning says when the CDN's decides otherwise",
    arguments: [
      ("/t/*", "/t/?", true, false), ("/t/*", "/u", true, true), ("/u", "/t/*", false, true),
      ("/u", "/v", false, false),
    ])
  func cached(_ now: String, _ cached: String, wakes: Bool, warns: Bool) {
    let check = LinkCheck(
      url: "https://example.com/t/1",
      association: LinkCheck.Association(
        parsing: Self.file(now).utf8, cached: Array(Self.file(cached).utf8)), appIDs: [Self.app])
    #expect(check.wakesApp == wakes)
    #expect(check.findings.contains { $0.code == .cdnDecidesOtherwise } == warns)
  }

  @Test("what was odd about getting the file comes before what is wrong in it")
  func order() {
    let odd = Finding(.contentType, .address("https://example.com/x"), "Odd.")
    let association = LinkCheck.Association(parsing: "[]".utf8, findings: [odd])
    let check = LinkCheck(url: "https://example.com/t/1", association: association)
    #expect(check.findings.map(\.code) == [.contentType, .notAnObject])
    #expect("\(odd)" == "warning: https://example.com/x: Odd.")
  }

  @Test(
    "files mean the same whatever their white space and the order of their names",
    arguments: [
      (#"{"a":1,"b":[true,null]}"#, "{ \"b\" : [true, null],\n\"a\":1}", true),
      (#"{"a":1,"a":2}"#, #"{"a":2}"#, true),
      (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#, false),
      (#"{"a":1}"#, #"{"a":1,"b":1}"#, false),
      (#"{"a":{"b":"x"}}"#, #"{"a":{"b":"y"}}"#, false),
      (#"{"a":"1"}"#, #"{"a":1}"#, false),
      ("no JSON", "no JSON", true),
      ("no JSON", "no  JSON", false),
    ])
  func means(_ first: String, _ second: String, same: Bool) {
    #expect(SiteAssociation.means(Array(first.utf8), Array(second.utf8)) == same)
  }
}
