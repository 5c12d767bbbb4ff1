/// Answers commands in a chip's place: a board that does what another one was seen to do.
package protocol ChipScript: AnyObject {
  /// Returns what becomes of `command`, its code first; `own` has the chip itself carry it out.
  func outcome(of command: [UInt8], own: () -> ChipOutcome) -> ScriptedOutcome
}

/// What a script has a chip do.
package struct ScriptedOutcome: Hashable, Sendable {
  /// What the line does with it.
  package enum Fault: Hashable, Sendable {
    /// One bit is wrong.
    case damaged
    /// The board vanishes from the host's sight.
    case unplugged
  }

  package var outcome: ChipOutcome
  /// How long the answer takes; nil: as long as it takes the chip.
  package var delay: Duration?
  package var fault: Fault?

  package init(_ outcome: ChipOutcome, delay: Duration? = nil, fault: Fault? = nil) {
    (self.outcome, self.delay, self.fault) = (outcome, delay, fault)
  }
}
