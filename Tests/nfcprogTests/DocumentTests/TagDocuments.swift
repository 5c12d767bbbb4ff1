import Bench
import Foundation
import NDEF
import Readers
import TagDumps
import TagMemory
import TagProgramming
import Testing
import UniversalLinks

@testable import nfcprog

/// The documents of commands on one tag.
enum TagDocuments {
  private static let reader = "sim:ntag213,uid=04a1b2c3d4e5f6"

  static func all() throws -> [Document] {
    let message = Message(try URIRecord("https://example.com/t/1").record)
    let long = Message(
      try URIRecord("https://example.com/" + String(repeating: "a", count: 200)).record)
    var dry = RunOptions()
    dry.dryRun = true
    let session = try ReaderSession(opening: ReaderChoice(named: reader))
    defer { try? session.close() }
    let programmer = Programmer(reader: session.reader)
    let plan = Programmer(reader: session.reader, options: dry).run(.write(message, WriteOptions()))
    let written = programmer.run(.write(message, WriteOptions()))
    let info = programmer.run(.info)
    let refused = programmer.run(.write(long, WriteOptions()))
    let raw = RawSeries([.tag([0x30, 0x04])]).run(
      on: session.reader, timeout: .zero, dryRun: false, shouldStop: { false })
    let path = "\(FileManager.default.temporaryDirectory.path)/\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let dump = try #require(programmer.run(.dump).dump)
    try Data(try dump.serialize(as: .flipper)).write(to: URL(filePath: path))
    _ = programmer.run(
      .write(Message(try URIRecord("https://example.com/t/2").record), WriteOptions()))
    let changed = try #require(programmer.run(.dump).dump)
    var file = object("info", TagReport(of: dump))
    file.describe(dump, in: "tag.nfc")
    let sides = (try ComparedDump(file: path, of: nil), ComparedDump(changed, of: .ntag213))
    var difference = DifferenceJSON(
      MemoryComparison(sides.0.dump, sides.1.dump), sides.0, sides.1)
    difference.first.file = "tag.nfc"
    var described = object("info", info)
    described.iphone = BackgroundReading(info).map { PhoneJSON($0) }
    return [
      Document("tag-planned", object("write-url", plan)),
      Document("tag-written", object("write-url", written)),
      Document("tag-info", described),
      Document("tag-refused", object("write-url", refused)),
      Document(
        "command-failed",
        TagJSON(command: "info", failure: FailureJSON(code: 69, message: "No reader was found."))),
      Document("dump-info", file),
      Document("dump-difference", difference),
      Document("raw", RawJSON(command: "transceive", report: raw, asking: { _ in nil })),
    ]
  }

  private static func object(_ command: String, _ report: TagReport) -> TagJSON {
    TagJSON(command: command, report: report, asking: { _ in nil })
  }
}
