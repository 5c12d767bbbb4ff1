import NDEF
import SeededNumbers
import Testing

@testable import UniversalLinks

@Suite("Links of which a tag fills in a part")
struct VaryingLinkTests {
  private static let app = "Q7K2M9P4ZX.com.example.app"

  private static func association(_ components: String) -> LinkCheck.Association {
    LinkCheck.Association(
      parsing: """
        {"applinks": {"details": [{"appIDs": ["\(app)"], "components": [\(components)]}]}}
        """.utf8, host: "example.com")
  }

  /// A message with the link; each `_` is a digit that the tag fills in.
  private static func message(_ link: String, _ choices: String = "0123456789ABCDEF") throws
    -> VaryingMessage
  {
    let bytes = try Message(URIRecord(link).record).serialize()
    let places = bytes.indices.filter { bytes[$0] == UInt8(ascii: "_") }
    return VaryingMessage(bytes, places.map { .init(offset: $0, choices: Array(choices.utf8)) })
  }

  private static func answer(_ link: String, _ components: String) throws -> Conclusion.Answer {
    LinkCheck(try message(link), association: association(components)).conclusion.answer
  }

  @Test(
    "a certain yes holds for whatever the tag fills in, and a certain no as well",
    arguments: [
      (#"{"/": "/t/04*", "exclude": true}, {"/": "/t/*"}"#, "/t/04____________", .no),
      (#"{"/": "/t/04*", "exclude": true}, {"/": "/t/*"}"#, "/t/______________", .notKnown),
      (#"{"/": "/t/uid*"}"#, "/t/______________", .no),
      (#"{"/": "/t/*"}"#, "/t/______________", .yes),
      (#"{"/": "/t/??????"}"#, "/t/______", .yes), (#"{"/": "/t/?????"}"#, "/t/______", .no),
      (#"{"/": "/t/$(xdigit)$(xdigit)"}"#, "/t/__", .yes),
      (#"{"/": "/t/$(digit)$(xdigit)"}"#, "/t/__", .notKnown),
      (#"{"/": "/t/$(lower)$(lower)", "caseSensitive": false}"#, "/t/__", .notKnown),
      (#"{"/": "/t/$(digit)"}, {"/": "/t/$(upper)"}"#, "/t/_", .yes),
      (#"{"/": "/t", "?": {"n": "??"}}"#, "/t?n=__", .yes),
      (#"{"/": "/t", "?": {"n": "0?"}}"#, "/t?n=__", .notKnown),
      (#"{"/": "/t", "?": "n=??"}"#, "/t?n=__", .yes),
      (##"{"/": "/t", "#": "??"}"##, "/t#__", .yes),
      (#"{"/": "/t", "?": {"n": "?"}}"#, "/t?_=1", .notKnown),
    ] as [(String, String, Conclusion.Answer)])
  func certain(_ components: String, _ path: String, _ expected: Conclusion.Answer) throws {
    #expect(try Self.answer("https://example.com" + path, components) == expected)
  }

  @Test("what is in the host, or too much to be tried, is not certain")
  func uncertain() throws {
    #expect(try Self.answer("https://_.example.com/t", #"{"/": "*"}"#) != .yes)
    let long = String(repeating: "_", count: 40)
    let many = (0..<12).map { #"{"/": "/*\#($0)*A*B\#($0)*"}"# }.joined(separator: ",")
    #expect(try Self.answer("https://example.com/" + long, many) == .notKnown)
  }

  @Test("one that hangs on the tag says so, with a link of each kind")
  func said() throws {
    let check = LinkCheck(
      try Self.message("https://example.com/t/_"), association: Self.association(#"{"/": "/t/5"}"#))
    #expect(check.opens == .unknown && check.hangsOnTag && check.wouldWake == [Self.app])
    let refusal = try #require(check.refusal)
    #expect(refusal.contains("https://example.com/t/5 wakes the app"))
  }

  @Test("every filling, tried one by one, has the answer that is given for all", arguments: 0..<150)
  func all(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = ["*", "?", "0", "1", "A", "$(digit)", "$(alpha)", "/", "x"]
    let rules = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let exclude = Bool.random(using: &random)
      let path = "/" + random.text(of: parts, upTo: 5)
      return
        #"{"/": "\#(path)", "exclude": \#(exclude), "?": {"n": "\#(random.text(of: parts, upTo: 2))"}}"#
    }
    let association = Self.association(rules.joined(separator: ", "))
    let link = ["/_x_?n=_", "/x/__?n=_", "/__/_", "/___?n=1"].randomElement(using: &random) ?? ""
    let message = try Self.message(
      "https://example.com" + link, ["01AF", "A0", "1A", "0F"].randomElement(using: &random) ?? "")
    var all = [[Int]()]
    for place in message.places {
      all = all.flatMap { known in place.choices.indices.map { known + [$0] } }
    }
    let wakes = Set(
      all.map {
        LinkCheck(
          BackgroundReading(parsing: message.filled($0)), association: association
        ).wakesApp
      })
    let answer = LinkCheck(message, association: association).conclusion.answer
    #expect(
      answer == (wakes == [true] ? .yes : wakes == [false] ? .no : .notKnown), "\(rules) \(link)")
  }
}
