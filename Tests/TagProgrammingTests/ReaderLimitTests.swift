import NDEF
import PN532
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// A reader that carries less than a PN532: what is longer is lost on its way, as in an ACR122U.
@Suite("Jobs over a reader that carries little")
struct ReaderLimitTests {
  /// Every kind of tag, and cards that would take and give more than passes.
  static let tags =
    TagCatalog.names + [
      "type4,mle=65535,mlc=65535,size=3000", "type4,mle=255,mlc=255,size=3000",
      "type4,mle=249,mlc=248,size=3000",
    ]

  @Test("no job sends or asks for what does not pass", arguments: tags)
  func jobs(_ text: String) throws {
    let spec = try SimulatedTagSpec(parsing: text)
    let chip = Chip(field: Field(try spec.tag(at: 0)))
    let link = DirectLink(chip, limit: .acr122u)
    let reader = TagReader(link: link)
    reader.technologies = [.typeA, .typeB, .feliCa]
    try reader.prepare()
    var options = RunOptions()
    (options.timeout, options.patience) = (.zero, .zero)
    func run(_ job: Job) -> TagReport {
      Programmer(reader: reader, options: options).run(job)
    }
    for count in [20, 600, 2500] {
      let message = try url("https://example.com/" + String(repeating: "a", count: count))
      for job in [Job.write(message, WriteOptions()), .read, .dump] {
        let report = run(job)
        let cause = report.failure?.cause
        #expect(
          report.failure?.cause.readerFailure == nil, "\(count): \(report.failure?.message ?? "")")
        if case .reader(.notCarried)? = cause { Issue.record("\(count): \(report)") }
      }
    }
  }

  @Test("a card that takes and gives more is written and read in parts that pass")
  func parts() throws {
    for text in Self.tags.suffix(3) {
      let spec = try SimulatedTagSpec(parsing: text)
      let chip = Chip(field: Field(try spec.tag(at: 0)))
      let reader = TagReader(link: DirectLink(chip, limit: .acr122u))
      var options = RunOptions()
      (options.timeout, options.patience) = (.zero, .zero)
      let message = try url("https://example.com/" + String(repeating: "a", count: 2000))
      let written = Programmer(reader: reader, options: options).run(
        .write(message, WriteOptions()))
      #expect(
        written.failure == nil && written.verified, "\(text): \(written.failure?.message ?? "")")
      let read = Programmer(reader: reader, options: options).run(.read)
      #expect(read.message == message)
    }
  }

  @Test("a raw command that does not pass is refused before any is sent")
  func raw() throws {
    let chip = Chip(field: Field(try TagCatalog.tag("ntag216")))
    let reader = TagReader(link: DirectLink(chip, limit: .acr122u))
    let series = RawSeries([.tag([0x60]), .tag([0x3A, 0x00, 0x40])])
    for isDry in [false, true] {
      let report = series.run(on: reader, timeout: .zero, dryRun: isDry)
      #expect(report.answers.isEmpty)
      #expect(report.failure?.kind == .badInput)
      #expect(
        report.failure?.cause
          == .raw(
            .notCarried(
              command: 2, count: 2,
              reason:
                "an ACR122U carries at most 250 bytes from a tag, and the command asks for 260")))
    }
    let good = RawSeries([.tag([0x60]), .tag([0x3A, 0x00, 0x3D])]).run(on: reader, timeout: .zero)
    #expect(good.answers.map(\.data.count) == [8, 248])
  }
}
