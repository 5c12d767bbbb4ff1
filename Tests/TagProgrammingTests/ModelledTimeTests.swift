import NDEF
import PN532
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Modelled time")
struct ModelledTimeTests {
  private static let message = try! url("https://example.com/t/0001")

  private static func jobs(_ product: String) -> [Job] {
    let jobs: [Job] = [.write(message, WriteOptions()), .read, .info]
    return product.hasPrefix("classic") ? [.formatClassic(ClassicFormat())] + jobs : jobs
  }

  private func run(_ product: String, _ job: Job, on tag: any VirtualTag) throws -> (
    TagReport, MeteredLink
  ) {
    let link = MeteredLink(Chip(field: Field(tag)))
    let reader = TagReader(link: link)
    try reader.prepare()
    var options = RunOptions()
    options.timeout = .zero
    return (Programmer(reader: reader, options: options).run(job), link)
  }

  @Test(
    "the host's model agrees with the board's over every job, part by part",
    arguments: ["ntag213", "ntag203", "ultralight", "ultralight-c", "classic1k", "classic1k7b"])
  func agrees(_ product: String) throws {
    let tag = try TagCatalog.tag(product)
    for job in Self.jobs(product) {
      let (report, link) = try run(product, job, on: tag)
      #expect(report.failure == nil)
      var board = TimeSplit()
      for (_, _, time) in link.times.dropFirst(4) { board += time }
      let host = report.counts.modelledTime
      #expect(host.link == board.link && host.chip == board.chip && host.eeprom == board.eeprom)
      // What the host cannot see: a tag that is asked for while it is active answers the second
      // request only.
      let unseen = product == "ultralight-c" ? 5200.0 : 200
      #expect(
        abs((host.rf - board.rf) / .microseconds(1)) < unseen,
        "\(host.rf) here, \(board.rf) there")
    }
  }

  @Test(
    "a plan's time is what carrying it out takes", arguments: ["ntag213", "ntag203", "classic1k"])
  func plan(_ product: String) throws {
    let tag = try TagCatalog.tag(product)
    let (report, link) = try run(product, .write(Self.message, WriteOptions()), on: tag)
    let program = try #require(report.program)
    var board = TimeSplit()
    for (_, _, time) in link.times.suffix(program.cost.commands) { board += time }
    #expect(program.modelledTime(report.exchangeTime) == board)
  }

  @Test("a faster line makes the link cheaper and nothing else")
  func speed() throws {
    let (report, _) = try run(
      "ntag213", .write(Self.message, WriteOptions()), on: TagCatalog.tag("ntag213"))
    let program = try #require(report.program)
    let slow = program.modelledTime(ExchangeTime(speed: .baud115200))
    let fast = program.modelledTime(ExchangeTime(speed: .baud921600))
    #expect(abs(slow.link / fast.link - 8) < 0.001)
    #expect(program.modelledTime(ExchangeTime(speed: nil)).link == .zero)
    #expect(slow.total - slow.link == fast.total - fast.link)
  }
}
