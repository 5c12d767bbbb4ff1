import PN532
import PN532Simulator
import Readers

/// A simulated chip without a wire: the driver left out, everything above it as it is.
final class DirectLink: ChipLink {
  /// What befalls the frames of one command; commands are counted from 0.
  struct Fault {
    enum Kind: CaseIterable {
      case commandLost, answerLost, answerDamaged, hang, unpluggedBefore, unpluggedAfter
    }
    let place: Int
    let kind: Kind
  }

  let name = "direct"
  /// How much passes; what is longer is damaged on the way.
  let limit: ExchangeLimit
  let chip: Chip
  /// What the tag was sent to write and said that it wrote.
  private let log: WriteLog?
  private var fault: Fault?
  private var count = 0
  private var isPlugged = true

  init(_ chip: Chip, log: WriteLog? = nil, limit: ExchangeLimit = .pn532) {
    (self.chip, self.limit) = (chip, limit)
    self.log = log
    chip.wakeUp()
    _ = chip.process(command: [0x14, 0x01])
    // As opening through libnfc does: the field goes off, and every tag forgets its state.
    _ = chip.process(command: [0x32, 0x01, 0x00])
  }

  var speed: LinkSpeed? { chip.speed }

  /// Lays `fault` among the commands that come from now on.
  func strike(_ fault: Fault?) { (self.fault, count) = (fault, 0) }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    guard isPlugged else { throw .boardLost(reader: name) }
    let kind = fault?.place == count ? fault?.kind : nil
    count += 1
    switch kind {
    case .commandLost: throw .boardSilent(reader: name)
    case .hang: chip.hang()
    case .unpluggedBefore: try unplug()
    default: break
    }
    guard command.count <= limit.command + 2 else { throw .boardGarbled(reader: name) }
    let outcome = chip.process(command: command)
    if case .answer(let bytes) = outcome {
      log?.note(command, answer: bytes)
      guard bytes.count <= limit.answer + 2 else { throw .boardGarbled(reader: name) }
    }
    switch kind {
    case .answerLost: throw .boardSilent(reader: name)
    case .answerDamaged: throw .boardGarbled(reader: name)
    case .unpluggedAfter: try unplug()
    default: break
    }
    switch chip.scripted?.fault {
    case .damaged: throw .boardGarbled(reader: name)
    case .unplugged: try unplug()
    case nil: break
    }
    switch outcome {
    case .answer(let bytes): return Array(bytes.dropFirst())
    case .syntaxError: throw .boardRefused(reader: name)
    case .pending, .deaf, .hung: throw .boardSilent(reader: name)
    }
  }

  private func unplug() throws(ReaderError) {
    isPlugged = false
    chip.powerCycle()
    throw .boardLost(reader: name)
  }

  func close() {}
}
