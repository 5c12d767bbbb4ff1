import CoreNFCTesting
import Testing

/// An app's tests, in parallel, each with a tag of its own.
@Suite struct LinkTests {
  @Test(.bench("ntag213")) func writesTheLink() async throws {
    try await LinkWriter().write("https://example.com/t/1")
    #expect(try await LinkReader().read() == "https://example.com/t/1")
  }

  @Test(.bench("ntag215"), arguments: 1...4) func writesLinks(number: Int) async throws {
    try await LinkWriter().write("https://example.com/t/\(number)")
    #expect(try await LinkReader().read() == "https://example.com/t/\(number)")
  }

  @Test(.bench("ntag213,content=blank")) func refusesABlankTag() async {
    await #expect(throws: (any Error).self) { try await LinkWriter().write("https://example.com") }
  }
}
