import Foundation
import Testing

@Suite("Texts of errors")
struct ErrorTextTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../Sources")

  @Test("every case of every error has its text in wording.txt", arguments: ErrorTexts.all)
  func complete(_ texts: ErrorTexts) throws {
    let declared = try texts.declared(below: Self.sources)
    let shown = ErrorTexts.all.filter { $0.name == texts.name && $0.file == texts.file }
      .flatMap { $0.rows.map(\.name) }
    #expect(!declared.isEmpty && declared == Set(shown), "\(texts.title)")
    #expect(texts.misnamed == [])
  }

  @Test("texts are plain, and no two cases of a type have the same", arguments: ErrorTexts.all)
  func plain(_ texts: ErrorTexts) {
    let all = texts.rows.map(\.text)
    #expect(Set(all).count == all.count)
    for text in all {
      for word in WordingTests.avoided { #expect(!text.contains(word), "\(word): \(text)") }
      #expect(!text.contains("  ") || text.contains("\n"), "\(text)")
    }
  }
}
