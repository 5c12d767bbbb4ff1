import PN532

/// How a board and its wire differ from a genuine PN532 at the end of a good line. Default: not at
/// all.
///
/// All of this is second-hand: what other programs work around, and what users report.
package struct BoardDeviations: Hashable, Sendable {
  /// A copy of the chip: FAST_READ ends with status 05h, and InSelect is acknowledged and never
  /// answered.
  package var isClone = false
  /// After a refused authentication every other one is answered with 14h until the tag is selected
  /// again, and so is one that no tag answers.
  package var authenticationSticks = false
  /// The chip looks with WUPA in place of REQA: it finds tags in HALT, too.
  package var wakesHalted = false
  /// The most bytes of a tag's answer that the chip hands over; a longer one ends with status 07h.
  /// Nil: 262.
  package var longestAnswer: Int?
  /// The highest speed that the adapter can make. A chip that was told a higher one is out of reach
  /// until its power is cut.
  package var fastestLine: LinkSpeed?
  /// Frames of more than 40 bytes arrive damaged, both ways, above 230400 baud.
  package var damagesLongFrames = false
  /// What passes the reader that the board is built into; nil: all that the chip takes and gives.
  package var limit: ExchangeLimit?
  /// How long the adapter holds back each acknowledge.
  package var acknowledgeDelay = Duration.zero
  /// How long the adapter holds back everything after the chip was woken.
  package var firstByteDelay = Duration.zero

  /// The test of the RAM fails.
  package var hasBadRAM = false
  /// InDataExchange does not wake a tag that the chip has put into HALT: no answer, 01h.
  package var leavesAsleep = false
  /// A look with room for two selects a single tag again, so that it stays awake.
  package var leavesAwake = false
  /// A look by UID asks with REQA, which a tag in HALT does not hear.
  package var seeksIdle = false
  /// What becomes of a type B card that a look has found.
  package var typeB = TypeB.selected
  /// Which second tag a look finds beside the first.
  package var pairs = Pairs.all
  /// A refusal (NAK) is passed on as an answer without bytes, status 00h.
  package var hidesRefusals = false
  /// The most data bytes of a command to a tag; a longer one ends with status 07h. Nil: 262.
  package var longestCommand: Int?
  /// An APDU may come in parts (bit 6 of Tg).
  package var takesParts = false
  /// The chip is back at 115200 baud once it hears another speed than its own.
  package var fallsHome = false
  /// A wake-up above 115200 baud, where the chip is awake already, silences it until its power is
  /// cut.
  package var diesOfWakeUp = false

  /// Which second tag a look finds.
  package enum Pairs: String, Hashable, Sendable, CaseIterable {
    case all
    /// One with a UID as long as the first one's.
    case alike
    case none
  }

  /// How a card of type B that a look has found answers afterwards.
  package enum TypeB: String, Hashable, Sendable {
    case selected
    /// InSelect does not find it again; another look does.
    case listed
    /// Neither does.
    case lost
  }

  /// A genuine board.
  package init() {}

  /// Returns whether a chip at `speed` still understands its host.
  func reaches(_ speed: LinkSpeed) -> Bool {
    fastestLine.map { speed.bitsPerSecond <= $0.bitsPerSecond } ?? true
  }

  /// Returns whether `command`, its code first, passes the reader: code and target number come
  /// before what goes to the tag.
  func passes(command: [UInt8]) -> Bool { limit.map { command.count <= $0.command + 2 } ?? true }

  /// Returns whether `answer`, its code first, passes: code and status come before what the tag
  /// sends.
  func passes(answer: [UInt8]) -> Bool { limit.map { answer.count <= $0.answer + 2 } ?? true }

  /// Returns whether a frame of `count` bytes arrives as it was sent.
  func carries(_ count: Int, at speed: LinkSpeed) -> Bool {
    !damagesLongFrames || count <= 40 || speed.bitsPerSecond <= 230_400
  }
}
