import PN532
import PN532Simulator
import Readers
import Synchronization

@testable import LibNFCReaders

/// A simulated board with tags on it, and the reader that libnfc makes of it.
final class Bench {
  let board: SimulatedBoard
  let path: String
  private let tags: [any VirtualTag]
  let sent = Sent()

  /// Lays `tags` (names of the catalog) on a board and starts it.
  init(_ tags: String..., faults: FaultPlan = .none) throws {
    self.tags = try tags.enumerated().map { try TagCatalog.tag($1, index: $0) }
    board = SimulatedBoard(
      field: Field([self.tags]), faults: faults, recorder: { [sent] in sent.take($0) })
    path = try board.start()
  }

  /// A tag and a board that may differ from their data sheets, as `sim:` takes them:
  /// `ntag213,longframes=damaged`.
  init(spec text: String, faults: FaultPlan = .none) throws {
    let spec = try SimulatedTagSpec(parsing: text)
    tags = [try spec.tag(at: 0)]
    board = SimulatedBoard(
      field: Field([tags]), faults: faults, deviations: [spec].board,
      recorder: { [sent] in sent.take($0) })
    path = try board.start()
  }

  /// An NTAG213 on a bench where `fault` strikes the first command frame that comes once a reader
  /// has been opened and has looked once.
  static func commandFault(_ fault: CommandFault) throws -> Bench {
    var plan = FaultPlan()
    plan.commands = [(.at(try placesOfOneLook.get().commands), fault)]
    return try Bench("ntag213", faults: plan)
  }

  /// Likewise for the first answer frame.
  static func answerFault(_ fault: AnswerFault) throws -> Bench {
    var plan = FaultPlan()
    plan.answers = [(.at(try placesOfOneLook.get().answers), fault)]
    return try Bench("ntag213", faults: plan)
  }

  private static let placesOfOneLook = Result {
    let trial = try Bench("ntag213")
    let reader = try trial.open()
    _ = try reader.look()
    let places = trial.board.places
    reader.close()
    return places
  }

  func open(speed: LineSpeed = .automatic) throws(ReaderError) -> TagReader {
    TagReader(link: try LibNFCLink(opening: path, speed: speed))
  }

  /// How many commands the host has sent, heard by the chip or not.
  var commandCount: Int { sent.commandCount }

  /// How many commands the host sends while `body` runs: what takes it long, whatever else the
  /// machine does.
  func commands(_ body: () throws -> Void) rethrows -> Int {
    let before = commandCount
    try body()
    return commandCount - before
  }

  var chipSpeed: LinkSpeed { board.exclusively { $0.speed } }

  /// A tag's memory now.
  func memory(of index: Int = 0) -> [UInt8] { board.exclusively { _ in tags[index].eeprom.bytes } }

  /// Leaves the board at `speed`, awake, as a program that died would.
  func leave(at speed: LinkSpeed) {
    board.exclusively { chip in
      chip.wakeUp()
      _ = chip.process(command: Command.samConfiguration().bytes)
      _ = chip.process(command: Command.setSerialBaudRate(speed).bytes)
      chip.hostAcknowledges()
    }
  }
}

/// What a host has sent, and how much of that the board has acknowledged.
final class Sent: Sendable {
  private let state = Mutex((parser: FrameParser(), commands: 0, acknowledged: 0))

  var commandCount: Int { state.withLock { $0.commands } }
  var acknowledgedCount: Int { state.withLock { $0.acknowledged } }

  func take(_ frame: WireFrame) {
    let acknowledges = frame.bytes.starts(with: Frame.ack.serialize())
    state.withLock { state in
      guard frame.direction == .toChip else {
        if acknowledges { state.acknowledged += 1 }
        return
      }
      state.commands += state.parser.feed(frame.bytes).count {
        if case .frame(.command) = $0 { true } else { false }
      }
    }
  }
}
