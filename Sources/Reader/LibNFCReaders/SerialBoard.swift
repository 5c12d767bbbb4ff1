import PN532
import Readers

/// A PN532 on a serial line, spoken to with our own frames while libnfc is not at work: to find its
/// speed and to change it.
///
/// The board keeps its speed until it gets another or loses power, and libnfc never asks for
/// one: a program that dies at 921600 baud leaves a board that the next finds silent at 115200.
struct SerialBoard {
  let port: TerminalPort
  /// What messages call the reader.
  let name: String
  /// The speed at which the board is met and left.
  let home: LinkSpeed

  /// Wakes a PN532 that sleeps: two long bytes, then time (PN532/C1 data sheet 8.3.3; libnfc sends
  /// the same).
  static let wakeUp: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)

  /// Makes sure that the board answers at `home`, wherever an earlier program has left it.
  ///
  /// Returns the speed it was found at. Throws `boardLost`, or `boardSilent` when no speed brings
  /// an answer; that takes less than 1.7 s, or 0.8 where a board has answered before (not
  /// `patiently`).
  @discardableResult
  func bringHome(patiently: Bool = true) throws(ReaderError) -> LinkSpeed {
    let elsewhere = LinkSpeed.allCases.reversed().filter { $0 != home && $0.terminalSpeed != nil }
    // The fastest is where a program like this one dies; then a board gets time to wake up; then
    // the rest. Some adapters hand the first byte over a second after they were opened, and may
    // have lost what was sent until then (nfcpy waits 1.5 s).
    let attempts =
      [(home, 60)] + elsewhere.prefix(1).map { ($0, 60) } + [(home, 250)]
      + elsewhere.dropFirst().map { ($0, 60) } + (patiently ? [(home, 400), (home, 450)] : [])
    for (speed, patience) in attempts
    where try isAwake(at: speed, patience: .milliseconds(patience)) {
      if speed == home { return home }
      if try change(from: speed, to: home, blindly: true), try answers() { return speed }
    }
    _ = port.setSpeed(home)
    throw .boardSilent(reader: name)
  }

  /// Switches the field off, which a program that died has left on: tags forget their state while
  /// libnfc opens the board, which takes it 50 ms at least.
  func switchFieldOff() throws(ReaderError) {
    _ = try ask(.rfField(on: false), patience: .milliseconds(100))
  }

  /// Returns whether the board answers at `speed`, asleep or not.
  func isAwake(at speed: LinkSpeed, patience: Duration) throws(ReaderError) -> Bool {
    guard port.setSpeed(speed) else { return false }
    return try ask(.samConfiguration(), preceding: Self.wakeUp, patience: patience) != nil
  }

  /// Sends one command; the frame that answers it, an error frame included, or nil when `patience`
  /// ends.
  func ask(
    _ command: Command, preceding: [UInt8] = [], patience: Duration
  ) throws(ReaderError) -> Frame? {
    port.discardInput()
    try send(preceding + Frame.command(command.bytes).serialize())
    var parser = FrameParser()
    let deadline = ContinuousClock.now + patience
    while true {
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { return nil }
      guard let bytes = port.receive(timeout: rest) else { throw .boardLost(reader: name) }
      for case .frame(let frame) in parser.feed(bytes) {
        if frame == .error { return frame }
        if case .answer(let payload) = frame, payload[0] == command.code.answer { return frame }
      }
    }
  }

  func send(_ bytes: [UInt8]) throws(ReaderError) {
    guard port.send(bytes) else { throw .boardLost(reader: name) }
  }
}
