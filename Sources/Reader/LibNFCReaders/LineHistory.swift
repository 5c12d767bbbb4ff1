import PN532
import Readers

/// A serial line as `--baud` sees it: whether it may be raised, and what is remembered when a board
/// is lost on it.
struct LineHistory {
  let automaticSpeed: AutomaticSpeed
  /// How messages call the reader.
  private let name: String
  private let key: String
  private let memory: AdapterMemory?

  /// `port` is what `connection` leads to. `adapter`: by what name a pseudo-terminal is known
  /// again, if not by its own.
  init(
    of port: TerminalPort, connection: ConnectionString, memory: AdapterMemory?, adapter: String?
  ) {
    name = connection.text
    self.memory = memory
    if port.isPseudo {
      key = AdapterMemory.key(
        ofPseudoTerminal: port.path, named: adapter ?? connection.location ?? port.path)
      automaticSpeed = AutomaticSpeed(pseudoTerminal: key, memory: memory)
      return
    }
    let description =
      Discovery().serialPort(at: port.path, memory: memory)
      ?? ReaderDescription(connection: name, attachment: .uart, device: port.path)
    key = AdapterMemory.key(of: description)
    automaticSpeed = description.automaticSpeed ?? .stays(.unknownDriver(nil))
  }

  /// Raises the line that leads to `board`; returns the speed that then holds. Throws `cannotOpen`
  /// when the board was lost by that, and when it does not follow to the one speed that was asked
  /// for.
  ///
  /// `proving`: also a speed that was asked for must carry long frames.
  func raise(
    _ board: SerialBoard, to wanted: LineSpeed, proving: Bool = false
  ) throws(OpeningFailure) -> LinkSpeed {
    let candidates = wanted.candidates(above: board.home)
    if wanted == .automatic, automaticSpeed != .raises { return board.home }
    let raised = try OpeningFailure.of { () throws(ReaderError) in
      try board.raise(to: candidates, proving: proving || wanted == .automatic)
    }
    switch raised {
    case .lost(let speed):
      let isNoted = memory?.note(loss: key, bitsPerSecond: speed.bitsPerSecond) ?? false
      throw OpeningFailure(
        .lostAt(bitsPerSecond: speed.bitsPerSecond), reader: name,
        consequence: isNoted ? "from now on this line keeps its usual speed" : nil)
    case .at(let reached):
      guard case .fixed(let only) = wanted else { return reached }
      guard reached == only else {
        throw OpeningFailure(
          .cannotOpen(
            reader: name,
            reason: "the board or its port does not work at \(only.bitsPerSecond) baud"))
      }
      if only.rawValue > board.home.rawValue { memory?.forget(key) }
      return reached
    }
  }
}
