import PN532
import Readers
import TagMemory

/// What a program asks of the reader and the tag, in counts.
package struct ProgramCost: Hashable, Sendable {
  /// Keys of MIFARE Classic sectors and of DESFire applications that are proven.
  package var authentications = 0
  /// Blocks or pages that are read back; of a file, each reading of it.
  package var reads = 0
  /// Writes, of a block or a page one EEPROM cycle each.
  package var writes = 0
  /// Commands to the chip.
  package var commands = 0

  package init() {}
}

/// A command that a step will need, and the answer that a healthy tag gives: what the cost of a
/// program goes by.
struct PlannedExchange: Hashable, Sendable {
  /// Nil: the tag is selected again.
  let command: TagCommand?
  /// How many bytes the tag answers with; nil: it refuses.
  let answerCount: Int?

  init(_ command: TagCommand, answerCount: Int? = 0) {
    (self.command, self.answerCount) = (command, answerCount)
  }

  private init() { (command, answerCount) = (nil, nil) }

  /// The tag is selected again.
  static let selection = PlannedExchange()

  func time(_ exchange: ExchangeTime) -> TimeSplit {
    guard let command else { return exchange.selection }
    return exchange.time(of: command, answerCount: answerCount)
  }
}

extension TagProgram {
  /// What carrying the program out asks for; commands only once its family has said which they are.
  package var cost: ProgramCost {
    var cost = ProgramCost()
    for step in steps {
      switch step.action {
      case .authenticate(.key), .authenticate(.desFire): cost.authentications += 1
      case .write, .perform: cost.writes += 1
      case .check(let bytes): cost.reads += step.place.unitByteCount.map { bytes.count / $0 } ?? 1
      case .prove, .checkDigits: cost.reads += 1
      case .authenticate(.password), .checkRefusal: break
      }
    }
    cost.commands = exchanges.count
    return cost
  }

  /// Returns what carrying the program out costs on a bench, modelled.
  package func modelledTime(_ exchange: ExchangeTime) -> TimeSplit {
    var time = TimeSplit()
    for planned in exchanges { time += planned.time(exchange) }
    return time
  }
}
