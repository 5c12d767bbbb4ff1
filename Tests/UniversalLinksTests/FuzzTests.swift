import SeededNumbers
import Testing
import WebAddress

@testable import UniversalLinks

@Suite("Random and broken input")
struct FuzzTests {
  private static let seedFile = """
    {"applinks": {"apps": [], "defaults": {"caseSensitive": true},
      "substitutionVariables": {"food": ["burrito", "t?rt", "*"]},
      "details": [
        {"appIDs": ["Q7K2M9P4ZX.com.example.app"], "defaults": {"percentEncoded": false},
         "components": [{"/": "/buy/$(food)/*", "?": {"id": "????"}, "exclude": true},
           {"/": "caf\\u00e9", "#": "*", "caseSensitive": false}, {"?": "a=1"}, {}]},
        {"appID": "Q7K2M9P4ZX.com.example.app2", "paths": ["NOT /b/*", "*"]}]},
     "appclips": {"apps": ["Q7K2M9P4ZX.com.example.app.Clip"]}}
    """

  @Test("a mutated file gives an error or a verdict for every app, 3000 times")
  func mutatedFiles() throws {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\u", "$(", ")", "*", "?", "NOT ", "null", "1e9",
      "\u{FEFF}", "\n",
    ]
    let links = try [
      "https://example.com/buy/tart/1?id=1234", "https://example.com", "https://example.com/b/c#x",
    ].map {
      try Address(parsing: $0)
    }
    var readable = 0
    for _ in 0..<3_000 {
      var bytes = Array(Self.seedFile.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2:
          bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)!.utf8), at: index)
        default:
          bytes.removeSubrange(
            index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
        }
      }
      let findings = Lint.findings(parsing: bytes)
      guard let association = try? SiteAssociation(parsing: bytes) else {
        #expect(findings.contains { $0.severity == .error })
        continue
      }
      readable += 1
      let matcher = Matcher(association)
      for link in links {
        let claimed = Set(matcher.matches(link).map(\.appID))
        for appID in association.appIDs {
          let outcome = matcher.verdict(link, for: appID).outcome
          #expect(claimed.contains(appID) == (outcome == .matched))
        }
      }
    }
    #expect(readable > 300)
  }

  @Test("a random URL is refused or stays as the device sees it, 30000 times")
  func randomURLs() throws {
    var random = SeededGenerator(seed: 6)
    let parts = [
      "https", "://", ":", "/", "//", "?", "#", "@", "[", "]", "%", "%2F", "%zz", "é", "例", " ",
      "a", "B", ".", "example.com", "&", "=", "\u{7F}", "xn--",
    ]
    // Most random hosts are none: the other parts are to be read, too.
    let starts = ["", "https://", "https://example.com/", "https://example.com", "myapp:"]
    var read = 0
    for _ in 0..<30_000 {
      let start = starts.randomElement(using: &random)!
      let text = start + random.text(of: parts, upTo: 8)
      guard let link = try? Address(parsing: text) else { continue }
      read += 1
      let seen = try Address(parsing: "\(link)")
      #expect("\(seen)" == "\(link)")
      #expect((seen.host, seen.path, seen.query) == (link.host, link.path, link.query))
      #expect("\(link)".utf8.allSatisfy { (0x21..<0x7F).contains($0) })
      _ = Lint.findings(link)
    }
    #expect(read > 5_000)
  }

  @Test("a rule reported as masked never decides, in 3000 random files")
  func maskedNeverDecides() throws {
    var random = SeededGenerator(seed: 7)
    let pieces = ["a", "A", "/", "*", "?", "b", "$(digit)", "$(v)", "1"]
    let texts = ["a", "A", "/", "b", "1", "%20"]
    var masked = 0
    func component() -> String {
      var members: [String] = []
      func pattern() -> String { "\"" + random.text(of: pieces, upTo: 3) + "\"" }
      if Bool.random(using: &random) { members.append(#""/":"# + pattern()) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: members.append(#""?":"# + pattern())
      case 1: members.append(#""?":{"a":"# + pattern() + "}")
      case 2: members.append(#""?":{"A":\#(pattern()),"b":\#(pattern())}"#)
      default: break
      }
      if Int.random(in: 0..<4, using: &random) == 0 { members.append("\"#\":" + pattern()) }
      if Int.random(in: 0..<3, using: &random) == 0 { members.append(#""caseSensitive":false"#) }
      if Int.random(in: 0..<4, using: &random) == 0 { members.append(#""percentEncoded":false"#) }
      if Bool.random(using: &random) { members.append(#""exclude":true"#) }
      return "{" + members.joined(separator: ",") + "}"
    }
    for _ in 0..<3_000 {
      let rules = (0..<4).map { _ in component() }.joined(separator: ",")
      let file = #"""
        {"applinks":{"substitutionVariables":{"v":["a","b*"]},"details":[{\#
        "appIDs":["Q7K2M9P4ZX.com.example.app"],"components":[\#(rules)]}]}}
        """#
      let association = try SiteAssociation(parsing: file.utf8)
      let hidden = Set(Lint.masked(in: association).map(\.place))
      masked += hidden.count
      guard !hidden.isEmpty else { continue }
      for _ in 0..<20 {
        let query = random.text(of: ["a=", "A=", "b=", "&", "1", "a", "b"], upTo: 5)
        let link = try Address(
          parsing: "https://example.com/\(random.text(of: texts, upTo: 4))?\(query)"
            + (Bool.random(using: &random) ? "#a" : ""))
        let verdict = Matcher(association).verdict(link, for: "Q7K2M9P4ZX.com.example.app")
        if let rule = verdict.decidedBy {
          #expect(!hidden.contains(.json(rule.path, rule.position)), "\(rules) \(link)")
        }
      }
    }
    #expect(masked > 500)
  }

  @Test("a check that says no has a reason, and one that says yes has no error of the link")
  func reasons() {
    var random = SeededGenerator(seed: 8)
    let hosts = [
      "example.com", "EXAMPLE.com", "example.com:80", "u@example.com", "localhost", "", "1.2.3.4",
      "maps.apple.com",
    ]
    let association = LinkCheck.Association(parsing: Self.seedFile.utf8)
    for _ in 0..<3_000 {
      let scheme = ["https://", "http://", "tel:", "x:", "sms:"].randomElement(using: &random)!
      let url =
        scheme + hosts.randomElement(using: &random)! + "/"
        + random.text(of: ["b", "/", "?", "a=1", "%", "#x"], upTo: 4)
      let apps = [[], ["Q7K2M9P4ZX.com.example.app"], ["other"]].randomElement(using: &random)!
      let check = LinkCheck(url: url, association: association, appIDs: apps)
      #expect(check.wakesApp == (check.opens == .app))
      if check.wakesApp {
        #expect(!check.appIDs.isEmpty && check.decidedBy?.outcome == .matched)
        #expect(!check.findings.contains { $0.place == .url && $0.severity == .error })
      } else {
        #expect(!check.findings.isEmpty)
      }
    }
  }
}
