import Foundation
import TagProgramming
import Testing

@testable import Wording

/// Every sentence of a failure, side by side in `wording.txt`, so that a change of words is seen in
/// review. `RECORD_SNAPSHOTS=1` records the file anew.
@Suite("Wording")
struct WordingTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The sentences, each below the case that it is for.
  private static var text: String {
    var lines = ["# What happened, with its exit code", ""]
    for cause in Examples.causes {
      lines += ["\(cause.kind.rawValue) \(Examples.path(cause))", "   \(cause.sentence)"]
    }
    lines += ["", "# On the tag", ""]
    for holds in Examples.holds { lines += [Examples.path(holds), "   \(holds.sentence)"] }
    lines += [
      "", "# Next; a request stands in brackets where the front end says how to make it", "",
    ]
    for remedy in Examples.remedies {
      let text = remedy.sentence { $0 == .same ? nil : "[\($0)]" }
      lines += [Examples.path(remedy), "   \(text)"]
    }
    lines += ["", "# Errors, and what is wrong with data; many are a part of a sentence"]
    for type in ErrorTexts.all {
      lines += ["", "## \(type.title)", ""]
      for row in type.rows { lines += [row.name, "   \(row.text)"] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("whoever shows an error without knowing it shows whole sentences, and no command")
  func localized() {
    for cause in Examples.causes {
      for holds in [nil] + Examples.holds.prefix(3).map(Optional.init) {
        for remedy in [nil] + Examples.remedies.prefix(40).map(Optional.init) {
          let failure = JobFailure(cause, holds: holds, remedy: remedy)
          let shown = (failure as any Error).localizedDescription
          #expect(shown.hasPrefix(cause.sentence) && !shown.contains("--"), "\(shown)")
          #expect(!shown.contains("same command"), "\(shown)")
          #expect(shown.contains("Next: ") == (failure.next != nil), "\(shown)")
        }
      }
    }
  }

  /// Words that our readers stumble over.
  static let avoided = [
    "mend", "came to", "any longer", "stands in the way", "lays around", "lays it around", "shall",
    "thereof", "is told",
  ]

  @Test("every failure's sentences are those in wording.txt")
  func snapshot() throws {
    let file = Self.folder.appending(path: "wording.txt")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try Self.text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let current = Self.text.split(separator: "\n")
    for change in current.difference(from: recorded) {
      switch change {
      case .insert(_, let line, _): Issue.record("new: \(line)")
      case .remove(_, let line, _): Issue.record("gone: \(line)")
      }
    }
  }

  @Test("every case of every enum has its example", arguments: Examples.enums)
  func complete(item: Examples.Enumeration) throws {
    let sources = Self.folder.appending(path: "../../Sources/Engine/TagProgramming")
    let source = try String(
      contentsOf: sources.appending(path: item.file), encoding: .utf8)
    let declared = Declarations.cases(of: item.name, in: source)
    #expect(!declared.isEmpty && declared.subtracting(item.covered) == [], "\(item.name)")
  }

  @Test("sentences are whole, plain and free of options")
  func plain() {
    let avoided = Self.avoided + ["--"]
    let sentences =
      Examples.causes.map(\.sentence) + Examples.holds.map(\.sentence)
      + Examples.remedies.map { $0.sentence { _ in nil } }
    for sentence in sentences {
      #expect(sentence.hasSuffix("."), "\(sentence)")
      #expect(!sentence.contains("  ") && !sentence.contains(".."), "\(sentence)")
      for word in avoided { #expect(!sentence.contains(word), "\(word): \(sentence)") }
    }
    for cause in Examples.causes {
      #expect(cause.sentence.first?.isUppercase == true, "\(cause.sentence)")
    }
  }

  @Test("a failure in one line: what happened, what the tag holds, what to do")
  func message() {
    let failure = JobFailure(
      .classic(.unopened([3])), holds: .unchanged, remedy: .giveKey)
    #expect(
      failure.message { $0 == .giveKey ? "--key" : nil }
        == "\(failure.what) On the tag: unchanged. Next: give the right key (--key), or use another tag."
    )
    #expect(JobFailure(.readOnly).message { _ in nil } == "The tag is read-only.")
  }
}
