import PN532
import PN532Simulator
import Readers

/// A simulated chip without a wire: the driver left out, everything above it as it is.
final class DirectLink: ChipLink {
  let name = "direct"
  let chip: Chip

  init(_ chip: Chip) {
    self.chip = chip
    chip.wakeUp()
    _ = chip.process(command: [0x14, 0x01])
    // As opening through libnfc does: the field goes off, and every tag forgets its state.
    _ = chip.process(command: [0x32, 0x01, 0x00])
  }

  var speed: LinkSpeed? { chip.speed }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    switch chip.process(command: command) {
    case .answer(let bytes): return Array(bytes.dropFirst())
    case .syntaxError: throw .boardRefused(reader: name)
    case .pending, .deaf, .hung: throw .boardSilent(reader: name)
    }
  }

  func close() {}
}
