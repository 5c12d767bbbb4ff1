import Foundation
import NDEF
import RecordText
import TagMemory
import Testing

@testable import JobLists

@Suite("Rules by which tags get new links")
struct LinkPatternTests {
  /// What a rule makes of a link; nil: it does not take it.
  private func made(_ from: String, _ to: String, of link: String) throws -> String? {
    let rules = try ChangeRules(from: from, to: to)
    let message = Message(try URIRecord(link).record)
    do {
      let change = try TagChange(
        of: message, stored: message.serialize(), on: UID([4, 1, 2, 3, 4, 5, 6]), by: rules,
        day: "2026-11-27")
      return try Message(parsing: change.after).firstLink?.link
    } catch TagChange.Refusal.noMatch {
      return nil
    }
  }

  @Test(
    "take the links that they say, and no others",
    arguments: [
      (
        "https://old.example/t/{id}", "https://new.example/{id}?b=1",
        [
          ("https://old.example/t/7F", "https://new.example/7F?b=1"),
          ("HTTPS://OLD.example/t/7F", "https://new.example/7F?b=1"),
          ("https://old.example/t/7F/", nil), ("https://old.example/t/", nil),
          ("https://old.example/t/7F?x=1", nil), ("https://old.example/T/7F", nil),
          ("http://old.example/t/7F", nil), ("https://old.example.evil.com/t/7F", nil),
          ("https://old.example/t/a%2Fb", "https://new.example/a%2Fb?b=1"),
          ("https://old.example/t/a%20b+c", "https://new.example/a%20b+c?b=1"),
        ]
      ),
      (
        "https://old.example/{a}-{b}.html", "https://new.example/{b}/{a}",
        [
          ("https://old.example/x-y.html", "https://new.example/y/x"),
          ("https://old.example/x-y-z.html.html", "https://new.example/y-z.html/x"),
          ("https://old.example/x.html", nil), ("https://old.example/x-.html", nil),
        ]
      ),
      (
        "https://old.example/{path:rest}", "https://new.example/old/{path}",
        [
          ("https://old.example/a/b?c=d#e", "https://new.example/old/a/b?c=d#e"),
          ("https://old.example", "https://new.example/old/"),
        ]
      ),
      (
        "old.example", "https://new.example{rest}",
        [
          ("https://old.example/a?b", "https://new.example/a?b"),
          ("http://old.example/a", "https://new.example/a"),
          ("https://Old.Example", "https://new.example"),
          ("https://old.example:8080/a", nil), ("https://www.old.example/a", nil),
          ("mailto:a@old.example", nil),
        ]
      ),
      (
        "https://old.example/?id={id}&v={v}", "https://new.example/{v}/{id}",
        [
          ("https://old.example?id=a/b&v=2", "https://new.example/2/a%2Fb"),
          ("https://old.example/?id=a&v=2&w=3", nil),
        ]
      ),
      (
        "https://old.example/t/{id}", "https://new.example/?id={id}",
        [
          ("https://old.example/t/a&b+c", "https://new.example/?id=a%26b%2Bc")
        ]
      ),
      (
        "https://old.example", "https://new.example/{uid}/{date}",
        [
          ("https://old.example/", "https://new.example/04010203040506/2026-11-27"),
          ("https://old.example/x", nil),
        ]
      ),
      (
        "https://old.example/{n}", "https://new.example/{n}{check:luhn}",
        [
          ("https://old.example/7992739871", "https://new.example/79927398713")
        ]
      ),
      (
        "https://zz0x.example/zz{a}zz", "https://new.example/{a}",
        [
          ("https://zz0x.example/zzAzz", "https://new.example/A")
        ]
      ),
    ] as [(String, String, [(String, String?)])])
  func taken(_ from: String, _ to: String, _ links: [(String, String?)]) throws {
    for (link, new) in links { #expect(try made(from, to, of: link) == new, "\(link)") }
  }

  @Test(
    "are refused where nobody can say what they mean",
    arguments: [
      ("https://old.example/{a}{b}", "https://new.example/{a}", "side by side"),
      ("https://old.example/{a}/{a}", "https://new.example/{a}", "twice"),
      ("https://old.example/{a:rest}/x", "https://new.example/{a}", "stands at the end"),
      ("https://{host}/x", "https://new.example/", "behind the host"),
      ("{a}", "https://new.example/", ""), ("", "https://new.example/", ""),
      ("old example", "https://new.example/", ""), ("/t/{id}", "https://new.example/", ""),
      ("https://old.example/{uid}", "https://new.example/", "no place of a pattern"),
      ("https://old.example/{1}", "https://new.example/", "no place of a pattern"),
      ("https://old.example/{a", "https://new.example/", "braces"),
      ("https://old.example/{a}", "https://new.example/{b}", "Nothing fills the field {b}"),
      ("https://old.example/{a}", "https://new.example/{counter}", "Nothing fills"),
      ("https://old.example/{a}", "https://new.example/{mirror:uid}", "Nothing fills"),
      ("https://old.example/{a}", "new.example/{a}", ""),
      ("https://old.example/{a}", "", ""), ("old.example", "https:/{rest}", ""),
    ])
  func refused(_ from: String, _ to: String, _ word: String) throws {
    let error = #expect(throws: JobSourceError.self, "\(from), \(to)") {
      try ChangeRules(from: from, to: to)
    }
    #expect(error?.kind == .badInput)
    #expect(
      word.isEmpty || error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("a link that a template makes no address of, or steps in its path, is refused")
  func defective() throws {
    for (from, link) in [("https://old.example/?a={a}", "https://old.example/?a=..")] {
      #expect(throws: TagChange.Refusal.self) {
        _ = try made(from, "https://new.example/{a}/x", of: link)
      }
    }
  }

  private func rules(_ table: String) throws -> ChangeRules {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(table.utf8).write(to: path)
    return try ChangeRules(at: path.path)
  }

  @Test("of a list, the first that takes a link counts, and the others are said")
  func first() throws {
    let rules = try rules(
      """
      note,from,to
      ,https://old.example/t/{id},https://new.example/{id}
      ,https://old.example/t/7,https://new.example/seven
      "a, b",https://old.example/t/8,https://new.example/eight
      """)
    let message = Message(try URIRecord("https://old.example/t/7").record)
    let change = try TagChange(
      of: message, stored: message.serialize(), on: UID([4, 1, 2, 3]), by: rules, day: "")
    let job = change.job(number: 1)
    #expect(job.columns.map(\.value).dropFirst() == ["https://new.example/7", "line 2", "line 3"])
  }

  @Test(
    "that take the same links are refused before the first tag",
    arguments: [
      "from,to\nhttps://old.example/{a},https://x.example/{a}\nhttps://OLD.example/{b},https://y.example/{b}\n",
      "from,to\nhttps://old.example,https://x.example/\nhttps://old.example/,https://y.example/\n",
      "from,to\nold.example,https://x.example/\nOLD.example,https://y.example/\n",
    ])
  func ambiguous(_ table: String) {
    let error = #expect(throws: JobSourceError.self) { try rules(table) }
    #expect(error?.message.contains("line 3") == true && error?.message.contains("line 2") == true)
  }

  @Test(
    "a list that is none is refused",
    arguments: [
      "", "from,to\n", "from\nhttps://old.example\n", "from,to\n#REF!,https://x.example/\n",
      "from,to\nhttps://old.example/{a}\n",
    ])
  func noList(_ table: String) { #expect(throws: JobSourceError.self) { try rules(table) } }

  @Test("links that differ compare as different, however many rules there are")
  func many() throws {
    let rows = (1...2000).map { "https://old.example/\($0),https://new.example/\($0 * 7)\n" }
    let rules = try rules("from,to\n" + rows.joined())
    for number in 1...2000 {
      #expect(rules.matches("https://old.example/\(number)")?.first.line == number + 1)
    }
    #expect(rules.matches("https://old.example/2001") == nil)
  }
}
