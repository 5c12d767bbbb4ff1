import RecordText
import Testing

@Suite("Records as text")
struct RecordTextTests {
  @Test(
    "a URL that a phone can follow is taken, percent-encoded where it must be",
    arguments: [
      ("https://example.com/t/1", "https://example.com/t/1"),
      ("https://example.com/\u{FC}ber uns", "https://example.com/%C3%BCber%20uns"),
      ("HTTP://user@example.com:8080?q#f", "HTTP://user@example.com:8080?q#f"),
      ("https://[2001:db8::1]:443/", "https://[2001:db8::1]:443/"),
      ("https://b\u{FC}cher.example/", "https://xn--bcher-kva.example/"),
      ("mailto:user@example.com", "mailto:user@example.com"),
      ("tel:+4930123", "tel:+4930123"),
    ])
  func goodLink(_ text: String, written: String) throws {
    #expect(try AddressArgument.record(text).record.uri == written)
  }

  @Test(
    "what is no URL is refused as bad input",
    arguments: [
      "", "example.com/t/1", "1https://example.com", "https:/example.com", "https://",
      "https:///t/1",
      "https://exa mple.com", "https://example.com:http/",
      "https://example.com:65536/", "https://[2001:db8::1/", "https://[::1]8/", "tel:",
      "ht\u{7}tp://a",
    ])
  func badLink(_ text: String) {
    let error = #expect(throws: RecordTextError.self) { try AddressArgument.record(text) }
    #expect(error?.kind == .badInput)
  }

  @Test("named parts begin at commas that a known name follows")
  func keyedText() {
    let text = KeyedText(
      "https://example.com/?a=1,b=2,title=Hello, you,title:de=Hallo,act=x", names: ["title"])
    #expect(text.value == "https://example.com/?a=1,b=2")
    #expect(
      text.parts == [
        .init(name: "title", tag: nil, text: "Hello, you"),
        .init(name: "title", tag: "de", text: "Hallo,act=x"),
      ])
  }
}
