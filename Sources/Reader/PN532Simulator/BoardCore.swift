import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thread behind a simulated board, and the lock around everything it touches.
final class BoardCore: @unchecked Sendable {
  // Sendable by hand: `line` with the chip, field and tags behind it, and every `var`, are touched
  // under `lock` only, but for `worker`, which `control` guards.
  private let lock = Mutex(())
  private let control = Mutex(())
  private let line: SerialLine
  private let recorder: (@Sendable (WireFrame) -> Void)?
  private var worker: Worker?
  private var alarm: Alarm?
  private var isStopping = false
  private var livePath: String?
  private var link: String?

  init(line: SerialLine, recorder: (@Sendable (WireFrame) -> Void)?) {
    self.line = line
    self.recorder = recorder
    line.chip.field.onChange = { [weak self] in self?.alarm?.ring() }
  }

  var path: String? { lock.withLock { _ in livePath } }

  func exclusively<Value, Failure: Error>(
    _ body: (SerialLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    lock.withLock { _ in result = Result { () throws(Failure) in try body(line) } }
    return try result!.get()
  }

  func start(link: String?) throws(SimulatorError) -> String {
    stop()
    let terminal = try PseudoTerminal()
    let alarm = try Alarm()
    if let link { try Self.makeLink(link, to: terminal.path) }
    lock.withLock { _ in
      (isStopping, livePath, self.link, self.alarm) = (false, terminal.path, link, alarm)
    }
    let worker = try Worker { [unowned self] in self.serve(terminal, alarm) }
    control.withLock { _ in self.worker = worker }
    return terminal.path
  }

  /// Returns once the thread has ended, and with it the terminal.
  func stop() {
    lock.withLock { _ in
      isStopping = true
      alarm?.ring()
    }
    control.withLock { _ in
      worker?.join()
      worker = nil
    }
  }

  // MARK: The thread

  private struct Output {
    /// When the chip has sent it.
    let sent: ContinuousClock.Instant
    /// When the host gets it.
    let due: ContinuousClock.Instant
    let bytes: [UInt8]
  }

  private func serve(_ terminal: PseudoTerminal, _ alarm: Alarm) {
    var queue: [Output] = []
    var delay = Duration.zero
    var isPlugged = true
    while isPlugged, !lock.withLock({ _ in isStopping }) {
      send(&queue, on: terminal)
      terminal.wait(alarm: alarm.descriptor, timeout: patience(queue))
      alarm.clear()
      for action in listen(to: terminal) {
        switch action {
        case .send(let bytes, let wait):
          let sent = max(queue.last?.sent ?? .now, .now) + wait
          let due = max(queue.last?.due ?? sent, sent) + delay
          queue.append(Output(sent: sent, due: due, bytes: bytes))
          delay = .zero
        case .delay(let duration): delay = duration
        case .cancel:
          let now = ContinuousClock.now
          queue.removeAll { $0.sent > now }
        case .unplug: isPlugged = false
        }
      }
    }
    lock.withLock { _ in
      if !isPlugged { line.powerCycle() }
      livePath = nil
      self.alarm = nil
      if let link { _ = unsafe unlink(link) }
    }
  }

  /// What the chip does about what the program did; when it did nothing, about a tag that has come.
  private func listen(to terminal: PseudoTerminal) -> [SerialLine.Action] {
    switch terminal.read() {
    case .sent(let bytes):
      recorder?(WireFrame(direction: .toChip, bytes: bytes))
      return exclusively { $0.receive(bytes, bitsPerSecond: terminal.bitsPerSecond) }
    case .flushed:
      exclusively { $0.hostFlushes() }
      return []
    case nil: return exclusively { $0.resume() }
    }
  }

  /// How long nothing needs to be done but on demand: until the next output; while a command waits
  /// for a tag, a little, as faults may have hidden one; else without a limit.
  private func patience(_ queue: [Output]) -> Duration? {
    if let next = queue.first { return ContinuousClock.now.duration(to: next.due) }
    return exclusively { $0.chip.isPending } ? .milliseconds(20) : nil
  }

  /// Sends what is due, to the microsecond: `poll` waits in whole milliseconds, the rest is slept
  /// here.
  private func send(_ queue: inout [Output], on terminal: PseudoTerminal) {
    while let next = queue.first {
      let wait = ContinuousClock.now.duration(to: next.due)
      guard wait < .milliseconds(1) else { return }
      if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
      terminal.write(next.bytes)
      recorder?(WireFrame(direction: .toHost, bytes: next.bytes))
      queue.removeFirst()
    }
  }

  private static func makeLink(_ link: String, to path: String) throws(SimulatorError) {
    // An old link to a terminal, or one that leads nowhere any more, is replaced; nothing else is.
    var (own, target) = (stat(), stat())
    if unsafe lstat(link, &own) == 0, own.st_mode & S_IFMT == S_IFLNK,
      unsafe stat(link, &target) != 0 || target.st_mode & S_IFMT == S_IFCHR
    {
      _ = unsafe unlink(link)
    }
    guard unsafe symlink(path, link) == 0 else { throw .link(path: link, errno: errno) }
  }
}
