import Foundation
import Testing

/// Words that stand nowhere in the sources and pages.
@Suite("Sentences in the sources")
struct SentenceTests {
  private static let root =
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// The files below `folder` of the package with this ending, by their paths below it.
  private static func texts(in folder: String, ending: String) throws -> [(String, String)] {
    let base = root.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().map {
      ($0, try String(contentsOf: base.appending(path: $0), encoding: .utf8))
    }
  }

  @Test("no source and no page has words that readers stumble over")
  func plain() throws {
    let avoided = [
      "cannot be so", "stands in the way", "what mends", "mended", "writes over such",
      "lays it around", "keep its promise", "came to,", "any longer.", "does not have as finished",
      "Who works here", "program's speech", "is not well", "feed it", "thereof",
    ]
    let pages = try Self.texts(in: "Docs", ending: ".md").filter { $0.0 != "Changelog.md" }
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let texts =
      try Self.texts(in: "Sources", ending: ".swift") + pages + [("README.md", readme)]
    for (path, text) in texts {
      for words in avoided where text.contains(words) { Issue.record("\(path): \(words)") }
    }
  }
}
