import Bench

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What an agent shares with the commands beside them.
package enum Served {
  /// The exit status of a command that failed so.
  package static func status(of error: BenchError) -> Int32 { error.status.rawValue }

  /// What happened and what to do next, in one line.
  package static func sentence(_ error: BenchError) -> String { error.message }

  /// The readers called `names`, as --reader takes them, and how they are opened: both go by the
  /// settings file. Fails as it does, and with `usage` for a name that names no reader.
  package static func readers(
    _ names: [String], onTrouble: @escaping @Sendable (String) -> Void
  ) throws(BenchError) -> ([ReaderChoice], ReaderSession.Settings) {
    let preferences = try Preferences.ofReaders()
    var settings = ReaderSession.Settings()
    settings.boards = preferences.boards
    settings.onFailure = { onTrouble($0.message) }
    settings.onRemark = onTrouble
    var choices: [ReaderChoice] = []
    for name in names {
      choices.append(try ReaderChoice(named: name, aliases: preferences.readers))
    }
    return (choices, settings)
  }

  /// Is true if a person at the terminal can be asked.
  package static var canAsk: Bool { Prompt.isPossible }

  /// Asks the person at the terminal. What was typed before the question is no answer to it.
  package static func agrees(
    _ question: String, isInterrupted: @Sendable () -> Bool
  ) -> Bool {
    tcflush(STDIN_FILENO, TCIFLUSH)
    return Prompt.agrees(TerminalText.shown(question), isInterrupted: isInterrupted)
  }

  /// The folder for what an agent remembers; nil without a home.
  package static var folder: String? {
    Console.environment.stateHome.map { "\($0)/nfcprog/agent" }
  }
}
