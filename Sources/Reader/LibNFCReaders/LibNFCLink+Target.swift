import Clibnfc
import PN532
import Readers

/// The chip as a tag.
///
/// All of it goes by commands of our own, each of which is known to have been carried out before
/// the next one: libnfc's `nfc_target_init` goes on where one was lost, and leaves a chip that no
/// telephone is served by. On a serial line what waits for a telephone goes by our own frames as
/// well: libnfc would end the process for a status byte with bit 7, and would throw away a command
/// that has just come.
extension LibNFCLink: TargetLink {
  /// What the chip was told since it was opened.
  struct Playing {
    /// Something that `stopPlaying` takes back.
    var hasBegun = false
    /// Every command before TgInitAsTarget was carried out.
    var isArmed = false
    /// A command was given that waits for a telephone, and no answer has come: the chip may be
    /// asleep, or at work.
    var isWaiting = false
  }

  package var targetObstacle: String? {
    // Also of a simulated board that stands in for one.
    guard limit != .acr122u else {
      return
        "an ACR122U cannot play a tag: its own firmware stands before the PN532 and ends every wait. Use a PN532 board on a serial line"
    }
    return nil
  }

  package func becomeTag(
    _ identity: [UInt8], onArmed: () -> Void
  ) throws(ReaderError) -> [UInt8] {
    do throws(ReaderError) {
      return try becomeCard(identity, onArmed: onArmed)
    } catch {
      guard limit == .pn533 else { throw error }
      // No document says whether its firmware can: the program tries it and reports the answer.
      switch error {
      case .boardRefused, .boardSilent, .boardGarbled:
        throw .cannotOpen(
          reader: name,
          reason:
            "it is a PN533, and did not become a tag when it was told to (\(error)). Use a PN532 board"
        )
      case .cannotOpen(_, let reason):
        throw .cannotOpen(reader: name, reason: "it is a PN533; \(reason). Use a PN532 board")
      default: throw error
      }
    }
  }

  private func becomeCard(
    _ identity: [UInt8], onArmed: () -> Void
  ) throws(ReaderError) -> [UInt8] {
    let command = Command.tgInitAsTarget(identity).bytes
    for _ in 0..<Self.attempts {
      if playing.isWaiting { try wakeBoard() }
      if !playing.isArmed { try arm() }
      let answer = try awaitReader(command, onArmed)
      // Bit 3: selected as an ISO-DEP card. Else the chip has forgotten what it was told, and the
      // telephone's commands would not be answered by anybody.
      if let mode = answer.first, mode & 0x08 != 0 { return answer }
      playing.isArmed = false
    }
    throw .cannotOpen(
      reader: name,
      reason:
        "the chip was selected \(Self.attempts) times, and not as the tag that it was told to be")
  }

  /// What a command is given before it counts as failed.
  private static let attempts = 3

  /// Makes the chip one that can be selected. A reader's field of its own is off (libnfc does as
  /// much, and sets CIU_TxAuto so).
  private func arm() throws(ReaderError) {
    playing.hasBegun = true
    for command in [
      Command.rfField(on: false), .playCard,
      // Else a telephone that looks for FeliCa finds an empty tag of that kind.
      .writeRegister([(.mode, Self.onlyTypeA), (.txAuto, Self.startsWithField)]),
    ] { try insist(on: command) }
    playing.isArmed = true
  }

  /// Waits until a reader has selected the chip. Bytes that the line
  /// makes up are no answer; this sends the command again, in case they were one.
  private func awaitReader(
    _ command: [UInt8], _ onArmed: () -> Void
  ) throws(ReaderError) -> [UInt8] {
    guard board != nil else {
      onArmed()
      return try awaitAnswer(to: command, limit: nil)
    }
    while true {
      var isAcknowledged = false
      do throws(ReaderError) {
        return try awaitAnswer(to: command, limit: nil) {
          isAcknowledged = true
          onArmed()
        }
      } catch .boardGarbled where isAcknowledged {
        try wakeBoard()
      }
    }
  }

  package func awaitAnswer(
    to command: [UInt8], limit: Duration?
  ) throws(ReaderError) -> [UInt8] {
    try awaitAnswer(to: command, limit: limit) {}
  }

  /// `onAcknowledged`: the chip has the command. Called on a serial line alone.
  package func awaitAnswer(
    to command: [UInt8], limit: Duration?, onAcknowledged: () -> Void
  ) throws(ReaderError) -> [UInt8] {
    guard !interrupter.isRequested else { throw .interrupted }
    guard device != nil, !watchdog.hasCut else { throw .boardLost(reader: name) }
    if let board {
      playing.isWaiting = true
      // libnfc must not take what comes late for an answer to its next command.
      isInStep = false
      let answer = try board.awaitAnswer(
        to: command, limit: limit, onAcknowledged: onAcknowledged
      ) { interrupter.isRequested }
      (playing.isWaiting, isInStep) = (false, true)
      return answer
    }
    if let limit { return try transceive(command, timeout: limit) }
    do throws(LibraryError) { return try device!.awaitAnswer(to: command) } catch {
      throw failure(error)
    }
  }

  /// Ends a wait that was given up; does nothing on I2C and SPI, where the next command ends it.
  package func wakeBoard() throws(ReaderError) {
    try board?.wake()
    playing.isWaiting = false
  }

  package func stopPlaying() throws(ReaderError) {
    // An end that was asked for has come; another must not leave the chip half a tag.
    interrupter.ignore()
    defer { interrupter.heed() }
    guard playing.hasBegun, device != nil else { return }
    try wakeBoard()
    playing.isArmed = false
    let deadline = ContinuousClock.now + Self.farewell
    var trouble: ReaderError?
    for command in [
      Command.releaseAll, .setParameters(automaticRATS: true),
      .writeRegister([(.mode, Self.everyMode)]),
    ] {
      do throws(ReaderError) { try insist(on: command, until: deadline) } catch {
        trouble = error
        // Nobody is there any more, and each command waits for seconds to find that out.
        if ContinuousClock.now > deadline { break }
        if case .boardLost = error { break }
      }
    }
    if let trouble { throw trouble }
    playing.hasBegun = false
  }

  /// How long a board that does not answer may hold up the end.
  private static let farewell = Duration.seconds(3)

  /// Has `command` carried out, which may be so more than once. It is not tried again after
  /// `deadline`.
  private func insist(
    on command: Command, until deadline: ContinuousClock.Instant? = nil
  ) throws(ReaderError) {
    for attempt in 1... {
      do throws(ReaderError) {
        _ = try transceive(command.bytes, timeout: .milliseconds(350))
        return
      } catch {
        switch error {
        case .boardSilent, .boardGarbled, .boardRefused:
          let isLate = deadline.map { ContinuousClock.now > $0 } ?? false
          guard attempt < Self.attempts, !isLate else { throw error }
        default: throw error
        }
      }
    }
  }

  /// CIU_Mode at reset (PN532/C1 data sheet, 8.6.23), and with bit 2, which switches the mode
  /// detector off.
  private static let everyMode: UInt8 = 0x3B
  private static let onlyTypeA: UInt8 = 0x3F
  /// CIU_TxAuto: InitialRFOn, as libnfc has it for a tag.
  private static let startsWithField: UInt8 = 0x04
}

extension SerialBoard {
  /// Sends `command`, and returns what follows the answer code; nil `limit`: however long that
  /// takes. Throws `interrupted` once `shouldStop` says so, with the command aborted.
  func awaitAnswer(
    to command: [UInt8], limit: Duration?, onAcknowledged: () -> Void, shouldStop: () -> Bool
  ) throws(ReaderError) -> [UInt8] {
    port.discardInput()
    try send(Frame.command(command).serialize())
    var parser = FrameParser()
    let start = ContinuousClock.now
    var isAcknowledged = false
    while true {
      guard let bytes = port.receive(timeout: Self.look) else { throw .boardLost(reader: name) }
      // The rest of a frame does not come, or what began like one swallows the next.
      if bytes.isEmpty, parser.isWithinFrame { throw .boardGarbled(reader: name) }
      for event in parser.feed(bytes) {
        switch event {
        case .frame(.ack) where !isAcknowledged:
          isAcknowledged = true
          onAcknowledged()
        case .frame(.error): throw .boardRefused(reader: name)
        case .frame(.answer(let payload)) where payload[0] == command[0] + 1:
          return Array(payload.dropFirst())
        case .fault: throw .boardGarbled(reader: name)
        case .frame: break
        }
      }
      if shouldStop() {
        try wake()
        throw .interrupted
      }
      let most = isAcknowledged ? limit : Self.acknowledgeTime
      if let most, start.duration(to: .now) > most { throw .boardSilent(reader: name) }
    }
  }

  /// Wakes a chip that waits for a reader, and ends the command that it waits with (AN10449, figure
  /// 16).
  func wake() throws(ReaderError) {
    try send(Self.wakeUp)
    HostClock.pause(.milliseconds(2))
    try send(Frame.ack.serialize())
    port.discardInput()
  }

  /// How often somebody is asked whether to go on.
  private static let look = Duration.milliseconds(50)
  /// Longer than a healthy chip takes to say that it has a command.
  private static let acknowledgeTime = Duration.milliseconds(500)
}
