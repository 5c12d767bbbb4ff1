import Bench
import Dispatch
import Synchronization

extension ProvisioningRun {
  /// Checks the list and works through it, with a station for each of `readers`, and gives the
  /// events as they come.
  ///
  ///     let events = run.events(on: try LineReaders(named: ["sim:ntag213*5"]))
  ///     for try await event in events { … }
  ///     let outcome = try await events.outcome
  ///
  /// Work begins when somebody waits for the first event. A task that is cancelled while it waits,
  /// and whoever leaves the loop, asks the stations to end at their next safe points: no tag is
  /// left half written, and with a journal the same run goes on later. A run that gives
  /// its events already fails with `usage`.
  public func events(on readers: LineReaders) -> ProvisioningEvents {
    ProvisioningEvents(work: RunningWork(self, readers))
  }
}

/// The events of a run over a job list, as they come; they end when its last station has ended, not
/// before. Throws as `check` and `work` of the run do.
public struct ProvisioningEvents: AsyncSequence, Sendable {
  let work: RunningWork

  /// The result of the run, once its stations have ended; work begins where nobody waits for
  /// events, of which none is kept while there is no iterator. Throws as `check` and `work` of the
  /// run do.
  public var outcome: ProvisioningRun.Outcome {
    get async throws(BenchError) { try await work.outcome() }
  }

  /// Asks the stations to end at their next safe points; the events go on until they have.
  public func stop() { work.stop() }

  /// An iterator over the events that nobody else has got.
  public func makeAsyncIterator() -> Iterator { Iterator(listener: Listener(work)) }

  /// Waits for events, one after another.
  public struct Iterator: AsyncIteratorProtocol {
    let listener: Listener

    /// Waits for the next event; nil once the stations have ended.
    public mutating func next() async throws(BenchError) -> ProvisioningEvent? {
      try await next(isolation: nil)
    }

    /// Waits for the next event; nil once the stations have ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(BenchError) -> ProvisioningEvent? {
      try await listener.work.next()
    }
  }

  /// A listener that goes away asks the stations to end: its loop wants no further tags.
  final class Listener: Sendable {
    let work: RunningWork

    init(_ work: RunningWork) {
      self.work = work
      work.listen()
    }

    deinit { work.stopListening() }
  }
}

/// A run at work on a thread of its own, and what it has told that nobody has heard yet.
final class RunningWork: Sendable {
  private let run: ProvisioningRun
  private let readers: LineReaders
  private let stopping = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var hasBegun = false
    /// Nobody has heard these yet.
    var events: [ProvisioningEvent] = []
    var listeners = 0
    /// Who waits for the next event.
    var waiting: [CheckedContinuation<ProvisioningEvent?, Never>] = []
    /// Who waits for the end.
    var watching: [CheckedContinuation<Void, Never>] = []
    /// The result of the run; nil while it works.
    var result: Result<ProvisioningRun.Outcome, BenchError>?
  }

  init(_ run: ProvisioningRun, _ readers: LineReaders) { (self.run, self.readers) = (run, readers) }

  /// Is true if its stations are to end at their next safe points.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  func stop() { stopping.store(true, ordering: .relaxed) }

  /// From now on somebody may ask for the next event.
  func listen() { state.withLock { $0.listeners += 1 } }

  func stopListening() {
    stop()
    state.withLock { state in
      state.listeners -= 1
      if state.listeners == 0 { state.events = [] }
    }
  }

  func next() async throws(BenchError) -> ProvisioningEvent? {
    begin()
    let event = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> ProvisioningEvent?? in
          if !state.events.isEmpty { return .some(state.events.removeFirst()) }
          if state.result != nil { return .some(nil) }
          state.waiting.append(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      stop()
    }
    if let event { return event }
    if case .failure(let error) = state.withLock(\.result) { throw error }
    return nil
  }

  func outcome() async throws(BenchError) -> ProvisioningRun.Outcome {
    begin()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.result == nil { state.watching.append(continuation) }
          return state.result != nil
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      stop()
    }
    guard let result = state.withLock(\.result) else {
      throw BenchError(.bug, "A run was over and had no result.")
    }
    return try result.get()
  }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    guard run.listening.begin(self) else {
      return end(.failure(BenchError(.usage, "The run is at work already.")))
    }
    DispatchQueue(label: "run").async { [self] in
      let result = Result { () throws(BenchError) in
        try run.work(run.check(), on: readers)
      }
      run.listening.end()
      end(result)
    }
  }

  func tell(_ event: ProvisioningEvent) {
    let next = state.withLock { state -> CheckedContinuation<ProvisioningEvent?, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      if state.listeners > 0 { state.events.append(event) }
      return nil
    }
    next?.resume(returning: event)
  }

  private func end(_ result: Result<ProvisioningRun.Outcome, BenchError>) {
    let (waiting, watching) = state.withLock { state in
      state.result = result
      defer { (state.waiting, state.watching) = ([], []) }
      return (state.waiting, state.watching)
    }
    for one in waiting { one.resume(returning: nil) }
    for one in watching { one.resume() }
  }
}

/// Who hears of the events of a run beside `tell`, and may end it.
final class Listening: Sendable {
  private let work = Mutex<RunningWork?>(nil)

  /// Is true if the work that is under way is to end.
  var isStopping: Bool { work.withLock(\.self)?.isStopping == true }

  func tell(_ event: ProvisioningEvent) { work.withLock(\.self)?.tell(event) }

  /// Returns whether nobody else is at work.
  func begin(_ new: RunningWork) -> Bool {
    work.withLock { work in
      guard work == nil else { return false }
      work = new
      return true
    }
  }

  func end() { work.withLock { $0 = nil } }
}
