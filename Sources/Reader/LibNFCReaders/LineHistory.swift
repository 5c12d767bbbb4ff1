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
  /// Is true if the next program finds this line under the same name.
  private let isLasting: Bool

  /// `port` is what `connection` leads to. `adapter`: by what name a pseudo-terminal is known
  /// again, if not by its own.
  init(
    of port: TerminalPort, connection: ConnectionString, memory: AdapterMemory?, adapter: String?
  ) {
    name = connection.text
    self.memory = memory
    if port.isPseudo {
      let name = adapter ?? connection.location ?? port.path
      key = AdapterMemory.key(ofPseudoTerminal: port.path, named: name)
      isLasting = adapter == nil && !TerminalPort.isPseudo(name)
      automaticSpeed = AutomaticSpeed(pseudoTerminal: key, memory: memory)
      return
    }
    let description =
      Discovery().serialPort(at: port.path, memory: memory)
      ?? ReaderDescription(connection: name, attachment: .uart, device: port.path)
    (key, isLasting) = (AdapterMemory.key(of: description), true)
    automaticSpeed = description.automaticSpeed ?? .stays(.unknownDriver(nil))
  }

  /// Raises the line that leads to `board`; returns the speed that then holds. Throws `cannotOpen`
  /// when the board was lost by that, and when it does not follow to the one speed that was asked
  /// for.
  ///
  /// `proving`: also a speed that was asked for must carry long frames, and a line that is
  /// remembered to carry them again.
  func raise(
    _ board: SerialBoard, to wanted: LineSpeed, proving: Bool = false
  ) throws(OpeningFailure) -> LinkSpeed {
    let candidates = wanted.candidates(above: board.home)
    if wanted == .automatic, automaticSpeed != .raises { return board.home }
    let isTrusted = wanted == .automatic && !proving && isProven(at: candidates.first)
    let raised = try OpeningFailure.of { () throws(ReaderError) in
      if isTrusted {
        let raised = try board.raise(to: Array(candidates.prefix(1)), proving: false)
        guard raised == .at(board.home) else { return raised }
        distrust()
      }
      return try board.raise(to: candidates, proving: proving || wanted == .automatic)
    }
    switch raised {
    case .lost(let speed):
      let isNoted = memory?.note(loss: key, bitsPerSecond: speed.bitsPerSecond) ?? false
      throw OpeningFailure(
        .lostAt(bitsPerSecond: speed.bitsPerSecond), reader: name,
        consequence: isNoted ? "from now on this line keeps its usual speed" : nil)
    case .at(let reached):
      guard case .fixed(let only) = wanted else {
        if isLasting, reached == candidates.first {
          memory?.note(proof: key, bitsPerSecond: reached.bitsPerSecond)
        }
        return reached
      }
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

  /// Returns whether an earlier program has proven the line at `speed`.
  func isProven(at speed: LinkSpeed?) -> Bool {
    isLasting && speed.map { memory?.speed(provenOn: key) == $0.bitsPerSecond } == true
  }

  /// Has the next program prove the line again.
  func distrust() { memory?.forget(proof: key) }
}
