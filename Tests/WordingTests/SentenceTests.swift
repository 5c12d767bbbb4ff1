import Foundation
import Testing

/// Sentences that are made where a failure is noticed, side by side in `sentences.txt`, and words
/// that stand nowhere in the sources and pages. `RECORD_SNAPSHOTS=1` records the file anew.
@Suite("Sentences in the sources")
struct SentenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.appending(path: "../..").standardizedFileURL

  /// The calls whose texts say why something failed.
  private static let failures: Set<String> = [
    "BenchError", "JobSourceError", "RowError", "DumpError", "RecordTextError", "SettingsError",
    "FormatError", "SessionError", "ValidationError", "badInput", "cannotOpen", "cannotWrite",
    "wrongChip", "halfDead", "damaged", "failed", "badValue", "damagedFile", "unsuited",
    "defective", "unsuitedTag",
  ]
  /// Files whose texts all are of failures, of skipped tags and of what to do.
  private static let files: Set<String> = [
    "Provisioning/Stations/Attempt+Choosing.swift",
    "Provisioning/Stations/Attempt+Recording.swift",
    "Provisioning/Stations/Station+Inspecting.swift", "Provisioning/Stations/TagInspector.swift",
    "nfcprog/Commands/VerifySUN.swift", "nfcprog/Provisioning/AuditText.swift",
    "nfcprog/Provisioning/LineConclusion.swift", "nfcprog/Rendering/RemedyText.swift",
  ]

  /// The files below `folder` of the package with this ending, by their paths below it.
  private static func texts(in folder: String, ending: String) throws -> [(String, String)] {
    let base = root.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().map {
      ($0, try String(contentsOf: base.appending(path: $0), encoding: .utf8))
    }
  }

  private static func table() throws -> String {
    var lines = ["# Sentences that are made where a failure is noticed, by source file"]
    for (path, source) in try texts(in: "Sources", ending: ".swift") {
      var shown: Set<String> = []
      let sentences = SourceText.literals(of: source, failures: failures)
        .filter { ($0.isOfFailure || files.contains(path)) && $0.text.contains(" ") }
        .filter { $0.text.contains { $0.isLetter } }
        .map { $0.text.replacingOccurrences(of: "\n", with: " ") }
        .filter { shown.insert($0).inserted }
      if !sentences.isEmpty { lines += ["", path] + sentences.map { "   \($0)" } }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("every sentence that is made where a failure is noticed is in sentences.txt")
  func snapshot() throws {
    let file = Self.folder.appending(path: "sentences.txt")
    let table = try Self.table()
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try table.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    for change in table.split(separator: "\n").difference(from: recorded) {
      switch change {
      case .insert(_, let line, _): Issue.record("new: \(line)")
      case .remove(_, let line, _): Issue.record("gone: \(line)")
      }
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

  @Test("literals are found as they are written")
  func literals() {
    let source = #"""
      // "no literal"
      throw BenchError(.badInput, "a \(b("c")) d " + "e")
      let f = "g h"
      """#
    let found = SourceText.literals(of: source, failures: ["BenchError"])
    #expect(found.map(\.text) == [#"a \(b("c")) d e"#, "g h"])
    #expect(found.map(\.isOfFailure) == [true, false])
  }
}
