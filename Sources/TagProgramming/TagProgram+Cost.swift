/// What a program asks of the reader and the tag, in counts; a time model makes milliseconds of them.
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
  /// Commands to the chip, where pages are read back with one FAST_READ for up to 63 of them.
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
      switch step {
      case .checkPages(_, let bytes): cost.commands += (bytes.count / 4 + 62) / 63
      // Selecting it, the write, and selecting it for what follows.
      case .checkRefusal: cost.commands += 3
      default: cost.commands += 1
      }
    }
    return cost
  }
}
