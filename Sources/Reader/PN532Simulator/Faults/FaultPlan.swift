import PN532

/// What goes wrong, and where: a value to lay beside a job.
///
/// Places are counted from 0. Run the job without faults first: the board's `places` then tell how
/// many there are.
package struct FaultPlan {
  /// Where a fault strikes among things counted from 0.
  package enum Occasion: Hashable, Sendable {
    /// The nth one.
    case at(Int)
    /// Each nth one: n − 1, 2n − 1, …
    case every(Int)
    /// Each one with this probability (0 to 1); the same seed gives the same places.
    case rate(Double, seed: UInt64)
  }

  /// Faults of exchanges between the chip and a tag that lies in its field.
  package var exchanges: [(Occasion, ExchangeFault)] = []
  /// Faults of command frames on their way to the chip.
  package var commands: [(Occasion, CommandFault)] = []
  /// Faults of answer frames on their way to the host; ACK frames are not counted.
  package var answers: [(Occasion, AnswerFault)] = []
  /// Faults of tags' programming cycles.
  package var eepromWrites: [(Occasion, EEPROMFault)] = []
  /// Bits of the tags' memories that take one value only, in every tag that is laid down.
  package var stuckBits: [StuckBit] = []

  package init() {}

  /// No faults.
  package static var none: FaultPlan { FaultPlan() }
}

/// What may happen to one exchange with a tag.
package enum ExchangeFault {
  /// The tag does not hear the frame.
  case silence
  /// The tag obeys, its answer is lost: the chip sees a timeout.
  case answerLost
  /// The tag obeys, its answer arrives damaged: the chip sees a CRC error.
  case answerCorrupt
  /// The tag does not obey and answers with this 4-bit NAK.
  case nak(UInt8)
  /// The tag is taken away, after it has obeyed or before it has heard.
  case removed(afterObeying: Bool)
  /// The tag is taken away and put back at once: it has lost its power and is IDLE.
  case interrupted(afterObeying: Bool)
  /// The tag is taken away before it has heard and another one is laid in its place.
  case swapped(for: any VirtualTag)
  /// Another tag is laid beside the one that is talked to.
  case joined(by: any VirtualTag)
}

/// What may happen to one command frame.
package enum CommandFault: Hashable, Sendable {
  /// It never arrives.
  case lost
  /// One of its bits is flipped on the way: no ACK, no answer.
  case corrupt
  /// The chip acknowledges it and never says anything again, until its power is cycled.
  case hang
  /// The board is unplugged when it arrives.
  case unplugged
}

/// What may happen to one answer frame.
package enum AnswerFault: Hashable, Sendable {
  /// It never arrives.
  case lost
  /// One of its bits is flipped on the way.
  case corrupt
  /// It arrives this much later, and everything behind it too.
  case late(Duration)
  /// The board is unplugged before it is sent.
  case unplugged
}

/// What may happen to one programming cycle.
package enum EEPROMFault: Hashable, Sendable {
  /// The tag is taken away within it: the first `afterBytes` bytes are new, the next one is
  /// `mixed`, or has every other bit of both where that is nil.
  case torn(afterBytes: Int, mixed: UInt8? = nil, putBack: Bool)
  /// The tag is taken away within it, and the page or block holds bytes that this seed makes up;
  /// one that cannot be torn holds the old ones or the new.
  case scrambled(seed: UInt64, putBack: Bool)
  /// It completes and is acknowledged, but the bits set in `flipped` (byte by byte) are wrong.
  case missed(flipped: [UInt8])
}
