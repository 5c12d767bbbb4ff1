import PN532
import Readers
import TagMemory

/// What a program asks of the reader and the tag, in counts.
public struct ProgramCost: Hashable, Sendable {
  /// MIFARE Classic authentications.
  public var authentications = 0
  /// Blocks of 16 bytes read.
  public var blockReads = 0
  /// Blocks of 16 bytes written, one EEPROM cycle each.
  public var blockWrites = 0
  /// Pages of 4 bytes written, one EEPROM cycle each.
  public var pageWrites = 0
  /// Pages of 4 bytes read back.
  public var pageReads = 0
  /// Commands to the chip.
  public var commands = 0

  public init() {}
}

extension TagProgram {
  public var cost: ProgramCost {
    var cost = ProgramCost()
    for step in steps {
      switch step {
      case .authenticate: cost.authentications += 1
      case .checkBlock: cost.blockReads += 1
      case .writeBlock: cost.blockWrites += 1
      case .writePage: cost.pageWrites += 1
      case .checkPages(_, let bytes): cost.pageReads += bytes.count / 4
      case .enterPassword, .checkRefusal: break
      }
      cost.commands += exchanges(of: step).count
    }
    return cost
  }

  /// What carrying the program out costs on a bench, modelled.
  public func modelledTime(_ exchange: ExchangeTime) -> TimeSplit {
    var time = TimeSplit()
    for (command, answer) in steps.flatMap(exchanges) {
      time += exchange.time(of: command.bytes, answer: answer)
    }
    return time
  }

  /// The commands of a step as the reader sends them, and the answers expected; secrets, UIDs and data that are read as zeros.
  private func exchanges(of step: Step) -> [(command: Command, answer: [UInt8])] {
    /// A good status, then `count` bytes.
    func data(_ count: Int = 0) -> [UInt8] { [UInt8](repeating: 0, count: 1 + count) }
    switch step {
    case .authenticate(let sector, let candidate):
      let block = UInt8(sector.trailer.index)
      return [(.inDataExchange([candidate.type.rawValue, block] + data(9)), data())]
    case .writeBlock(let block, let bytes, _):
      return [(.inDataExchange([0xA0, UInt8(block.index)] + bytes), data())]
    case .checkBlock(let block, _):
      return [(.inDataExchange([0x30, UInt8(block.index)]), data(Block.byteCount))]
    case .writePage(let page, let bytes, _):
      return [(.inDataExchange([0xA2, page.number] + bytes), data())]
    case .enterPassword(let password, _):
      return [(.inCommunicateThru([0x1B] + password), data(2))]
    case .checkRefusal(let page, let bytes):
      // The tag is selected, refuses, and is selected again.
      let target = TypeATarget(number: 1, atqa: 0x0044, sak: 0x00, uid: data(6))
      let selection = (Command.listTypeA(uid: target.uid), [1] + target.serialize())
      let refused = [StatusCode.crc.rawValue]
      return [selection, (.inDataExchange([0xA2, page.number] + bytes), refused), selection]
    case .checkPages(let first, let bytes):
      let count = bytes.count / Page.byteCount
      // As `TagSession.readPages` does.
      guard count > 4, readsFast else {
        return (0..<(count + 3) / 4).map { _ in
          (.inDataExchange([0x30, first.number]), data(16))
        }
      }
      return stride(from: 0, to: count, by: TagReader.fastReadLimit).map { start in
        let part = min(TagReader.fastReadLimit, count - start)
        return (.inCommunicateThru([0x3A, 0, 0]), data(part * Page.byteCount))
      }
    }
  }
}
