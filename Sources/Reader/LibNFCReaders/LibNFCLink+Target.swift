import Clibnfc
import PN532
import Readers

/// The chip as a tag.
///
/// libnfc makes it one the first time (`nfc_target_init`, without a limit; the interrupter ends
/// it). On a serial line all that follows goes by our own frames: libnfc would end the process for
/// a status byte with bit 7, and would throw away a command that has just come.
extension LibNFCLink: TargetLink {
  package var targetObstacle: String? {
    // Also of a simulated board that stands in for one.
    guard limit != .acr122u else {
      return
        "an ACR122U cannot play a tag: its own firmware stands before the PN532 and ends every wait. Use a PN532 board on a serial line"
    }
    guard limit != .pn533 else {
      return
        "a PN533 cannot play a Type 4 tag: its firmware has no ISO-DEP for that. Use a PN532 board"
    }
    return nil
  }

  package func becomeTag(_ identity: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard !interrupter.isRequested else { throw .interrupted }
    guard device != nil, !watchdog.hasCut else { throw .boardLost(reader: name) }
    let isFirst = !hasPlayed
    hasPlayed = true
    if !isFirst { return try awaitAnswer(to: Command.tgInitAsTarget(identity).bytes, limit: nil) }
    // Else a telephone that looks for FeliCa finds an empty tag of that kind (CIU_Mode, bit 2).
    _ = try transceive(
      Command.writeRegister([(.mode, Self.onlyTypeA)]).bytes, timeout: .milliseconds(350))
    do throws(LibraryError) {
      try device!.becomeTag(identity)
      return [0x08]
    } catch {
      throw failure(error)
    }
  }

  package func awaitAnswer(
    to command: [UInt8], limit: Duration?
  ) throws(ReaderError) -> [UInt8] {
    guard !interrupter.isRequested else { throw .interrupted }
    guard device != nil, !watchdog.hasCut else { throw .boardLost(reader: name) }
    if let board {
      return try board.awaitAnswer(to: command, limit: limit) { interrupter.isRequested }
    }
    if let limit { return try transceive(command, timeout: limit) }
    do throws(LibraryError) { return try device!.awaitAnswer(to: command) } catch {
      throw failure(error)
    }
  }

  package func stopPlaying() throws(ReaderError) {
    interrupter.forget()
    guard hasPlayed, device != nil else { return }
    hasPlayed = false
    try board?.wake()
    for command in [
      Command.releaseAll, .setParameters(automaticRATS: true),
      .writeRegister([(.mode, Self.everyMode)]),
    ] { _ = try transceive(command.bytes, timeout: .milliseconds(350)) }
  }

  /// CIU_Mode at reset (PN532/C1 data sheet, 8.6.23), and with bit 2, which switches the mode
  /// detector off.
  private static let everyMode: UInt8 = 0x3B
  private static let onlyTypeA: UInt8 = 0x3F
}

extension SerialBoard {
  /// Sends `command`, and returns what follows the answer code; nil `limit`: however long that
  /// takes. Throws `interrupted` once `shouldStop` says so, with the command aborted.
  func awaitAnswer(
    to command: [UInt8], limit: Duration?, shouldStop: () -> Bool
  ) throws(ReaderError) -> [UInt8] {
    port.discardInput()
    try send(Frame.command(command).serialize())
    var parser = FrameParser()
    let start = ContinuousClock.now
    var isAcknowledged = false
    while true {
      guard let bytes = port.receive(timeout: Self.look) else { throw .boardLost(reader: name) }
      for event in parser.feed(bytes) {
        switch event {
        case .frame(.ack): isAcknowledged = true
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
