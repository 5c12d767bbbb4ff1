/// Counts the places where faults may strike and says which one does.
final class FaultInjector {
  /// How many places there have been so far.
  private(set) var places = FaultPlaces()

  private var exchanges: Lottery<ExchangeFault>
  private var commands: Lottery<CommandFault>
  private var answers: Lottery<AnswerFault>
  private var eepromWrites: Lottery<EEPROMFault>
  /// Bits that are stuck in every tag.
  let stuckBits: [StuckBit]
  /// A programming cycle has been torn: the tag is without power. True: it is put back.
  private var powerLoss: Bool?
  /// The cycle in which a hand takes the tag away.
  private var lift: (isMeant: (Range<Int>) -> Bool, after: Int, bytes: Int)?

  init(_ plan: FaultPlan) {
    exchanges = Lottery(plan.exchanges)
    commands = Lottery(plan.commands)
    answers = Lottery(plan.answers)
    eepromWrites = Lottery(plan.eepromWrites)
    stuckBits = plan.stuckBits
  }

  func nextExchange() -> ExchangeFault? {
    defer { places.exchanges += 1 }
    return exchanges.draw(places.exchanges)
  }

  func nextCommand() -> CommandFault? {
    defer { places.commands += 1 }
    return commands.draw(places.commands)
  }

  func nextAnswer() -> AnswerFault? {
    defer { places.answers += 1 }
    return answers.draw(places.answers)
  }

  /// `unit`: what is programmed.
  func nextEEPROMWrite(of unit: Range<Int>?) -> EEPROM.Fate {
    defer { places.eepromWrites += 1 }
    if let lift, let unit, lift.isMeant(unit) {
      guard lift.after == 0 else {
        self.lift?.after -= 1
        return .completes
      }
      self.lift = nil
      powerLoss = false
      return .tears(afterBytes: lift.bytes)
    }
    switch eepromWrites.draw(places.eepromWrites) {
    case nil: return .completes
    case .torn(let count, let mixed, let putBack):
      powerLoss = putBack
      return .tears(afterBytes: count, mixed: mixed)
    case .scrambled(let seed, let putBack):
      powerLoss = putBack
      return .scrambles(seed: seed)
    case .missed(let flipped): return .misses(flipped: flipped)
    }
  }

  /// Takes the tag away within a programming cycle of those that `isMeant` picks: the one that
  /// follows `after` others, once `bytes` bytes of it are new.
  func liftTag(
    withinWritesOf isMeant: @escaping (Range<Int>) -> Bool, after: Int, bytes: Int
  ) {
    lift = (isMeant, after, bytes)
  }

  /// Returns whether the tag lost its power within a programming cycle, and if so, whether it is
  /// put back. Asked once.
  func takePowerLoss() -> Bool? {
    defer { powerLoss = nil }
    return powerLoss
  }
}

/// How many places for faults there have been since the board was made.
package struct FaultPlaces: Hashable, Sendable {
  package var exchanges = 0
  package var commands = 0
  package var answers = 0
  package var eepromWrites = 0

  package init() {}
}

/// The faults of one kind of place, with a generator for each that strikes at random.
private struct Lottery<Fault> {
  private let entries: [(FaultPlan.Occasion, Fault)]
  private var generators: [Int: SplitMix64] = [:]

  init(_ entries: [(FaultPlan.Occasion, Fault)]) {
    self.entries = entries
    for (index, entry) in entries.enumerated() {
      if case .rate(_, let seed) = entry.0 { generators[index] = SplitMix64(state: seed) }
    }
  }

  /// The first fault that strikes at place `number`.
  mutating func draw(_ number: Int) -> Fault? {
    var struck: Fault?
    for (index, (occasion, fault)) in entries.enumerated() {
      let strikes =
        switch occasion {
        case .at(let place): place == number
        case .every(let step): step > 0 && (number + 1).isMultiple(of: step)
        case .rate(let rate, _): generators[index]!.nextUnit() < rate
        }
      if strikes, struck == nil { struck = fault }
    }
    return struck
  }
}
