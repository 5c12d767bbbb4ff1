import AgentServer
import ArgumentParser
import Bench
import BuildFacts
import Bytes
import Foundation
import HTTPServing
import nfcprog

@main
struct NFCProgAgent: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nfcprog-agent",
    abstract: "Offer the readers to programs and web pages of this machine.",
    discussion: """
      This is what `nfcprog serve` starts. Its API is described at /v1/openapi.json.

      Exit status: 0 after Ctrl-C or SIGTERM, 64 wrong options or address, 66 no such token file, 69 the address is in use, 78 \
      a token that others may read.
      """,
    version: version)

  @OptionGroup(title: "Agent") var serve: ServeOptions

  private static var version: String {
    let number = unsafe String(cString: nfcprogVersion())
    let commit = unsafe String(cString: nfcprogCommit())
    return "nfcprog-agent \(number)\ncommit \(commit.isEmpty ? "not known" : commit)"
  }

  mutating func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    do {
      let origins = try Self.origins(serve.origin)
      let place = try serve.listen.map { text throws(ServerMistake) in
        try AgentSettings.Place(parsing: text)
      }
      let (choices, reading) = try Served.readers(serve.readers) { Self.say($0) }
      let folder = try Self.folder()
      let file = serve.tokenFile ?? TokenFile.usual(in: folder)
      let (token, fresh) = try TokenFile.open(file)
      let settings = AgentSettings(
        place: place ?? .usual, token: token, origins: origins,
        folder: folder, tokenFile: file, pairing: TerminalPairing())
      try await AgentApplication.run(settings, Stations(choices, reading)) { text in
        Self.say("serves at \(text)")
        Self.tell(of: file, fresh)
      } trouble: {
        Self.say($0)
      }
    } catch let mistake as ServerMistake {
      Self.say(mistake.text)
      throw ExitCode(mistake.code.status)
    } catch let error as BenchError {
      Self.say(Served.sentence(error))
      throw ExitCode(Served.status(of: error))
    }
  }

  private static func origins(_ texts: [String]) throws(ServerMistake) -> Set<Origin> {
    var origins: Set<Origin> = []
    for text in texts {
      guard let origin = Origin(text) else {
        throw ServerMistake(
          .usage,
          "--origin takes whose page it is, such as https://shop.example, in small letters and without a path: \(text)."
        )
      }
      origins.insert(origin)
    }
    return origins
  }

  private static func folder() throws(ServerMistake) -> String {
    guard let folder = Served.folder else {
      throw ServerMistake(.configuration, "There is no home for the token: HOME is not set.")
    }
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeFolder(folder)
    } catch {
      throw ServerMistake(.unavailable, "The folder \(folder) cannot be made: \(error.reason).")
    }
    return folder
  }

  /// A new token is shown once, to a person: a log would keep it.
  private static func tell(of file: String, _ fresh: String?) {
    guard let fresh else { return say("the token is in \(file)") }
    guard isatty(STDERR_FILENO) == 1 else { return say("a new token is in \(file)") }
    say("a new token is in \(file); it is shown this once: \(fresh)")
  }

  private static func say(_ text: String) {
    // What a reader or a page is called is anybody's.
    let line = "nfcprog-agent: \(text)".escapingControlsInLines + "\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}

/// Asks the person who has started the agent.
private struct TerminalPairing: PairingJudge {
  var isPossible: Bool { Served.canAsk }

  /// Nobody waits for an answer for longer.
  private static let patience = Duration.seconds(60)

  func allows(
    _ origin: Origin, code: String, while isWanted: @escaping @Sendable () -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let end = ContinuousClock.now + Self.patience
        let isAllowed = Served.agrees(
          "Pages of \(origin) ask to read and write tags here; they show the code \(code). Allow them? [y/N] "
        ) { ContinuousClock.now > end || !isWanted() }
        continuation.resume(returning: isAllowed)
      }
    }
  }
}
