import Testing
import UniversalLinks

@Suite("A file and what Apple's CDN hands out meanwhile")
struct CachedFileTests {
  private static let app = "Q7K2M9P4ZX.com.example.app"

  private static func file(_ path: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}]}}"#
  }

  @Test(
    "devices' file decides; a warning says when the site's own says otherwise",
    arguments: [
      ("/t/*", "/t/?", true, false), ("/t/*", "/u", true, true), ("/u", "/t/*", false, true),
      ("/u", "/v", false, false),
    ])
  func site(_ devices: String, _ site: String, wakes: Bool, warns: Bool) {
    let check = LinkCheck(
      url: "https://example.com/t/1",
      association: LinkCheck.Association(
        parsing: Self.file(devices).utf8, site: Array(Self.file(site).utf8)), appIDs: [Self.app])
    #expect(check.wakesApp == wakes)
    #expect(check.findings.contains { $0.code == .cdnDecidesOtherwise } == warns)
  }

  @Test("what devices get and nobody could ask is not known, unless the site itself says no")
  func unknown() {
    func check(_ path: String?) -> LinkCheck {
      LinkCheck(
        url: "https://example.com/t/1",
        association: LinkCheck.Association(
          unknown: [], host: "example.com", site: path.map { Array(Self.file($0).utf8) }))
    }
    #expect((check("/t/*").opens, check("/t/*").isUndecided) == (.unknown, true))
    #expect(check("/t/*").wouldWake == [Self.app] && !check("/t/*").wakesApp)
    #expect((check(nil).opens, check(nil).isUndecided) == (.unknown, true))
    #expect((check("/u").opens, check("/u").isUndecided) == (.browser, false))
  }

  @Test("a file that was handed over is for no host, unless somebody says for which")
  func handedOver() {
    func check(
      placed: Bool = false, assumed: Bool = false, host: String? = nil,
      entitlement: [String]? = nil, path: String = "/t/*"
    ) -> LinkCheck {
      var association = LinkCheck.Association(parsing: Self.file(path).utf8, host: host)
      (association.isPlaced, association.isAssumed) = (placed, assumed)
      return LinkCheck(
        url: "https://example.com/t/1", association: association, appIDs: [Self.app],
        entitlement: entitlement)
    }
    #expect((check().opens, check().wouldWake) == (.unknown, [Self.app]))
    #expect(check().findings.map(\.code) == [.unplacedAssociation])
    #expect(check().description.contains("would wake"))
    #expect((check(path: "/u").opens, check(path: "/u").wouldWake) == (.unknown, []))
    #expect(check(assumed: true).wakesApp)
    #expect(check(assumed: true).findings.map(\.code) == [.assumedAssociation])
    #expect(check(placed: true, host: "example.com").wakesApp)
    #expect(!check(placed: true, host: "example.org").wakesApp)
    #expect(check(entitlement: ["applinks:example.com"]).wakesApp)
    #expect(!check(entitlement: ["applinks:example.org"]).wakesApp)
  }

  @Test(
    "for a wildcard in the entitlement the parent's file serves every sub-domain, and not the parent",
    arguments: [
      ("www.example.com", "example.com", ["applinks:*.example.com"], true),
      ("a.b.example.com", "example.com", ["applinks:*.example.com"], true),
      ("www.example.com", "www.example.com", ["applinks:*.example.com"], false),
      ("example.com", "example.com", ["applinks:*.example.com"], false),
      ("example.com", "example.com", ["applinks:*.example.com", "applinks:example.com"], true),
      ("www.example.com", "example.com", ["applinks:www.example.com"], false),
      ("www.example.com", "www.example.com", ["applinks:www.example.com"], true),
      ("www.example.com", "example.com", nil, false),
    ] as [(String, String, [String]?, Bool)])
  func wildcard(_ host: String, _ from: String, _ entitlement: [String]?, wakes: Bool) {
    let check = LinkCheck(
      url: "https://\(host)/t/1",
      association: LinkCheck.Association(parsing: Self.file("/t/*").utf8, host: from),
      appIDs: [Self.app], entitlement: entitlement)
    #expect(check.wakesApp == wakes)
    #expect(wakes || check.findings.contains { $0.severity == .error })
  }

  @Test("which host's file devices ask for follows from the entitlement")
  func fileHost() {
    func host(_ lines: [String]?) -> String {
      AssociatedDomain.fileHost(for: "a.b.example.com", entitlement: lines)
    }
    #expect(host(nil) == "a.b.example.com")
    #expect(host(["applinks:*.example.com"]) == "example.com")
    #expect(host(["applinks:*.example.com", "applinks:*.b.example.com"]) == "b.example.com")
    #expect(host(["applinks:*.example.com", "applinks:a.b.example.com"]) == "a.b.example.com")
    #expect(host(["applinks:example.org"]) == "a.b.example.com")
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
