import Bytes
import PN532

/// A PN532 as its firmware 1.6 behaves (UM0701-02), without wire and clock: commands in, answers
/// out.
///
/// Starts in LowVbat: call `wakeUp` (the wire does it on the bytes that wake the real one), and
/// configure the SAM before anything that needs the field. Time is modelled, never slept. Where the
/// manual is silent the comments at the command say what is assumed.
package final class Chip {
  /// The chip's attention to the host line.
  package enum PowerMode: Hashable, Sendable {
    /// After power-up: deaf until the line wakes it.
    case lowVbat
    case awake
    /// After PowerDown: deaf until the line wakes it; settings survive.
    case powerDown
  }

  /// A tag that the chip keeps under a number.
  struct Target {
    let number: UInt8
    let identity: Identity
    /// It has answered RATS, or ATTRIB: data go through the ISO-DEP protocol.
    var link: ProtocolReader?
    /// The chip itself has put it to sleep and wakes it before the next exchange.
    var isHalted = false
    /// Data of a chained answer that the host has not fetched yet.
    var rest: [UInt8] = []

    var isISODEP: Bool { link != nil }

    enum Identity: Hashable {
      case typeA(uid: [UInt8])
      case typeB(pupi: [UInt8])
      case feliCa(idm: [UInt8])
      case topaz(id: [UInt8])

      /// Is true if there is a HALT state.
      var canSleep: Bool {
        switch self {
        case .typeA, .typeB: true
        case .feliCa, .topaz: false
        }
      }
    }
  }

  package let field: Field
  package internal(set) var powerMode = PowerMode.lowVbat
  /// The speed of the serial line.
  package internal(set) var speed = LinkSpeed.baud115200
  /// What was asked of it so far.
  package internal(set) var statistics = Statistics()
  /// How many places for faults there have been; those of the line are counted by the line.
  package var places: FaultPlaces { faults.places }

  let faults: FaultInjector
  let air: Air
  let model: TimeModel
  /// How this chip and its wire differ from a genuine one.
  let deviations: BoardDeviations
  var registers = RegisterFile()
  var retries = ActivationRetries()
  var isSAMConfigured = false
  var hasAutomaticRATS = true
  /// SetParameters, bit 5: as a tag it is an ISO-DEP card, and answers RATS itself.
  var playsCard = true
  /// What it is as a tag, where it is one.
  var targetMode: TargetMode?
  var lastError = StatusCode.ok
  var targets: [Target] = []
  /// The PUPIs of cards of type B that this chip has listed and does not find again.
  var lostTypeB: Set<[UInt8]> = []
  /// The number of the target that is awake, 0 = none.
  var current: UInt8 = 0
  /// A Classic's sector is open: chip and tag talk encrypted.
  var hasOpenSector = false
  /// An authentication was refused, and no tag has been selected since; only a chip that minds
  /// knows.
  var authenticationIsShut = false
  /// Tags that have answered a REQA or WUPA sent by hand.
  var rawAnticollision: [any VirtualTag] = []
  /// SetParameters, bits 0 and 1: whether NAD and CID are used with ISO-DEP cards of type A.
  var (usesNAD, usesCID) = (false, false)
  /// RFConfiguration item 4: how often the chip itself repairs an exchange. 0 to begin with: not at
  /// all.
  var communicationRetries = 0
  /// The speed that holds once the host has acknowledged it.
  var announcedSpeed: LinkSpeed?
  /// Answers in this chip's place, where there is one.
  package var script: (any ChipScript)?
  /// What it had this chip do last.
  package private(set) var scripted: ScriptedOutcome?
  /// What is waited for, when a command pends.
  private var pendingCommand: [UInt8]?
  /// What was asked before the first look for a tag.
  private var opening: Statistics.Work?
  private var isDead = false

  /// A chip without power so far; `field` must not be shared with another chip.
  package init(
    field: Field, faults: FaultPlan = .none, timeModel: TimeModel = TimeModel(),
    deviations: BoardDeviations = BoardDeviations()
  ) {
    self.field = field
    self.faults = FaultInjector(faults)
    model = timeModel
    self.deviations = deviations
    air = Air(field: field, faults: self.faults, model: timeModel)
  }

  /// Is true if a command waits for a tag.
  package var isPending: Bool { pendingCommand != nil }

  /// The wake-up condition on the line; settings survive PowerDown, not LowVbat.
  package func wakeUp() {
    if !isDead { powerMode = .awake }
  }

  /// Power off and on: everything but the statistics is forgotten.
  package func powerCycle() {
    air.switchField(on: false)
    (powerMode, speed, announcedSpeed, isDead) = (.lowVbat, .baud115200, nil, false)
    (registers, retries, isSAMConfigured) = (RegisterFile(), ActivationRetries(), false)
    (hasAutomaticRATS, lastError, pendingCommand) = (true, .ok, nil)
    leaveTargetMode()
    playsCard = true
    (usesNAD, usesCID, communicationRetries) = (false, false, 0)
    air.patience = RFTimeout.communicationDefault.duration
    forgetTargets()
  }

  /// The firmware dies: it answers nothing until `powerCycle`.
  package func hang() {
    isDead = true
    pendingCommand = nil
  }

  /// A hand takes the tag away while it programs a unit (offsets into its memory) of those that
  /// `isMeant` picks: the one that follows `after` others from now on, once `bytes` bytes are new.
  package func liftTag(
    withinWritesOf isMeant: @escaping (Range<Int>) -> Bool, after: Int, bytes: Int
  ) {
    faults.liftTag(withinWritesOf: isMeant, after: after, bytes: bytes)
  }

  /// The line's speed is the one at power-up again.
  func fallHome() { (speed, announcedSpeed) = (.baud115200, nil) }

  /// An ACK frame from the host: aborts what runs, or completes SetSerialBaudRate (7.2.6).
  package func hostAcknowledges() {
    pendingCommand = nil
    if targetMode?.contact == TargetMode.Contact.none { leaveTargetMode() }
    if let announcedSpeed { speed = announcedSpeed }
    announcedSpeed = nil
  }

  /// Carries out a command: its code, then its parameters, without the TFI. A command that pends is
  /// cancelled.
  package func process(command: [UInt8]) -> ChipOutcome {
    guard powerMode == .awake, !isDead else { return .deaf }
    pendingCommand = nil
    announcedSpeed = nil
    let code = command.first.flatMap(CommandCode.init(rawValue:))
    if opening == nil, code == .inListPassiveTarget || code == .inAutoPoll {
      opening = statistics.sum
    }
    count(command)
    let outcome = timed(command) {
      guard let script = self.script else { return self.dispatch(command) }
      let scripted = script.outcome(of: command) { self.dispatch(command) }
      self.scripted = scripted
      return scripted.outcome
    }
    if let opening, code?.concernsTags == true { statistics.work = statistics.sum - opening }
    if outcome == .pending { pendingCommand = command }
    return outcome
  }

  /// Looks again for what a pending command waits for; nil while it is not there.
  package func resume() -> ChipOutcome? {
    // A chip that waits for a reader sleeps, and the reader's field wakes it.
    guard let pendingCommand, !isDead,
      powerMode == .awake || pendingCommand[0] == CommandCode.tgInitAsTarget.rawValue
    else { return nil }
    let (timeSoFar, lastTimeSoFar) = (statistics.time, lastTime)
    let outcome = timed(nil) { self.dispatch(pendingCommand) }
    guard outcome != .pending else {
      // Waiting costs nothing: it is the person's time.
      (statistics.time, lastTime) = (timeSoFar, lastTimeSoFar)
      return nil
    }
    self.pendingCommand = nil
    return outcome
  }

  private func dispatch(_ command: [UInt8]) -> ChipOutcome {
    guard let first = command.first, let code = CommandCode(rawValue: first) else {
      return .syntaxError
    }
    let answer = perform(code, Array(command.dropFirst()))
    if case .answer(let bytes) = answer, code.answersWithStatus,
      let status = bytes.dropFirst().first
    {
      lastError = StatusCode(rawValue: status)
    }
    return answer
  }

  /// The time that came with the last command, on the line and behind it.
  package private(set) var lastTime = TimeSplit()

  private func timed(_ command: [UInt8]?, _ body: () -> ChipOutcome) -> ChipOutcome {
    let (lineSpeed, exchanges, cycles) = (speed, air.exchangeCount, air.programmingCount)
    air.spent = TimeSplit()
    let outcome = body()
    var time = air.spent
    time.chip = model.command
    var bytes = 0
    if let command { bytes = Frame.command(command).serialize().count + 6 }
    if case .answer(let answer) = outcome { bytes += Frame.answer(answer).serialize().count }
    if outcome == .syntaxError { bytes += 8 }
    time.link = model.line(bytes: bytes, bitsPerSecond: lineSpeed.bitsPerSecond)
    time.adapter = model.adapterLatency * (command == nil ? 1 : 2)
    statistics.time += time
    statistics.rfExchanges += air.exchangeCount - exchanges
    statistics.eepromWrites += air.programmingCount - cycles
    statistics.presentations = field.presentationCount
    lastTime = time
    return outcome
  }

  private func count(_ command: [UInt8]) {
    let code = command.first ?? 0
    let name =
      CommandCode(rawValue: code)?.description ?? "command \(Hex.byte(code).uppercased())h"
    statistics.commands[name, default: 0] += 1
  }

  func forgetTargets() {
    targets = []
    current = 0
    authenticationIsShut = false
    closeSector()
  }

  func closeSector() {
    hasOpenSector = false
    registers[.status2] &= ~0x08
  }
}

/// RFConfiguration item 5 (UM0701-02, 7.3.1); FFh is without a limit.
struct ActivationRetries {
  var attribute: UInt8 = 0xFF
  var psl: UInt8 = 0x01
  var passive: UInt8 = 0xFF
}
