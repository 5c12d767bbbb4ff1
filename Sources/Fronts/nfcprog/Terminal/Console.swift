import ArgumentParser
import Bench
import JSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Standard output and standard error: who may say what, and whether a person is looking.
struct Console {
  /// Standard output carries JSON Lines and nothing else; what is meant for people goes to standard
  /// error.
  var json = false
  var quiet = false
  var verbose = false

  /// Where results for people go.
  private var people: OutputFile { json ? .standardError : .standardOutput }

  /// The result of the command, for people.
  func result(_ line: String) { write(line, to: people) }

  /// A file that the command was asked for; `--quiet` hides it.
  func saved(_ file: NamedFile.Saved) { if !quiet { result(file.sentence) } }

  /// The result of the command, for programs.
  func json(_ document: some OutputDocument) {
    OutputFile.standardOutput.write(JSONLine.text(document) + "\n")
  }

  /// Does what `command` is for, says why where that fails, and throws its exit status.
  func conclude(_ command: String, _ work: () throws(BenchError) -> ExitStatus) throws {
    let status: ExitStatus
    do throws(BenchError) { status = try work() } catch { status = fail(command, error) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// Ends `command` before it has reached a tag.
  func fail(_ command: String, _ failure: BenchError) -> ExitStatus {
    if json { self.json(TagJSON(command: command, failure: FailureJSON(failure))) }
    complain("nfcprog: \(failure.message)")
    return failure.status
  }

  /// What went wrong while the command goes on; shown always.
  func complain(_ error: BenchError) { complain("nfcprog: \(error.message)") }

  /// What went wrong; shown always.
  func complain(_ line: String) { write(line, to: .standardError) }

  /// Worth knowing; `--quiet` hides it.
  func remark(_ line: String) {
    if !quiet { write(line, to: .standardError) }
  }

  /// Only with `--verbose`.
  func detail(_ line: String) {
    if verbose { write(line, to: .standardError) }
  }

  private func write(_ line: String, to file: OutputFile) {
    file.write(
      TerminalText.laidOut(TerminalText.shown(line), columns: file.size?.columns) + "\n")
  }

  /// Is true if progress is worth drawing: a person watches standard error and did not ask for
  /// quiet.
  var showsProgress: Bool { !quiet && !verbose && OutputFile.standardError.isTerminal }

  /// `text` in bold or colour where that is a terminal and NO_COLOR is not set (no-color.org).
  func styled(_ text: String, _ style: Style) -> String {
    guard people.isTerminal, Self.environment["NO_COLOR"] == nil,
      Self.environment["TERM"] != "dumb"
    else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// SGR parameters (ECMA-48, 8.3.117).
  enum Style: String, CaseIterable {
    case bold = "1"
    case good = "1;32"
    case bad = "1;31"
    /// Somebody has to look.
    case look = "1;33"
    /// Work goes on.
    case busy = "1;36"
    /// Of less weight.
    case soft = "2"
  }

  /// All variables of the environment.
  static var environment: Environment { Environment(ProcessInfo.processInfo.environment) }
}
