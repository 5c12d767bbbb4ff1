import TagMemory
import Testing

@testable import nfcprog

@Suite("Values on the command line")
struct ArgumentTests {
  @Test(
    "a URL that a phone can follow is taken, percent-encoded where it must be",
    arguments: [
      ("https://example.com/t/1", "https://example.com/t/1"),
      ("https://example.com/\u{FC}ber uns", "https://example.com/%C3%BCber%20uns"),
      ("HTTP://user@example.com:8080?q#f", "HTTP://user@example.com:8080?q#f"),
      ("https://[2001:db8::1]:443/", "https://[2001:db8::1]:443/"),
      ("mailto:user@example.com", "mailto:user@example.com"),
      ("tel:+4930123", "tel:+4930123"),
    ])
  func goodLink(_ text: String, written: String) throws {
    #expect(try LinkArgument.record(text).uri == written)
  }

  @Test(
    "what is no URL is refused as bad input",
    arguments: [
      "", "example.com/t/1", "1https://example.com", "https:/example.com", "https://",
      "https:///t/1",
      "https://b\u{FC}cher.example/", "https://exa mple.com", "https://example.com:http/",
      "https://example.com:65536/", "https://[2001:db8::1/", "https://[::1]8/", "tel:",
      "ht\u{7}tp://a",
    ])
  func badLink(_ text: String) {
    let failure = #expect(throws: CommandFailure.self) { try LinkArgument.record(text) }
    #expect(failure?.status == .badInput)
  }

  @Test("records keep the order of their options")
  func order() {
    let arguments = [
      "write", "--text", "a", "--uri=https://x/", "--json", "--text=--uri", "--ndef", "f",
    ]
    #expect(
      RecordOrder.names(of: ["text", "uri", "ndef"], in: arguments) == [
        "text", "uri", "text", "ndef",
      ])
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

  @Test("a key file holds one key a line, with comments and empty lines")
  func keyFile() throws {
    let text = "# bench\nA0A1A2A3A4A5\n\n  ff:ff:ff:ff:ff:ff  # all\n"
    #expect(try Secret.keys(inFile: text) == [.mad, .factory])
  }

  @Test("a line that is no key is named by its number")
  func badKeyFile() {
    #expect(throws: KeyFileError(line: 2)) { try Secret.keys(inFile: "FFFFFFFFFFFF\nFFFF\n") }
  }

  @Test("a progress bar shows how far it has come")
  func bar() {
    #expect(ProgressLine.bar(0, of: 0) == "[····················] 0/0 ")
    #expect(ProgressLine.bar(5, of: 10) == "[##########··········] 5/10 ")
    #expect(ProgressLine.bar(10, of: 10) == "[####################] 10/10 ")
  }
}
