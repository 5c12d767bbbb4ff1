import PN532
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// Boards that tell something else of a block behind the card's end than of a wrong key.
@Suite("The size of a MIFARE Classic on boards that say nothing of blocks that are not there")
struct SilentEndTests {
  @Test(
    "a 1K is formatted, whatever its SAK says, and whatever the board tells",
    arguments: [0x01, 0x02, 0x13] as [UInt8], [0x08, 0x18] as [UInt8])
  func formats(status: UInt8, sak: UInt8) throws {
    var deviations = TagDeviations()
    deviations.sak = sak
    let tag = DeviatingTag(try TagCatalog.tag("classic1k"), deviations)
    for job in [FaultCase.short, .formatClassic(ClassicFormat()), .resetClassic] {
      let link = SilentEnd(DirectLink(Chip(field: Field(tag))), status: status)
      let reader = TagReader(link: link)
      try reader.prepare()
      let report = Programmer(reader: reader, options: RunOptions()).run(job)
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
      #expect(report.product == .classic1K)
    }
  }
}

/// A board that ends each authentication behind block 63 with `status`.
private final class SilentEnd: ChipLink {
  private let link: DirectLink
  private let status: UInt8

  init(_ link: DirectLink, status: UInt8) { (self.link, self.status) = (link, status) }

  var name: String { link.name }
  var speed: LinkSpeed? { link.speed }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    let answer = try link.transceive(command, timeout: timeout)
    let isBehind =
      command.count > 3 && command[0] == 0x40 && command[2] & 0xFE == 0x60 && command[3] > 63
    return isBehind ? [status] : answer
  }

  func close() { link.close() }
}
