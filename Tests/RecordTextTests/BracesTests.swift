import RecordText
import Testing

@Suite("Braces outside of a job list")
struct BracesTests {
  @Test(
    "a field in an address is refused, with the command that fills it in",
    arguments: [
      ("https://example.com/t/{code}", "provision"), ("{url}", "provision"),
      ("https://{host}/", "provision"), ("https://example.com/{code:raw}?x={b}", "provision"),
      ("https://example.com/{}", "pair"), ("https://example.com/{code", "pair"),
      ("https://example.com/code}", "pair"), ("https://example.com/{{code}", "pair"),
      ("https://example.com/{uid}", "provision"), ("https://example.com/{counter:6}", "provision"),
      ("https://example.com/{mirror:uid}", "write-url"), ("https://example.com/{picc}", "--sdm"),
      ("https://example.com/{mac:https}", "--sdm"), ("https://example.com/{a b}", "provision"),
    ])
  func fields(_ text: String, word: String) {
    let error = #expect(throws: RecordTextError.self) { try Braces.address(text) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test(
    "braces are doubled or encoded",
    arguments: [
      ("https://example.com/{{code}}", "https://example.com/{code}"),
      ("https://example.com/%7Bcode%7D", "https://example.com/%7Bcode%7D"),
      ("https://example.com/t/1", "https://example.com/t/1"), ("{{", "{"), ("}}", "}"),
    ])
  func braces(_ text: String, meant: String) throws {
    #expect(try Braces.address(text) == meant)
  }

  @Test(
    "text keeps its braces",
    arguments: [
      "{\"a\":1}", "{\"a\":{\"b\":2}}", "a { b } c", "{ code }", "{", "}", "}}{{", "{}", "{{}}",
      "{{ code }}", "{1}", "if (a) {return}; {", "\\{a", "{{\"a\":1}}",
    ])
  func text(_ text: String) throws {
    #expect(try Braces.text(text) == text)
  }

  @Test(
    "but a field in it is refused, and one in double braces is text",
    arguments: ["Valve {code}", "{uid}", "{counter:6}", "{{a}} {b}", "{Straße}", "a {x_1} b"])
  func fieldInText(_ text: String) throws {
    #expect(throws: RecordTextError.self) { try Braces.text(text) }
    let doubled = text.replacing("{{", with: "{").replacing("}}", with: "}")
      .replacing("{", with: "{{").replacing("}", with: "}}")
    let meant = text.replacing("{{", with: "{").replacing("}}", with: "}")
    #expect(try Braces.text(doubled) == meant)
  }
}
