import Foundation
import JSON
import Testing

@testable import nfcprog

/// Every JSON document, whole, in `Documents`, so that a change of what programs read is seen in
/// review. `RECORD_SNAPSHOTS=1` records the files anew.
@Suite("JSON documents")
struct DocumentTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Documents")

  private func compare(_ text: String, with name: String) throws {
    let text = Stable.text(text) + "\n"
    let file = Self.folder.appending(path: "\(name).json")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)), "\(name)")
  }

  private static let made = Result {
    try TagDocuments.all() + OtherDocuments.all() + SeriesDocuments.all()
  }

  @Test("each is the one that is kept", arguments: try made.get())
  func document(document: Document) throws { try compare(document.text, with: document.name) }

  @Test("each that is kept is of a kind that there is")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    #expect(Set(files).isSubset(of: try Self.made.get().map { "\($0.name).json" }))
  }

  @Test("each is an object on one line with its version, keys in order, without null")
  func dialect() throws {
    for document in try Self.made.get() {
      #expect(document.text.contains("\"schema\":1") && !document.text.contains("\n"))
      #expect(!document.text.contains(":null"), "\(document.name)")
      #expect(Stable.hasSortedKeys(document.text), "\(document.name)")
    }
  }
}

/// A document and the file that keeps it.
struct Document: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String

  init(_ name: String, _ document: some OutputDocument) { self.init(name, JSONLine.text(document)) }

  init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

  var testDescription: String { name }
}

/// Documents without what differs from run to run: times, looks for a tag, folders.
enum Stable {
  static func text(_ text: String) -> String {
    var text = text
    text.replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "2026-01-01T00:00:00Z")
    text.replace(/"(\w*[mM]s|time|hourlyRate|workingRate|tagsPerHour)":[0-9.]+/) { match in
      "\"\(match.1)\":0"
    }
    text.replace(/"steps(Ms)?":\{[^}]*\}/) { match in "\"steps\(match.1 ?? "")\":{}" }
    text.replace(/"periods":\[[^\]]*\]/, with: "\"periods\":[]")
    text.replace(/"(frames|periodSeconds)":\d+/) { match in "\"\(match.1)\":0" }
    text.replace(/"steps":\[\{"count[^\]]*\]/, with: "\"steps\":[]")
    text.replace(/[^"]*\/documents-[^"\/]*\//, with: "/")
    return text
  }

  /// Whether the keys of every object stand in the order of their code points.
  static func hasSortedKeys(_ text: String) -> Bool {
    var last: [String] = []
    var isSorted = true
    for match in text.matches(of: /[{}]|"((?:[^"\\]|\\.)*)"(:?)/) {
      switch match.0 {
      case "{": last.append("")
      case "}": last.removeLast()
      default:
        guard match.2 == ":", let key = match.1, let before = last.popLast() else { continue }
        isSorted = isSorted && before < key
        last.append(String(key))
      }
    }
    return isSorted
  }
}
