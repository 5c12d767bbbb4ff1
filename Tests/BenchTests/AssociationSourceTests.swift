import Testing

@testable import Bench

@Suite("What --aasa names")
struct AssociationSourceTests {
  @Test(
    "is a file, an address, a domain or the link's host",
    arguments: [
      ("auto", .linkHost),
      ("./auto", .file("./auto")),
      ("https://example.com/x", .address("https://example.com/x")),
      ("HTTP://example.com", .address("HTTP://example.com")),
      ("example.com", .domain("example.com")),
      ("b\u{FC}cher.example", .domain("b\u{FC}cher.example")),
      ("www.xn--bcher-kva.xn--p1ai", .domain("www.xn--bcher-kva.xn--p1ai")),
      ("apple-app-site-association", .file("apple-app-site-association")),
      ("aasa.json", .file("aasa.json")),
      ("aasa.example.txt", .file("aasa.example.txt")),
      ("there.com", .file("there.com")),
      ("folder/example.com", .file("folder/example.com")),
      ("-", .file("-")),
      ("", .file("")),
      (".", .file(".")),
      ("..", .file("..")),
      (".com", .file(".com")),
      ("example.com.", .file("example.com.")),
      ("example.com:443", .file("example.com:443")),
    ] as [(String, AssociationSource)])
  func source(_ text: String, source: AssociationSource) {
    #expect(AssociationSource(text) { $0 == "there.com" } == source)
  }
}
