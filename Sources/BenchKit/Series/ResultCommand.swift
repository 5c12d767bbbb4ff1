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
/// takes too long is killed, with everything that it has started. For a good tag it is run at least
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
    /// Whether what it prints is seen, on standard error.
    package var isHeard: Bool

    package init(_ command: String, limit: Duration, isHeard: Bool) {
      (self.command, self.limit, self.isHeard) = (command, limit, isHeard)
    }
  }

  private let settings: Settings
  private let environment: Environment
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
      if ended == process || (ended < 0 && errno != EINTR) { break }
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
    // What it left in the background goes with it.
    kill(-process, SIGKILL)
    guard status != 0 else { return true }
    let how = status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    return fail("The result command ended with \(how).")
  }

  /// Whether the end of the run was asked for so long ago that nothing is waited for.
  private func mustEnd() -> Bool {
    guard isEnding() else { return false }
    return state.withLock { state in
      let since = state.endNoticed ?? .now
      state.endNoticed = since
      return since.duration(to: .now) >= Self.lastPatience
    }
  }

  /// Readers, journals and pipes of this process are none of the command's business.
  private static func keepDescriptors() {
    for descriptor in 3..<min(getdtablesize(), 4096) {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }

  /// The shell in a group of its own, without our terminal's input and with the signals as they
  /// come by default.
  private func spawn(_ variables: [String: String]) -> pid_t? {
    Self.keepDescriptors()
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    _ = unsafe posix_spawn_file_actions_init(&actions)
    _ = unsafe posix_spawnattr_init(&attributes)
    defer {
      _ = unsafe posix_spawn_file_actions_destroy(&actions)
      _ = unsafe posix_spawnattr_destroy(&attributes)
    }
    _ = unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if settings.isHeard {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    } else {
      _ = unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      _ = unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { _ = unsafe sigaddset(&signals, signal) }
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int(POSIX_SPAWN_SETPGROUP) | Int(POSIX_SPAWN_SETSIGDEF)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    _ = unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let words = unsafe Self.copies(["/bin/sh", "-c", settings.command])
    let environment = unsafe Self.copies(merged(variables))
    defer {
      unsafe Self.release(words)
      unsafe Self.release(environment)
    }
    var process: pid_t = 0
    let result = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environment)
    return result == 0 ? process : nil
  }

  /// C strings, and the nil that ends them; to be freed.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }

  private static func release(_ copies: [UnsafeMutablePointer<CChar>?]) {
    for index in unsafe copies.indices { unsafe free(copies[index]) }
  }

  private func merged(_ variables: [String: String]) -> [String] {
    environment.variables.merging(variables) { $1 }
      // A NUL ends a variable.
      .map { "\($0)=\($1.prefix { $0 != "\0" })" }
  }

  /// The variables for one outcome.
  package static func variables(_ outcome: TagOutcome, reader: String, station: Int) -> [String:
    String]
  {
    var variables = [
      "NFCPROG_RESULT": outcome.verdict.rawValue, "NFCPROG_UID": outcome.uid.hex,
      "NFCPROG_READER": reader, "NFCPROG_STATION": "\(station + 1)",
      "NFCPROG_TAG": outcome.tagType ?? "", "NFCPROG_CAUSE": outcome.trouble?.cause ?? "",
      "NFCPROG_MESSAGE": outcome.trouble?.text ?? "",
      "NFCPROG_JOB": outcome.job.map { "\($0.number)" } ?? "",
      "NFCPROG_NAME": outcome.job?.name ?? "", "NFCPROG_URL": outcome.written?.uri ?? "",
      "NFCPROG_TAG_NUMBER": "\(outcome.number)", "NFCPROG_REPEATED": "no",
    ]
    for column in outcome.job?.columns ?? [] {
      variables["NFCPROG_COLUMN_" + Self.name(column.name)] = column.value
    }
    return variables
  }

  /// The variables for a good tag of an earlier run, whose result was perhaps not taken.
  package static func variables(_ written: WrittenTag) -> [String: String] {
    var variables = [
      "NFCPROG_RESULT": "passed", "NFCPROG_UID": written.uid.hex, "NFCPROG_READER": written.reader,
      "NFCPROG_STATION": written.station, "NFCPROG_TAG": written.tagType ?? "",
      "NFCPROG_CAUSE": "", "NFCPROG_MESSAGE": "", "NFCPROG_JOB": "\(written.job.number)",
      "NFCPROG_NAME": written.job.name, "NFCPROG_URL": written.uri ?? "",
      "NFCPROG_TAG_NUMBER": "", "NFCPROG_REPEATED": "yes",
    ]
    for column in written.job.columns {
      variables["NFCPROG_COLUMN_" + Self.name(column.name)] = column.value
    }
    return variables
  }

  /// A column's name as a variable's: upper case, `_` for what is no letter or digit of ASCII.
  package static func name(_ text: String) -> String {
    String(text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
