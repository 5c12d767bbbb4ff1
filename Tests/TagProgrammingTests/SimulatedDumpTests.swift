import Foundation
import PN532Simulator
import TagDumps
import TagMemory
import Testing

@testable import Bench
@testable import TagProgramming

@Suite("A virtual tag that begins with a dump")
struct SimulatedDumpTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test(
    "holds the memory of the dump, in every format that has room for it", arguments: TagTrial.all)
  func everyFormat(_ trial: TagTrial) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = try trial.tag.bench()
    let report = bench.run(.dump) { $0.credentials = trial.tag.credentials }
    // A card without its files, and a memory without the UID, are refused.
    guard let dump = report.dump, !trial.tag.product.hasPrefix("desfire"),
      dump.image.files.isEmpty ? dump.image.row(0) != nil : true
    else { return }
    for format in DumpFormat.allCases {
      guard let file = try? dump.serialize(as: format), (try? TagDump(parsing: file)) != nil else {
        continue
      }
      let path = folder.appending(path: "dump").path
      try Data(file).write(to: URL(filePath: path))
      let what = "\(trial.testDescription), \(format)"
      let spec = try SimulatedTagSpec(parsing: "\(trial.tag.product),file=\(path)")
      let tag = try #require(try spec.tagOfDump(at: 0), "\(what)")
      let again = Self.run(tag, .dump, trial.tag.credentials)
      // Zeros stand for what a format has no mark for.
      let (first, second) = (
        dump.knownRows.flatMap(\.self), again.dump?.knownRows.flatMap(\.self) ?? []
      )
      #expect(first.count == second.count, "\(what)")
      let wrong = zip(first, second).enumerated().filter { _, pair in
        pair.0 != nil && pair.1 != nil && pair.0 != pair.1
      }.map(\.offset)
      #expect(wrong == [], "\(what)")
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(file), "\(what)")
    }
  }

  private static func run(_ tag: any StoredTag, _ job: Job, _ credentials: Credentials) -> TagReport
  {
    TagProgrammingTests.Bench(tag).run(job) { $0.credentials = credentials }
  }

  @Test("a Type 4 tag without the bytes that its container says is refused, and left as it was")
  func shortFiles() throws {
    let tag = try TagCatalog.tag("type4")
    let before = tag.eeprom.bytes
    for message in [[], [UInt8](repeating: 0, count: 32)] as [[UInt8]] {
      #expect(!tag.load(files: [0xE103: Array(before.prefix(15)), 0xE104: message]))
      #expect(tag.eeprom.bytes == before)
    }
  }

  @Test("a dump of another type, or of another UID than asked for, is refused by name")
  func refused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let dump = try #require(Self.run(try TagCatalog.tag("ntag215"), .dump, Credentials()).dump)
    let path = folder.appending(path: "dump").path
    try Data(try dump.serialize(as: .raw)).write(to: URL(filePath: path))
    for (text, word) in [
      ("ntag213", "135 pages"), ("classic1k", "another kind"), ("type4", "another kind"),
      ("ntag215,uid=04112233445566", "UID"),
    ] {
      let spec = try SimulatedTagSpec(parsing: "\(text),file=\(path)")
      #expect {
        _ = try spec.tagOfDump(at: 0)
      } throws: {
        "\($0)".contains(word)
      }
    }
  }
}
