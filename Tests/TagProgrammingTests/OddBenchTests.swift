import LibNFCReaders
import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// Boards, wires and tags that differ from their data sheets as those on real benches are said to,
/// through libnfc.
@Suite("Every job on an odd bench", .serialized)
struct OddBenchTests {
  /// What `sim:` takes beside the product.
  static let odds = [
    "chip=clone", "fastread=no", "answers=64", "answers=128", "answers=16", "halts=no",
    "polls=wupa", "com=slow", "longframes=damaged", "ack=40", "auth14=yes", "firstbyte=900",
  ]

  /// A second for each start, or 40 ms for each command: a short message on one tag is enough.
  private static func isSlow(_ odd: String) -> Bool { odd == "firstbyte=900" || odd == "ack=40" }

  /// One start of the program for each job, all on the same tag.
  private func run(_ jobs: [Job], on spec: SimulatedTagSpec) throws -> [TagReport] {
    let board = SimulatedBoard(field: Field(try spec.tag(at: 0)), deviations: [spec].board)
    let path = try board.start()
    return try jobs.map { job in
      let reader = TagReader(link: try LibNFCLink(opening: path))
      try reader.prepare()
      var options = RunOptions()
      options.timeout = .seconds(2)
      defer { reader.close() }
      return Programmer(reader: reader, options: options).run(job)
    }
  }

  @Test("A Type 2 tag is written, read, locked and dumped", arguments: odds)
  func type2(odd: String) throws {
    let length = Self.isSlow(odd) ? 150 : 600
    let message = try url("https://example.com/" + String(repeating: "a", count: length))
    let spec = try SimulatedTagSpec(parsing: "ntag216,\(odd)")
    let reports = try run(
      [.write(message, WriteOptions()), .read, .info, .dump, .write(message, WriteOptions())],
      on: spec)
    for report in reports {
      #expect(report.failure == nil, "\(odd): \(report.failure?.message ?? "")")
    }
    #expect(reports.map(\.result) == [.written, .read, .read, .read, .unchanged])
    #expect(reports[1].message == message)
  }

  @Test(
    "A MIFARE Classic is formatted, written, read and reset",
    arguments: odds.filter { !isSlow($0) })
  func classic(odd: String) throws {
    let message = try url("https://example.com/" + String(repeating: "a", count: 600))
    let spec = try SimulatedTagSpec(parsing: "classic1k,\(odd)")
    let reports = try run(
      [.formatClassic(ClassicFormat()), .write(message, WriteOptions()), .read, .resetClassic],
      on: spec)
    for report in reports {
      #expect(report.failure == nil, "\(odd): \(report.failure?.message ?? "")")
    }
    #expect(reports[2].message == message)
  }

  @Test(
    "SAKs that are no plain Classic's do not matter",
    arguments: ["28", "38", "53", "88", "98", "01", "0A"])
  func saks(sak: String) throws {
    let message = try url("https://example.com/1")
    let product = ["38", "98"].contains(sak) ? "classic4k" : "classic1k"
    let spec = try SimulatedTagSpec(parsing: "\(product),sak=\(sak)")
    let reports = try run([.write(message, WriteOptions()), .read], on: spec)
    for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
    #expect(reports[1].message == message)
    #expect(reports[1].findings.contains { $0.text.contains("SAK \(sak)") })
  }

  @Test(
    "A tag with a random UID keeps it through a whole job", arguments: ["com=slow", "fastread=no"])
  func randomUID(odd: String) throws {
    let message = try url("https://example.com/" + String(repeating: "a", count: 300))
    for product in ["classic1k", "ntag215"] {
      let spec = try SimulatedTagSpec(parsing: "\(product),uid=random,\(odd)")
      let reports = try run([.write(message, WriteOptions()), .read], on: spec)
      for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
      #expect(reports[1].message == message)
    }
  }

  @Test("A tag that came back with another random UID is named as what it may be")
  func newRandomUID() throws {
    let message = try url("https://example.com/1")
    let spec = try SimulatedTagSpec(parsing: "ntag213,uid=random")
    var plan = FaultPlan()
    plan.exchanges = [(.at(6), .interrupted(afterObeying: true))]
    let chip = Chip(field: Field(try spec.tag(at: 0)), faults: plan)
    let report = Programmer(
      reader: TagReader(link: DirectLink(chip)), options: RunOptions()
    ).run(.write(message, WriteOptions()))
    let failure = try #require(report.failure)
    #expect(failure.kind == .tagTrouble && failure.what.contains("it may be the same tag"))
    #expect(failure.remedy == .layOneRandomTag)
    let again = Programmer(
      reader: TagReader(link: DirectLink(chip)), options: RunOptions()
    ).run(.write(message, WriteOptions()))
    #expect(again.failure == nil && again.verified)
  }

  @Test("A line that goes on losing frames is slowed down, and the job is finished")
  func failingLine() throws {
    let message = try url("https://example.com/" + String(repeating: "a", count: 100))
    let tag = try TagCatalog.tag("ntag213")
    // The first thirty answers are those of the opening.
    var plan = FaultPlan()
    plan.answers = (0..<6).map { (.at(40 + 9 * $0), .corrupt) }
    let board = SimulatedBoard(field: Field(tag), faults: plan)
    let reader = TagReader(link: try LibNFCLink(opening: board.start()))
    try reader.prepare()
    #expect(reader.speed == .baud921600)
    var passes = 0
    let report = Programmer(
      reader: reader, options: RunOptions(),
      progress: { if case .retrying = $0 { passes += 1 } }
    ).run(.write(message, WriteOptions()))
    #expect(report.failure == nil && report.verified && passes >= 2)
    #expect(reader.speed == .baud115200)
    reader.close()
    #expect(TagImage.content(ofType2: tag.eeprom.bytes) == .message(message.serialize()))
  }
}
