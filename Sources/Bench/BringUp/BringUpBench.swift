import LibNFCReaders
import PN532
import Readers
import TagMemory

/// The board under question: bare commands to its chip, each of them recorded.
///
/// Nothing here repeats, repairs or works around: the answer counts as it came.
package final class BringUpBench {
  /// What is open now.
  private var link: LibNFCLink?
  /// Where the reader is; a simulated one that was switched off and on is elsewhere.
  package private(set) var connection: ConnectionString
  /// How often a question that counts misses is asked.
  package let rounds: Int
  /// The wait, which simulated boards need as much as real ones.
  private let pause: (Duration) -> Void
  private let hands: any BringUpHands
  private let shouldStop: () -> Bool
  private var recorded: [Evidence.Reply] = []
  /// Is true if somebody asked for points by name: for what may cost an unplugging, too.
  private let mayLoseBoard: Bool

  /// Opens the reader at the speed at which its line starts. Throws as `LibNFCLink` does.
  package init(
    _ connection: ConnectionString, hands: any BringUpHands, rounds: Int,
    mayLoseBoard: Bool = false, shouldStop: @escaping () -> Bool
  ) throws(ReaderError) {
    (self.connection, self.hands, self.rounds) = (connection, hands, rounds)
    self.mayLoseBoard = mayLoseBoard
    (self.shouldStop, pause) = (shouldStop, { HostClock.pause($0) })
    try open()
  }

  /// Which chip, which firmware.
  package private(set) var firmware: FirmwareVersion?
  /// Why its line is not raised without being asked for: its driver is not known to hold a higher
  /// speed, and the board might be lost. Nil where it may be.
  package var doubt: String? {
    guard !mayLoseBoard, case .stays(let reason)? = LineTrial(connection)?.automaticSpeed else {
      return nil
    }
    return "\(reason)"
  }
  /// Is true if a serial line leads to the board.
  package var isSerial: Bool { LineTrial(connection) != nil }
  /// The kernel's driver of that line; nil where it is not known.
  package var lineDriver: String? { LineTrial(connection)?.driver }
  /// The highest speed at which the line was seen to lose nothing; nil before it was tried.
  package var carriedSpeed: LinkSpeed?

  // MARK: The link

  /// Opens the reader at its usual speed, or at `speed`.
  package func open(at speed: LinkSpeed? = nil) throws(ReaderError) {
    close()
    let home = connection.speed.flatMap(LinkSpeed.init(bitsPerSecond:)) ?? .baud115200
    let wanted: LineSpeed = isSerial ? .fixed(speed ?? home) : .automatic
    let opened = try LibNFCLink(opening: connection, speed: wanted)
    link = opened
    firmware = opened.firmware
  }

  /// The speed at which a board was met that an earlier program had left elsewhere.
  package var strayedTo: LinkSpeed? { link?.strayedTo }

  package func close() {
    link?.close()
    link = nil
  }

  /// The line without libnfc; the link is closed for it. Nil where there is none.
  package func line() -> LineTrial? {
    close()
    return LineTrial(connection)
  }

  /// How often it was switched off and on.
  package private(set) var powerCuts = 0

  /// Switches the board off and on, by the operator's hand. False where nobody did.
  package func cutPower() throws(ReaderError) -> Bool {
    close()
    guard let now = try hands.cutPower() else { return false }
    powerCuts += 1
    connection = now
    return true
  }

  /// Returns whether the operator has taken the tag away.
  package func lift() throws(ReaderError) -> Bool { try hands.lift() }

  /// Has the tag taken away while it is written; how long to write for that, nil where nobody does.
  package func liftWhileWriting(round: Int, of count: Int) throws(ReaderError) -> Duration? {
    try hands.liftWhileWriting(round: round, of: count)
  }

  /// Has the tag with this UID laid down again; false where it does not come.
  package func layBack(_ uid: [UInt8]) throws(ReaderError) -> Bool {
    try hands.layBack(uid, to: self)
  }

  /// A person's answer to `question`; nil where nobody answers.
  package func ask(_ question: String) throws(ReaderError) -> Bool? { try hands.ask(question) }

  // MARK: Exchanges

  /// Sends one command and takes what comes of it. Throws only what ends the run: `interrupted`,
  /// `boardLost`.
  @discardableResult
  package func send(
    _ label: String, _ command: Command, timeout: Duration = .milliseconds(500)
  ) throws(ReaderError) -> Evidence.Reply {
    try send(label, command.bytes, timeout: timeout)
  }

  @discardableResult
  package func send(
    _ label: String, _ bytes: [UInt8], timeout: Duration = .milliseconds(500)
  ) throws(ReaderError) -> Evidence.Reply {
    guard let link else { throw .boardLost(reader: connection.text) }
    let start = ContinuousClock.now
    var reply = Evidence.Reply(label, bytes, answer: nil)
    do throws(ReaderError) {
      reply.answer = try link.transceive(bytes, timeout: timeout)
    } catch {
      if case .boardLost = error { throw error }
      if error == .interrupted { throw error }
      reply.failure = error.description
    }
    reply.duration = start.duration(to: .now)
    recorded.append(reply)
    return reply
  }

  /// A wait for another reader ends in one of these ways.
  package enum WaitEnd: Hashable, Sendable {
    /// The chip has taken the command, and waited until it was woken.
    case waited
    /// It has answered, or not taken the command.
    case over
  }

  /// Why this reader cannot be a tag, a clause; nil where it can, or where only trying tells.
  package var targetObstacle: String? { link?.targetObstacle }

  /// Sends a command with which the chip waits for another reader, gives that up after `limit`, and
  /// wakes the chip. Throws as `send` does.
  package func wait(
    _ label: String, _ command: Command, limit: Duration
  ) throws(ReaderError) -> WaitEnd {
    guard let link else { throw .boardLost(reader: connection.text) }
    let start = ContinuousClock.now
    var reply = Evidence.Reply(label, command.bytes, answer: nil)
    // Only on a serial line it is seen that the chip has the command; elsewhere libnfc sees to it.
    var isTaken = !isSerial
    var end = WaitEnd.over
    do throws(ReaderError) {
      reply.answer = try link.awaitAnswer(to: command.bytes, limit: limit) { isTaken = true }
    } catch {
      if case .boardLost = error { throw error }
      if error == .interrupted { throw error }
      if case .boardSilent = error, isTaken { end = .waited }
      reply.failure = error.description
    }
    reply.duration = start.duration(to: .now)
    recorded.append(reply)
    try link.wakeBoard()
    return end
  }

  /// The replies since the last call, for one question's evidence.
  package func takeReplies() -> [Evidence.Reply] {
    defer { recorded = [] }
    return recorded
  }

  /// How many there are.
  package var replyCount: Int { recorded.count }

  /// Forgets those from number `count` on: they say nothing.
  package func forgetReplies(since count: Int) { recorded.removeSubrange(count...) }

  /// The block of a MIFARE Classic that was written last; nil where none was.
  package var lastWrite: Block? {
    recorded.last { $0.command.starts(with: [0x40]) && $0.command.dropFirst(2).first == 0xA0 }
      .map { Block($0.command[3]) }
  }

  /// The open link, which records what goes over it; nil where none is open.
  func recordingLink() -> RecordingLink? {
    link.map { link in RecordingLink(link) { [unowned self] in recorded.append($0) } }
  }

  /// Is true if somebody asks for the end.
  var isStopWanted: () -> Bool { shouldStop }

  /// Is true if the last command was answered with data and a good status.
  package var lastAnswered: Bool { recorded.last?.data?.isEmpty == false }

  /// Throws `interrupted` when somebody asks for the end. Between writes and their undoing nobody
  /// asks.
  package func checkInterruption() throws(ReaderError) {
    if shouldStop() { throw .interrupted }
  }

  package func wait(_ duration: Duration) { pause(duration) }

  // MARK: Usual sequences

  /// How long the field is off so that tags forget their state: as `TagReader` does it.
  private static let resetPause = Duration.microseconds(5100)

  /// Takes the tags' power away for 5.1 ms, and sets the chip as `TagReader` does: one try more,
  /// 12.8 ms for an answer, or `patience`. `isUndoing`: what was written is put back, which nobody
  /// interrupts.
  package func reset(
    patience: RFTimeout = RFTimeout(atLeast: .milliseconds(12)), isUndoing: Bool = false
  ) throws(ReaderError) {
    if !isUndoing { try checkInterruption() }
    try send("set-up", .rfField(on: false))
    try send("set-up", .activationRetries(passive: 1))
    try send("set-up", .rfTimeouts(communication: patience))
    pause(Self.resetPause)
  }

  /// One look for type A, with room for `room` tags.
  @discardableResult
  package func look(
    _ label: String = "look", room: UInt8 = 1, uid: [UInt8] = []
  ) throws(ReaderError) -> Evidence.Reply {
    try send(label, .listTypeA(limit: room, uid: uid))
  }

  /// Takes the field away, so that tags have had no power just before, and looks once for type A.
  @discardableResult
  package func lookAnew(
    _ label: String = "look", room: UInt8 = 1
  ) throws(ReaderError) -> Evidence.Reply {
    try reset()
    return try look(label, room: room)
  }

  /// The tags in an answer to `look`; RATS was sent where `automaticRATS`.
  package func tags(in reply: Evidence.Reply, automaticRATS: Bool = true) -> [SeenTag] {
    guard let answer = reply.answer,
      let found = try? TypeATarget.list(parsing: answer, automaticRATS: automaticRATS)
    else { return [] }
    return found.map { SeenTag(uid: $0.uid, sak: $0.sak) }
  }

  /// A command of the tag's, as the chip's firmware knows it.
  @discardableResult
  package func exchange(_ label: String, _ data: [UInt8]) throws(ReaderError) -> Evidence.Reply {
    try send(label, .inDataExchange(data))
  }

  /// A command of the tag's as it stands.
  @discardableResult
  package func through(_ label: String, _ data: [UInt8]) throws(ReaderError) -> Evidence.Reply {
    try send(label, .inCommunicateThru(data))
  }

  /// REQA (26h), or WUPA (52h), seven bits without CRC, as no command of the chip sends it alone.
  package func request(_ label: String, _ code: UInt8) throws(ReaderError) {
    let modes = try send("set-up", .readRegister([.txMode, .rxMode]))
    let before = Array((modes.answer ?? [0x80, 0x80]).suffix(2))
    try send(
      "set-up",
      .writeRegister([
        (.txMode, before[0] & 0x7F), (.rxMode, before[1] & 0x7F), (.bitFraming, 0x07),
      ]))
    try through(label, [code])
    try send(
      "set-up",
      .writeRegister([(.bitFraming, 0x00), (.txMode, before[0]), (.rxMode, before[1])]))
  }

  /// What lies on the reader, looked at in a fresh field; tags that are not of type A only where
  /// `wish` is for one.
  package func seenTags(for wish: TagWish? = nil) throws(ReaderError) -> [SeenTag] {
    try reset()
    let seen = tags(in: try look(room: 2))
    switch wish {
    case .feliCa:
      let answer = try send("look", .listFeliCa()).answer ?? []
      let found = (try? FeliCaTarget.list(parsing: answer)) ?? []
      return seen + found.map { SeenTag(.feliCa, uid: $0.idm) }
    case .typeB:
      let answer = try send("look", .listTypeB()).answer ?? []
      let found = (try? TypeBTarget.list(parsing: answer)) ?? []
      return seen + found.map { SeenTag(.typeB, uid: $0.pupi) }
    case .topaz:
      let answer = try send("look", .listTopaz).answer ?? []
      let found = (try? TopazTarget.list(parsing: answer)) ?? []
      return seen + found.map { SeenTag(.topaz, uid: $0.id) }
    case .isoDEP where seen.isEmpty:
      // Some cards say that they speak ISO-DEP and leave RATS without an answer: no look with it
      // names them.
      try send("set-up", .setParameters(automaticRATS: false))
      let bare = tags(in: try lookAnew(room: 2), automaticRATS: false)
      try send("set-up", .inRelease())
      try send("set-up", .setParameters(automaticRATS: true))
      return bare
    default: return seen
    }
  }
}
