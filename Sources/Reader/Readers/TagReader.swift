import PN532
import TagMemory

/// A reader (PCD) with the one tag it has selected: typed commands on top of a chip's bare
/// exchanges.
///
/// Synchronous: every call blocks until the tag has answered or a time-out, never zero, has passed.
/// One thread owns a reader. Commands that only look are repeated once when the line loses a frame;
/// commands that change a tag, or that count their failures, never are: the caller reads back what
/// the tag holds.
public final class TagReader {
  /// Messages call this reader by this name.
  public var name: String { link.name }
  /// The speed of its serial line; nil where there is none.
  package var speed: LinkSpeed? { link.speed }
  /// How much passes it in one exchange.
  package var limit: ExchangeLimit { link.limit }
  /// The counts say what was asked of the chip since the reader was opened.
  public private(set) var counts = OperationCounts()
  /// The tag has refused or lost an exchange since it was selected: it answers nothing until
  /// `reselect`.
  package internal(set) var needsReselect = false

  /// How often a tag has not answered, or was not found when it was selected again: it may have
  /// been away then.
  package internal(set) var silenceCount = 0

  /// The reader looks for these technologies. Type A alone, as it is set at first, is a bench that
  /// knows its reel: nothing else costs it time, and what lies beside a tag of another technology
  /// is not seen. More than one: see `look`.
  public var technologies: Set<Technology> = [.typeA]
  /// What a look that is for several technologies asks for beside a tag of type A.
  package var beside = Beside.nothing
  /// When a tag of type A was last found to be alone; nil: never.
  var lastAlone: Duration?

  /// Whose turn it is while nothing of type A is there: an index into `polls`.
  var turn = 0
  /// When a tag of type A last answered; nil: never.
  var lastTypeA: Duration?
  /// What this board does not know how to look for.
  var unknownPolls: Set<Poll> = []
  /// What it last failed to look for.
  var doubtfulPolls: Set<Poll> = []
  /// How often the field was off.
  var resetCount = 0
  /// The last tag with a UID that looks made up, and when it was seen, in resets.
  var lastRandom: (uid: UID, resetCount: Int)?
  /// UIDs that look made up, of tags that kept them without power.
  var lastingUIDs: Set<UID> = []

  /// The tag that the chip has selected as its target 1.
  var target: Target?
  /// The IDm of the selected FeliCa tag's system that commands go to, where it is not the one that
  /// the tag was found by.
  package internal(set) var systemIDm: [UInt8]?
  /// The chip has left its only target in HALT after looking for a second one; InDataExchange wakes
  /// it by itself, InCommunicateThru does not.
  var targetMaySleep = false
  /// A tag may have been selected since the field went on: it, or one beside it, may be in HALT.
  var mayHaveHalted = false
  /// Says whether a look by UID finds a tag in HALT, as one with WUPA does and one with REQA does
  /// not; nil: not known yet.
  var findsHalted: Bool?
  /// When it was last looked for tags without RATS.
  var lastBareLook = Duration.zero
  /// When a write ended without the tag's acknowledge: the tag may still be at it.
  var openWrite: Duration?
  /// When the field was last off.
  var lastReset = Duration.zero
  /// A look has found several tags, of which some may be in the ISO-DEP protocol: they heed no
  /// request before they are let go.
  var othersMayBeInProtocol = false
  /// The chip sends RATS to every tag that says it knows ISO-DEP.
  var hasAutomaticRATS = true
  /// How much is taken for granted now.
  var care = Care()
  /// This much is taken for granted at the start of each tag.
  var usualCare = Care()
  /// When the last look began, and what had been asked of the chip until then.
  package internal(set) var lastLook = (start: Duration.zero, counts: OperationCounts())
  package let clock: HostClock

  private(set) var link: any ChipLink
  let observer: ((Exchange) -> Void)?
  var isPrepared = false
  /// Is true if nothing was said to the chip since it was set up.
  var isFresh = false
  /// How often the chip is to try again where a look finds nothing, and how often it was told to.
  var wantedTries = TagReader.usualTries
  var repeatedTries = TagReader.usualTries
  /// How long the chip was told to wait for a tag's answer.
  var patience = Care().patience

  /// Takes a link that is open. `observer` is told of every exchange right after it, secrets
  /// masked.
  package convenience init(link: any ChipLink, observer: ((Exchange) -> Void)? = nil) {
    self.init(link: link, observer: observer, clock: .system)
  }

  package init(link: any ChipLink, observer: ((Exchange) -> Void)? = nil, clock: HostClock) {
    self.link = link
    self.observer = observer
    self.clock = clock
  }

  /// What an exchange costs with the chip set up as it is here.
  package var exchangeTime: ExchangeTime {
    var time = ExchangeTime(speed: link.speed)
    time.tries = Int(repeatedTries) + 1
    if let patience = patience.duration { time.patience = patience }
    time.feliCaBitRate = target?.feliCa?.bitRate.rawValue
    return time
  }

  /// Switches the field off: every tag in it forgets what it was doing. The next look switches it
  /// on again.
  package func fieldOff() throws(ReaderError) { try fieldOff(repetition: .once) }

  func fieldOff(repetition: Repetition) throws(ReaderError) {
    forgetTarget()
    finishWrite()
    _ = try perform(.rfField(on: false), repetition: repetition)
    (mayHaveHalted, othersMayBeInProtocol) = (false, false)
    resetCount += 1
    lastReset = clock.now()
  }

  /// Closes the link, which puts back what it changed. Later calls throw.
  public func close() {
    forgetTarget()
    finishWrite()
    link.close()
  }

  /// Goes on with another link to the same reader, which was unplugged and has returned: it has
  /// forgotten everything. The old link is closed.
  package func takeUp(_ link: any ChipLink) {
    close()
    self.link = link
    isPrepared = false
    (mayHaveHalted, othersMayBeInProtocol) = (false, false)
    hasAutomaticRATS = true
    findsHalted = nil
    (unknownPolls, doubtfulPolls) = ([], [])
  }

  func forgetTarget() {
    (target, systemIDm) = (nil, nil)
    targetMaySleep = false
    needsReselect = false
  }

  /// Says which key the next commands prove to the tag.
  package func willProve(_ key: [UInt8]) { link.willProve(key) }

  // MARK: The chip

  /// How a command to the chip itself fares when the line loses it or its answer.
  enum Repetition {
    /// Once more: the command only looks.
    case once
    /// Not at all: the command changes something.
    case never
  }

  /// Sends one command to the chip and returns what follows the answer code, a status byte
  /// included.
  func perform(
    _ command: Command, timeout: Duration = Allowance.command, repetition: Repetition = .once
  ) throws(ReaderError) -> [UInt8] {
    let bytes = command.bytes
    return try perform(repetition) { () throws(ReaderError) in
      try exchange(bytes, shown: bytes.map { $0 }, for: nil, timeout: timeout)
    }
  }

  /// Sends one command to the tag and returns what follows the answer code, a status byte included.
  func perform(_ command: TagCommand, timeout: Duration) throws(ReaderError) -> [UInt8] {
    if let excess = command.excess(over: limit) {
      throw .notCarried(reader: name, reason: excess.description)
    }
    let (bytes, shown) = command.carried(to: systemIDm ?? target?.uid.bytes)
    do throws(ReaderError) {
      return try perform(command.mayRepeat ? .once : .never) { () throws(ReaderError) in
        try exchange(bytes, shown: shown, for: command, timeout: timeout)
      }
    } catch {
      // Whether the card has heard of it, and counted its block, nobody knows (ISO/IEC 14443-4,
      // 7.5.3).
      if isInProtocol { needsReselect = true }
      throw error
    }
  }

  private func perform(
    _ repetition: Repetition, _ body: () throws(ReaderError) -> [UInt8]
  ) throws(ReaderError) -> [UInt8] {
    do {
      return try body()
    } catch .boardSilent where repetition == .once {
    } catch .boardGarbled where repetition == .once {
    }
    return try body()
  }

  /// One exchange with the chip: counted, modelled and reported. `shown`: `bytes` without secrets.
  private func exchange(
    _ bytes: [UInt8], shown: [UInt8?], for command: TagCommand?, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    isFresh = false
    counts.note(command?.kind)
    let work = command?.work ?? .answer
    let start = clock.now()
    func report(_ outcome: Exchange.Outcome) {
      observer?(
        Exchange(
          start: start, duration: clock.now() - start, command: shown, outcome: outcome))
    }
    do {
      let answer = try link.transceive(bytes, timeout: timeout)
      counts.modelledTime += exchangeTime.time(of: bytes, work: work, answer: answer)
      note(command, isAcknowledged: answer.first == StatusCode.ok.rawValue)
      // Behind the status byte.
      report(.answer((command?.secrets ?? .none).masked(answer: answer.map { $0 })))
      return answer
    } catch {
      note(command, isAcknowledged: false)
      counts.modelledTime += exchangeTime.time(of: bytes, work: work, answer: nil)
      let failure = error.masking(shown)
      report(.failure(failure))
      throw failure
    }
  }

  private func note(_ command: TagCommand?, isAcknowledged: Bool) {
    guard command?.kind == .write else { return }
    openWrite = isAcknowledged ? nil : clock.now()
  }
}

extension ReaderError {
  /// Returns this error without the secrets of the command that failed, which is `shown` so.
  fileprivate func masking(_ shown: [UInt8?]) -> ReaderError {
    guard case .notRecorded(_, let place) = self else { return self }
    return .notRecorded(command: Exchange.text(shown), place: place)
  }
}
