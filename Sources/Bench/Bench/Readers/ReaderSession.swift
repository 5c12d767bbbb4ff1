import LibNFCReaders
import Readers
import Synchronization

/// An open reader, and the simulated board behind it where there is one.
///
///     let session = try ReaderSession(opening: ReaderChoice(named: "sim:ntag213"))
///     let report = Programmer(reader: session.reader).run(.read)
///     try session.close()
///
/// One thread at a time uses it; `interrupt` alone may be called from any. Programs that are
/// written with `async` have `Bench`.
public final class ReaderSession {
  /// Looks for tags and exchanges commands with them.
  public let reader: TagReader
  private let simulation: SimulatedReader?
  /// How a reader that was unplugged is found again; nil for one that cannot return.
  private let returning: ReturningReader?
  private let settings: Settings
  /// How fast the line is driven, within the reader's limits.
  private let speed: LineSpeed
  private let interrupter: SharedInterrupter
  /// The way to a reader that an agent holds open.
  private let agent: AgentLink?

  /// How a reader is opened.
  public struct Settings: Sendable {
    /// The speed of a serial line.
    public var speed = LineSpeed.automatic
    /// Is true if libnfc writes to standard error what it does.
    public var isVerbose = false
    /// Where every exchange with the chip is recorded.
    package var trace: Trace?
    /// The agents that are asked for the reader first; nil: none is.
    package var agents: Agents?
    /// What boards were found not to do, by the names of their readers.
    package var boards: [String: BoardLimits] = [:]
    /// Gets the failures of simulated tags' files while the reader is open.
    public var onFailure: @Sendable (BenchError) -> Void = { _ in }

    /// Gets what a person is to know of how the reader answered, as full sentences, when it is
    /// closed.
    package var onRemark: @Sendable (String) -> Void = { _ in }

    /// The fastest speed of the line, silent, without a trace.
    public init() {}
  }

  /// The open link's way to end an exchange; links change when a reader returns.
  private final class SharedInterrupter: Sendable {
    let now: Mutex<@Sendable () -> Void>

    init(_ interrupt: @escaping @Sendable () -> Void) { now = Mutex(interrupt) }
  }

  /// Opens the reader through libnfc; a simulated one is started first.
  ///
  /// Fails with `unavailable` where it cannot be opened, and where a virtual tag's file is no image
  /// of it with `badInput` or `noInput`.
  public init(
    opening choice: ReaderChoice, _ settings: Settings = Settings()
  ) throws(BenchError) {
    let limits = choice.limits(in: settings.boards)
    self.settings = settings
    speed = limits.speed(for: settings.speed)
    let observer = settings.trace.map { trace in { trace.record($0) } }
    agent = try settings.agents?.link(to: choice)
    if let agent {
      (simulation, returning) = (nil, nil)
      reader = TagReader(link: agent, observer: observer)
      interrupter = SharedInterrupter(agent.interrupt)
      reader.limit(fastReadPages: limits.fastReadPages, hasSlowTags: limits.hasSlowTags)
      // A trace is whole.
      if settings.trace == nil { reader.takeOver() }
      do throws(ReaderError) { try reader.prepare() } catch { throw BenchError(error) }
      if case .fixed(let asked) = settings.speed, let speed = agent.speed, speed != asked {
        settings.onRemark(
          "The line stays at \(speed.bitsPerSecond) baud, as the agent has opened it, not \(asked.bitsPerSecond)."
        )
      }
      return
    }
    let started: SimulatedReader? =
      switch choice.place {
      case .simulated(let specs): try SimulatedReader(specs, onFailure: settings.onFailure)
      case .replayed(let trace): try SimulatedReader(replaying: trace)
      case .connection: nil
      }
    do throws(ReaderError) {
      let connection: ConnectionString =
        if case .connection(let named) = choice.place {
          named
        } else {
          try ConnectionString(started?.port ?? "")
        }
      // Before it is opened: who is who is asked while it is there.
      let memory = AdapterMemory.standard
      returning = started == nil ? ReturningReader(connection, memory: memory) : nil
      let link = try LibNFCLink(
        opening: connection, speed: speed, isVerbose: settings.isVerbose, memory: memory,
        adapter: choice.adapterName, limit: choice.exchangeLimit)
      let answering: any ChipLink = started?.script.map { ReplayLink(link, $0) } ?? link
      reader = TagReader(
        link: answering, observer: observer,
        clock: started?.script?.clock ?? .system)
      reader.limit(fastReadPages: limits.fastReadPages, hasSlowTags: limits.hasSlowTags)
      try reader.prepare()
      interrupter = SharedInterrupter(link.interrupter.interrupt)
    } catch {
      throw BenchError(error)
    }
    simulation = started
  }

  /// Is true if an agent holds the reader that is about to end; asked between the steps of a job.
  var isEnding: Bool { agent?.isEnding == true }

  /// Ends an exchange that blocks, and the session with it: that exchange and every later one fails
  /// with `interrupted`, so that the tag may hold half of a job until the same job is done on it
  /// again.
  ///
  /// Any thread may call it; it is for a board that hangs. A job ends at a safe point, in a session
  /// that lives on, where its `shouldStop` says so.
  public var interrupt: @Sendable () -> Void {
    { [interrupter] in interrupter.now.withLock(\.self)() }
  }

  /// Is true if the reader is one that can be unplugged and return.
  public var canReturn: Bool { returning != nil }

  /// Waits until a reader that was unplugged is there again, and goes on with it; the chip has
  /// forgotten its tag.
  ///
  /// Throws the last reason why it could not when `patience` (nil: no end) is over, `interrupted`
  /// when `shouldStop` says so.
  public func reopen(
    patience: Duration?, shouldStop: () -> Bool
  ) throws(ReaderError) {
    guard let returning else { throw .boardLost(reader: reader.name) }
    reader.close()
    let link = try returning.reopen(
      patience: patience, speed: speed, isVerbose: settings.isVerbose,
      shouldStop: shouldStop)
    reader.takeUp(link)
    try reader.prepare()
    interrupter.now.withLock { $0 = link.interrupter.interrupt }
  }

  /// Is true if no tag will be put on the reader any more: a simulated one has shown all of its
  /// own.
  var isSpent: Bool { simulation?.isSpent == true }

  /// Closes the reader, then saves what the virtual tags hold. Fails with `cannotCreate`, also for
  /// a trace with gaps.
  public func close() throws(BenchError) {
    reader.close()
    for line in simulation?.script?.summary.lines ?? [] { settings.onRemark(line) }
    try simulation?.end()
    try settings.trace?.check()
  }
}

extension BenchError {
  /// A reader that cannot be opened.
  package init(_ error: ReaderError) {
    let text = sentence(error.description)
    var remedies: [Remedy] = []
    if case .boardSilent = error { remedies.append(.checkReader) }
    if case .notRecorded = error {
      self.init(.configuration, text)
      return
    }
    if text.contains(Obstacle.ruleAdvice) { remedies.append(.installReaderRule) }
    self.init(.unavailable, text, remedies)
    if case .busy = error { isReaderBusy = true }
  }
}

/// A simulated reader's tags are no affair of a log.
extension ReaderSession: CustomReflectable {
  /// Has no children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
