import LibNFCReaders
import Readers
import Synchronization

/// An open reader, and the simulated board behind it where there is one.
final class ReaderSource {
  let reader: TagReader
  private let simulation: Simulation?
  private let opening: Opening
  private let interrupter: SharedInterrupter

  /// How the reader was opened, and is again when it returns.
  fileprivate struct Opening {
    let returning: ReturningReader?
    let trace: Trace?
    let speed: LineSpeed
    let isVerbose: Bool
  }

  /// The open link's way to end an exchange; links change when a reader returns.
  private final class SharedInterrupter: Sendable {
    let now: Mutex<Interrupter>

    init(_ interrupter: Interrupter) { now = Mutex(interrupter) }
  }

  fileprivate init(
    reader: TagReader, interrupter: Interrupter, simulation: Simulation?, opening: Opening
  ) {
    self.reader = reader
    self.interrupter = SharedInterrupter(interrupter)
    self.simulation = simulation
    self.opening = opening
  }

  /// Ends an exchange that blocks, from another thread.
  var interrupt: @Sendable () -> Void {
    { [interrupter] in interrupter.now.withLock { $0 }.interrupt() }
  }

  /// Whether the reader is one that can be unplugged and return.
  var canReturn: Bool { opening.returning != nil }

  /// Waits until a reader that was unplugged is there again, and goes on with it; the chip has forgotten its tag. Throws the
  /// last reason why it could not when `patience` (nil: no end) is over, `interrupted` when `shouldStop` says so.
  func takeUp(
    patience: Duration?, shouldStop: () -> Bool
  ) throws(ReaderError) {
    guard let returning = opening.returning else { throw .boardLost(reader: reader.name) }
    reader.close()
    let link = try returning.reopen(
      patience: patience, speed: opening.speed, isVerbose: opening.isVerbose,
      shouldStop: shouldStop)
    reader.takeUp(link)
    try reader.prepare()
    interrupter.now.withLock { $0 = link.interrupter }
  }

  /// Closes the reader, then saves what the virtual tags hold. Fails with `cannotCreate`, also for a trace with gaps.
  func close() throws(CommandFailure) {
    reader.close()
    try simulation?.end()
    try opening.trace?.check()
  }
}

extension ReaderChoice {
  /// A simulated adapter is another pseudo-terminal each time: one that is slow is known by the speed that it can make.
  private var adapterName: String? {
    guard case .simulated(let specs) = self, let speed = specs.board.fastestLine else { return nil }
    return "sim:baudmax=\(speed.bitsPerSecond)"
  }

  /// Opens the reader through libnfc; a simulated one is started first. Fails with `unavailable`, and where a
  /// virtual tag's file is no image of it with `badInput` or `noInput`.
  func open(
    speed: LineSpeed, isVerbose: Bool, trace: Trace?
  ) throws(CommandFailure) -> ReaderSource {
    let simulation: Simulation?
    let connection: ConnectionString
    do {
      switch self {
      case .simulated(let specs):
        let started = try Simulation(specs)
        simulation = started
        connection = try ConnectionString(started.port)
      case .connection(let named):
        (simulation, connection) = (nil, named)
      }
      // Before it is opened: who is who is asked while it is there.
      let memory = AdapterMemory.standard
      let returning = simulation == nil ? ReturningReader(connection, memory: memory) : nil
      let link = try LibNFCLink(
        opening: connection, speed: speed, isVerbose: isVerbose, memory: memory,
        adapter: adapterName)
      let reader = TagReader(link: link, observer: trace.map { trace in { trace.record($0) } })
      try reader.prepare()
      return ReaderSource(
        reader: reader, interrupter: link.interrupter, simulation: simulation,
        opening: .init(
          returning: returning, trace: trace, speed: speed, isVerbose: isVerbose))
    } catch let error as ReaderError {
      var message = sentence(error.description)
      if case .boardSilent = error { message += " `nfcprog readers --check` finds out why." }
      if message.contains(Obstacle.ruleAdvice) {
        message += " `nfcprog readers --udev-rules` prints the rule."
      }
      throw CommandFailure(.unavailable, message)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.bug, "\(error)")
    }
  }
}
