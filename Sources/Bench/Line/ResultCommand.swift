import Bench
import Dispatch
import Provisioning
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A command that is run after each tag, with what became of it in its environment.
///
/// A station does not wait for it, but for the one before: at most one is under way for each. What
/// takes too long or ends with another status than 0 is killed, with everything that it has
/// started; what a good one leaves in the background goes on. For a good tag it is run at least
/// once: until it has ended with 0 the journal keeps the result, and the next run hands it on
/// again. The job's number tells repetitions.
package final class ResultCommand: Sendable {
  private struct State {
    var failures = 0
    var lastFailure = ""
    /// When the end of the run was noticed.
    var endNoticed: ContinuousClock.Instant?
  }

  /// Which command, and how it is run.
  package struct Settings: Sendable {
    package var command: String
    /// How long it may take.
    package var limit: Duration
    /// Is true if what it prints is seen, on standard error.
    package var isHeard: Bool

    package init(_ command: String, limit: Duration, isHeard: Bool) {
      (self.command, self.limit, self.isHeard) = (command, limit, isHeard)
    }
  }

  let settings: Settings
  let environment: Environment
  private let queues: [DispatchQueue]
  private let isEnding: @Sendable () -> Bool
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// What is under way, to be killed when the process ends at once.
  private static let running = Mutex<Set<pid_t>>([])
  /// How long commands may go on once somebody asked for the end of the run.
  private static let lastPatience = Duration.seconds(2)

  /// A queue for each of `stations`; `isEnding`: whether the run is to end.
  package init(
    _ settings: Settings, environment: Environment, stations: Int,
    isEnding: @escaping @Sendable () -> Bool, complain: @escaping @Sendable (String) -> Void
  ) {
    (self.settings, self.environment) = (settings, environment)
    (self.isEnding, self.complain) = (isEnding, complain)
    queues = (0..<stations).map { DispatchQueue(label: "result of station \($0)") }
  }

  /// Kills what is under way, each with all that it has started.
  package static func killAll() {
    running.withLock { for process in $0 { kill(-process, SIGKILL) } }
  }

  /// Starts the command for a tag of `station`, once the one before has ended; `taken` when it has
  /// ended with 0.
  package func start(
    _ station: Int, _ variables: [String: String], taken: @escaping @Sendable () -> Void = {}
  ) {
    queues[station].sync {}
    queues[station].async { [self] in if run(variables) { taken() } }
  }

  /// Runs the command, and waits for it; whether it ended with 0.
  package func perform(_ variables: [String: String]) -> Bool { run(variables) }

  /// Waits for those that are under way.
  package func finish() { for queue in queues { queue.sync {} } }

  /// How often the command did not end with 0, and how it ended the last time; nil when it always
  /// did.
  package var failures: (count: Int, last: String)? {
    state.withLock { $0.failures > 0 ? ($0.failures, $0.lastFailure) : nil }
  }

  private func fail(_ sentence: String) -> Bool {
    state.withLock { state in
      state.failures += 1
      state.lastFailure = sentence
    }
    complain(sentence)
    return false
  }

  private func run(_ variables: [String: String]) -> Bool {
    guard let process = spawn(variables) else {
      return fail("The result command cannot be started.")
    }
    _ = Self.running.withLock { $0.insert(process) }
    defer { _ = Self.running.withLock { $0.remove(process) } }
    let deadline = ContinuousClock.now + settings.limit
    var status: CInt = 0
    while true {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { break }
      if ended < 0, errno != EINTR {
        return fail("It is not known how the result command ended: the system does not say.")
      }
      let isOver = ContinuousClock.now >= deadline
      if isOver || mustEnd() {
        // The whole group: a shell's children outlive it otherwise.
        kill(-process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
        return fail(
          isOver
            ? "The result command took too long and was killed."
            : "The run ends: the command of --on-result was killed.")
      }
      usleep(5_000)
    }
    guard status != 0 else { return true }
    // The result counts as not taken: what it left in the background goes with it.
    kill(-process, SIGKILL)
    let how = status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    return fail("The result command ended with \(how).")
  }

  /// Returns whether the end of the run was asked for so long ago that nothing is waited for.
  private func mustEnd() -> Bool {
    guard isEnding() else { return false }
    return state.withLock { state in
      let since = state.endNoticed ?? .now
      state.endNoticed = since
      return since.duration(to: .now) >= Self.lastPatience
    }
  }
}
