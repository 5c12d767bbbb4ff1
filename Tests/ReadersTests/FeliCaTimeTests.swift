import PN532
import PN532Simulator
import TagMemory
import Testing

@testable import Readers

@Suite("Modelled time of FeliCa")
struct FeliCaTimeTests {
  /// A chip without a wire that adds up what its own model says.
  private final class MeteredLink: ChipLink {
    let name = "metered"
    let chip: Chip
    private(set) var sum = TimeSplit()

    init(_ tag: any VirtualTag) {
      chip = Chip(field: Field(tag))
      chip.wakeUp()
      _ = chip.process(command: Command.samConfiguration().bytes)
    }

    var speed: LinkSpeed? { chip.speed }

    func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
      guard case .answer(let bytes) = chip.process(command: command) else {
        throw .boardSilent(reader: name)
      }
      sum += chip.lastTime
      return Array(bytes.dropFirst())
    }

    func close() {}
  }

  @Test(
    "the host's model agrees with the board's, part by part, for looks, reads, writes and silence")
  func agrees() throws {
    let link = MeteredLink(try TagCatalog.tag("felica-lite-s"))
    let reader = TagReader(link: link)
    reader.technologies = [.feliCa]
    try reader.prepare()
    let (board, host) = (link.sum, reader.counts)
    _ = try reader.select()
    _ = try reader.readFeliCa([0, 1, 2, 3])
    try reader.writeFeliCa(5, [UInt8](repeating: 7, count: 16))
    #expect(try reader.serves(systemCode: 0x12FC))
    #expect(try !reader.serves(systemCode: 0x0003))
    let (theirs, ours) = (link.sum - board, (reader.counts - host).modelledTime)
    #expect(ours.link == theirs.link && ours.chip == theirs.chip && ours.eeprom == theirs.eeprom)
    #expect(ours.eeprom == .microseconds(4100))
    #expect(abs((ours.rf - theirs.rf) / .microseconds(1)) < 300, "\(ours.rf), \(theirs.rf)")
  }
}
