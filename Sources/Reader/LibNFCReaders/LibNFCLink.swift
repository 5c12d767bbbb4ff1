import PN532
import Readers

/// A PN53x chip behind libnfc: on a serial line, on I2C or SPI, or in a USB reader.
///
/// What libnfc leaves open is closed here: a lock on the port, a check that a chip stands behind
/// what libnfc opened, time-outs that end, the speed of a serial line. One thread owns a link; only
/// its `interrupter` may be used by others.
package final class LibNFCLink: ChipLink {
  package let name: String
  /// Which chip answers, and its firmware.
  package let firmware: FirmwareVersion
  /// The serial line's speed now; nil for readers that have no serial line.
  package private(set) var speed: LinkSpeed?
  /// The speed at which the board was found, where an earlier program had left it at another than
  /// it opens at.
  package let strayedTo: LinkSpeed?
  package let hasResetField: Bool
  /// Ends a blocked exchange from another thread.
  package let interrupter = Interrupter()

  /// What `--baud auto` was found to do on this line; nil where it was not asked, and where there
  /// is no serial line.
  package let automaticSpeed: AutomaticSpeed?

  package let limit: ExchangeLimit
  private let place: ReaderPlace
  /// How far the chip is from being a reader.
  var playing = Playing()
  let watchdog: Watchdog
  var device: DeviceHandle?
  private var usbLock: USBLock?
  var board: SerialBoard?
  private let line: LineHistory?
  /// Is true if the line was raised on the word of an earlier program, and has not failed since.
  private var isTrusted = false
  /// Is true if the next answer is sure to belong to the next command.
  var isInStep = true
  private var hasFailed = false
  private var stepCount = 0

  /// Opens a reader: `connection` is a libnfc connection string or the path of a tty.
  ///
  /// Throws `cannotOpen` with a reason, `busy`, `boardSilent` or `boardLost`. A healthy serial
  /// board takes about 0.1 s, a dead one less than 2 s. `isVerbose` lets libnfc's own error
  /// messages through to standard error. `memory` knows adapters on which a board was lost and
  /// those that have carried long frames, and learns of others.
  package convenience init(
    opening connection: String, speed: LineSpeed = .automatic, isVerbose: Bool = false,
    memory: AdapterMemory? = nil
  ) throws(ReaderError) {
    try self.init(
      opening: ConnectionString(connection), speed: speed, isVerbose: isVerbose, memory: memory)
  }

  /// Likewise, with a connection string that was checked before. `adapter`: by what name `memory`
  /// knows a pseudo-terminal that is new each time; nil: by its own. `limit`: what passes a reader
  /// that another stands in for; nil: what passes one of its kind.
  package convenience init(
    opening connection: ConnectionString, speed: LineSpeed = .automatic, isVerbose: Bool = false,
    memory: AdapterMemory? = nil, adapter: String? = nil, limit: ExchangeLimit? = nil
  ) throws(ReaderError) {
    do throws(OpeningFailure) {
      try self.init(
        trying: connection, speed: speed, isVerbose: isVerbose, memory: memory, adapter: adapter,
        limit: limit)
    } catch {
      throw error.error
    }
  }

  /// Likewise; a failure says which obstacle it was, too. `isProving`: a line that is remembered to
  /// carry long frames does so again.
  init(
    trying connection: ConnectionString, speed: LineSpeed = .automatic, isVerbose: Bool = false,
    memory: AdapterMemory? = nil, adapter: String? = nil, limit: ExchangeLimit? = nil,
    isProving: Bool = false
  ) throws(OpeningFailure) {
    let name = connection.text
    self.name = name
    let place = try ReaderPlace(of: connection)
    self.place = place
    watchdog = Watchdog(over: place.file)
    var board: SerialBoard?
    var line: LineHistory?
    var strayedTo: LinkSpeed?
    if connection.driver == .pn532UART {
      let home = connection.speed.flatMap(LinkSpeed.init(bitsPerSecond:)) ?? .baud115200
      let port = try OpeningFailure.of { () throws(ReaderError) in
        try TerminalPort(locking: place.file, reader: name)
      }
      let history = LineHistory(
        of: port, connection: connection, memory: memory, adapter: adapter)
      let met = SerialBoard(port: port, name: name, home: home)
      let found = try met.bringHome(proving: history)
      if found != home { strayedTo = found }
      try OpeningFailure.of(met.switchFieldOff)
      (board, line) = (met, history)
    }
    usbLock =
      connection.driver.takesPath
      ? nil
      : try OpeningFailure.of { () throws(ReaderError) in
        try USBLock(locking: place.file, reader: name)
      }
    hasResetField = board != nil
    automaticSpeed = speed == .automatic ? line?.automaticSpeed : nil
    self.strayedTo = strayedTo
    var opening = Opening(
      connection, at: place, isVerbose: isVerbose, interrupter: interrupter, watchdog: watchdog)
    let raise = { () throws(OpeningFailure) -> LinkSpeed? in
      guard let board, let line else { return nil }
      return try line.raise(board, to: speed, proving: isProving)
    }
    if let board, let line, speed == .automatic, !isProving {
      isTrusted = line.isProven(at: speed.candidates(above: board.home).first)
    }
    let device: DeviceHandle
    do throws(OpeningFailure) {
      device = try opening.attempt(board, raise)
    } catch {
      // libnfc repeats nothing: a frame that the line lost while it set the chip up looks like no
      // board at all. So does a USB reader that was too late once, or had something left to say to
      // another program.
      let mayRepeat =
        if let board {
          error.error != .interrupted && !opening.hasRaisingFailed && !board.port.isGone
            && (try? board.bringHome(patiently: false)) != nil
        } else {
          place.isUSB && error.obstacle == nil && error.error != .interrupted && !place.isGone
        }
      guard mayRepeat, !watchdog.hasCut else { throw error }
      device = try opening.attempt(board, raise)
    }
    board?.port.refuseOthers()
    firmware = device.firmware
    self.limit = limit ?? Self.limit(of: connection.driver, firmware)
    self.speed = opening.speed
    (self.board, self.line) = (board, line)
    self.device = consume device
  }

  deinit { close() }

  package func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    guard !interrupter.isRequested else { throw .interrupted }
    guard device != nil, !watchdog.hasCut else { throw .boardLost(reader: name) }
    if !isInStep { try fallIntoStep() }
    if isTrusted, hasFailed { try prove() }
    do throws(LibraryError) {
      return try device!.transceive(command, timeout: timeout)
    } catch {
      (isInStep, hasFailed) = (false, true)
      throw failure(error)
    }
  }

  /// Does what the opening has left out, now that an exchange has failed: a line that does not
  /// carry long frames goes on at the speed at which the board was met.
  private func prove() throws(ReaderError) {
    isTrusted = false
    guard let board, try !board.carriesLongFrames() else { return }
    slowDown()
    if !isInStep { try fallIntoStep() }
  }

  /// How a device is opened.
  private struct Opening {
    let connection: ConnectionString
    let place: ReaderPlace
    let isVerbose: Bool
    let interrupter: Interrupter
    let watchdog: Watchdog
    /// The speed to which the line was raised; nil where there is no line.
    private(set) var speed: LinkSpeed?
    private(set) var hasRaisingFailed = false

    init(
      _ connection: ConnectionString, at place: ReaderPlace, isVerbose: Bool,
      interrupter: Interrupter, watchdog: Watchdog
    ) {
      (self.connection, self.place, self.isVerbose) = (connection, place, isVerbose)
      (self.interrupter, self.watchdog) = (interrupter, watchdog)
    }

    /// A device that is known to be a PN532 or PN533, set up by libnfc, its line raised. One that
    /// is not is closed again, at the speed at which `board` was met.
    mutating func attempt(
      _ board: SerialBoard?, _ raise: () throws(OpeningFailure) -> LinkSpeed?
    ) throws(OpeningFailure) -> DeviceHandle {
      var device: DeviceHandle
      do throws(ReaderError) {
        device = try DeviceHandle(
          opening: connection, at: place, isVerbose: isVerbose, interrupter: interrupter,
          watchdog: watchdog)
      } catch {
        // libnfc says no more than that it has not come about.
        guard let obstacle = USBProbe.obstacle(at: place, of: connection.driver) else {
          throw OpeningFailure(error)
        }
        throw OpeningFailure(obstacle, reader: connection.text)
      }
      do throws(OpeningFailure) { speed = try raise() } catch {
        hasRaisingFailed = true
        throw error
      }
      // At the raised speed, where it takes less time.
      do throws(OpeningFailure) {
        device.firmware = try LibNFCLink.firmware(of: device, at: place, name: connection.text)
        try LibNFCLink.checkSetUp(of: device, at: place, name: connection.text)
      } catch {
        if let board, let speed { board.lower(from: speed) }
        throw error
      }
      return device
    }
  }

  /// Brings a line that was raised by itself back to the speed at which the board was met.
  package func slowDown() {
    guard automaticSpeed != nil, let board, let now = speed, now != board.home else { return }
    isInStep = false
    line?.distrust()
    if board.comeDown(from: now) { speed = board.home }
  }

  /// Makes sure, after a failure, that the next answer belongs to the next command: what was only
  /// late would otherwise be taken for it, and libnfc's flush before each command does not help
  /// while it is still under way.
  ///
  /// The chip sends back a text that was never sent before (Diagnose, UM0701-02, 7.2.1): bytes keep
  /// their order, so nothing older can follow it. A host or an adapter may stand still for a second
  /// or two, and a board that hangs gets few commands: each waits twice as long as the one before.
  /// Throws `boardSilent` when two seconds bring no such answer.
  private func fallIntoStep() throws(ReaderError) {
    let deadline = ContinuousClock.now + .seconds(2)
    var patience = Duration.milliseconds(150)
    repeat {
      stepCount += 1
      let text = [0x6E, UInt8(stepCount >> 8 & 0xFF), UInt8(stepCount & 0xFF)]
      do throws(LibraryError) {
        let answer = try device!.transceive(Command.lineTest(text).bytes, timeout: patience)
        isInStep = answer == [0x00] + text
      } catch {
        patience = min(patience * 2, .seconds(2))
        let failure = failure(error)
        if failure == .boardLost(reader: name) || failure == .interrupted { throw failure }
      }
    } while !isInStep && ContinuousClock.now < deadline
    guard isInStep else { throw .boardSilent(reader: name) }
  }

  /// Puts the line's speed back, switches the field off, lets libnfc close and releases the lock. A
  /// board that no longer answers holds this up for a second at most.
  package func close() {
    guard device != nil else { return }
    if let board, let speed { board.lower(from: speed) }
    device = nil
    board = nil
    usbLock = nil
  }

  func failure(_ error: LibraryError) -> ReaderError {
    // A device that was taken away counts as unplugged: it is opened anew.
    guard !watchdog.hasCut else { return .boardLost(reader: name) }
    return error.readerError(
      reader: name,
      isGone: board?.port.isGone
        ?? place.isGone(
          asTransfersFail: error.meaning == .garbled))
  }
}
