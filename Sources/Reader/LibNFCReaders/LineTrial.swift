import PN532
import Readers

/// What a serial line does with a board, asked without libnfc: for the questions that a new board
/// is asked.
package struct LineTrial {
  private let connection: ConnectionString

  /// `connection` names a PN532 on a serial line; nil for any other reader.
  package init?(_ connection: ConnectionString) {
    guard connection.driver == .pn532UART else { return nil }
    self.connection = connection
  }

  /// What `--baud auto` does on it; nil for a pseudo-terminal.
  package var automaticSpeed: AutomaticSpeed? { port?.automaticSpeed }

  /// Which driver of the kernel the line has, `ftdi_sio`; nil for a pseudo-terminal, and where it
  /// is not known.
  package var driver: String? { port?.driver }

  private var port: ReaderDescription? {
    connection.location.flatMap(FileSystem.resolve).flatMap {
      Discovery().serialPort(at: $0, memory: .standard)
    }
  }

  /// How long after its wake-up a board that sleeps sends its first byte; nil where 3 s bring none.
  package func firstByte() throws(ReaderError) -> Duration? {
    let board = try open()
    guard board.port.setSpeed(board.home) else { return nil }
    let start = ContinuousClock.now
    let answer = try board.ask(
      .samConfiguration(), preceding: SerialBoard.wakeUp, patience: .seconds(3))
    return answer.map { _ in start.duration(to: .now) }
  }

  /// Raises the line and leaves the board there, as a program does that is killed. False where the
  /// board did not follow; it is at its usual speed then.
  package func leave(at speed: LinkSpeed) throws(ReaderError) -> Bool {
    let board = try open()
    try board.bringHome()
    if case .at(speed) = try board.raise(to: [speed], proving: false) { return true }
    return false
  }

  /// Tells the board a speed that this port cannot make, 1288000 baud. False where it refused.
  package func sendAway() throws(ReaderError) -> Bool {
    let board = try open()
    try board.bringHome()
    guard
      case .answer? =
        try board.ask(.setSerialBaudRate(.baud1288000), patience: .milliseconds(100))
    else { return false }
    try board.send(Frame.ack.serialize())
    // A board that has not switched yet would answer at its usual speed.
    HostClock.pause(.milliseconds(100))
    return true
  }

  /// Returns whether a board answers at any speed that the port can make; it is at its usual one
  /// then.
  package func isReachable() throws(ReaderError) -> Bool {
    do throws(ReaderError) {
      try open().bringHome()
      return true
    } catch .boardSilent {
      return false
    }
  }

  private func open() throws(ReaderError) -> SerialBoard {
    let place: ReaderPlace
    do { place = try ReaderPlace(of: connection) } catch { throw error.error }
    return SerialBoard(
      port: try TerminalPort(locking: place.file, reader: connection.text), name: connection.text,
      home: connection.speed.flatMap(LinkSpeed.init(bitsPerSecond:)) ?? .baud115200)
  }
}
