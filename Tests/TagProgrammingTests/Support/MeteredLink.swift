import PN532
import PN532Simulator
import Readers

/// A link that keeps what the chip's own model says of each exchange.
final class MeteredLink: ChipLink {
  let name = "metered"
  let chip: Chip
  private let link: DirectLink
  private(set) var times: [(command: [UInt8], answer: [UInt8], time: TimeSplit)] = []

  init(_ chip: Chip) {
    self.chip = chip
    link = DirectLink(chip)
  }

  var speed: LinkSpeed? { link.speed }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    let answer = try link.transceive(command, timeout: timeout)
    times.append((command, answer, chip.lastTime))
    return answer
  }

  func close() {}
}
