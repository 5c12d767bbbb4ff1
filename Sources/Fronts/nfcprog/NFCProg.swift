import ArgumentParser
import Bench
import Bytes
import JSON
import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The command line.
package struct NFCProg: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "nfcprog", abstract: "Program NFC tags through PN532 readers.",
    discussion: """
        nfcprog info                                    # what is on the reader?
        nfcprog write-url https://example.com/t/1       # write it, read it back
        nfcprog provision jobs.csv                       # a row for each tag

      Try it without hardware: `--reader sim:ntag213,file=my.tag` programs a virtual tag whose memory \
      the file keeps; with sim:a,then=b one tag follows another.
      """,
    version: ProgramVersion.text,
    groupedSubcommands: [
      CommandGroup(name: "Read a tag", subcommands: [Info.self, Read.self, Dump.self, Diff.self]),
      CommandGroup(
        name: "Write a tag",
        subcommands: [
          WriteURL.self, Write.self, Clone.self, Erase.self, Lock.self, Protect.self,
          Unprotect.self, FormatClassic.self, FormatFeliCa.self, FormatType4.self,
          ResetClassic.self,
          RestoreDump.self,
        ]),
      CommandGroup(
        name: "Series of tags",
        subcommands: [
          Collect.self, Provision.self, Rewrite.self, ReportCommand.self, JournalCommand.self,
          Audit.self,
        ]),
      CommandGroup(
        name: "Links and telephones",
        subcommands: [
          CheckLink.self, PhoneCommand.self, Emulate.self, LintAASA.self, MakeAASA.self,
          MakeAssetLinks.self,
        ]),
      CommandGroup(
        name: "Tags that prove themselves",
        subcommands: [VerifySUN.self, ResetSDM.self, VerifyHMAC.self, VerifyProof.self]),
      CommandGroup(
        name: "Boards and experts",
        subcommands: [
          ListReaders.self, Serve.self, BringUpCommand.self, Simulate.self, TraceCommand.self,
          ReportProblem.self, APDU.self, Transceive.self, WritePages.self, WriteBlocks.self,
        ]),
    ])

  package init() {}

  package static func main() {
    // A reader of our output that goes away must not end us in the middle of a tag.
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files (ulimit -f) must not end us either: the write fails, and the
    // command reports it.
    signal(SIGXFSZ, SIG_IGN)
    // A parent may have it ignored: then nobody could say how a command has ended.
    signal(SIGCHLD, SIG_DFL)
    OutputFile.occupyStandardFiles()
    PoolSeries.takeWarnings { Console().complain("Warning: \($0)") }
    do throws(BenchError) {
      let (settings, preferences) = try Preferences.load(for: NFCProg.self)
      var command = try parse(settings)
      do {
        if let command = command as? any PreferringCommand {
          try command.run(preferences)
        } else {
          try command.run()
        }
        if OutputFile.standardOutputIsLost { throw ExitCode(ExitStatus.cannotCreate.rawValue) }
      } catch {
        end(error, settings.arguments)
      }
    } catch {
      let command = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? ""
      let console = Console(json: CommandLine.arguments.contains("--json"))
      end(ExitCode(console.fail(command, error).rawValue), [])
    }
  }

  /// Ends the process when the command line is wrong; fails with `configuration` when what settings
  /// added is.
  private static func parse(
    _ settings: CommandLineSettings
  ) throws(BenchError) -> any ParsableCommand {
    try RetiredOption.refuse(in: settings.arguments)
    if let name = CommandOptions.givenTwice(in: settings.arguments, of: Self.self) {
      throw BenchError(
        .usage, "--\(name) is given more than once, but takes one value. Give it once.")
    }
    do {
      return try parseAsRoot(BareRecord.completed(settings.arguments))
    } catch {
      guard exitCode(for: error) == .validationFailure,
        let origin = settings.culprit(isSound: { (try? parseAsRoot($0)) != nil })
      else { end(error, settings.arguments) }
      throw BenchError(.configuration, "\(origin): \(sentence(message(for: error)))")
    }
  }

  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    if OutputFile.standardOutputIsLost {
      Console().complain("nfcprog: Standard output cannot be written; results are missing there.")
    }
    var error = error
    let names = configuration.subcommands.map { $0._commandName }
    if exitCode(for: error) == .validationFailure,
      let sentence = UnknownCommand.sentence(arguments, names: names)
    {
      error = ValidationError(sentence)
    }
    // A command that ends with a status has said why.
    if arguments.contains("--json"), !(error is ExitCode),
      exitCode(for: error) == .validationFailure
    {
      complainInJSON(message(for: error))
    }
    // The parser's own texts repeat arguments.
    var (code, text) = (exitCode(for: error), fullMessage(for: error))
    if code.isSuccess, let more = moreOptions(than: text, arguments) { text += more }
    if text.hasPrefix("#!/bin/bash") { text += BashCompletion.joiningColons }
    if !text.isEmpty {
      let output = code.isSuccess ? OutputFile.standardOutput : OutputFile.standardError
      output.write(TerminalText.shown(text) + "\n")
    }
    endProcess(code.rawValue)
  }

  /// How to see the options that a command's help, `text`, leaves out; nil where it leaves out
  /// none, and where `text` is no help.
  private static func moreOptions(than text: String, _ arguments: [String]) -> String? {
    guard text.hasPrefix("OVERVIEW:"), !arguments.contains("--help-hidden") else { return nil }
    var (command, words): (any ParsableCommand.Type, [String]) = (self, ["nfcprog"])
    for word in arguments where !word.hasPrefix("-") {
      let below = command.configuration.subcommands.first { $0._commandName == word }
      guard let below else { continue }
      command = below
      words.append(word)
    }
    func options(_ help: String) -> Int {
      help.split(separator: "\n").count { $0.hasPrefix("  -") }
    }
    let count = options(helpMessage(for: command, includeHidden: true)) - options(text)
    guard count > 0 else { return nil }
    return
      "\(words.joined(separator: " ")) --help-hidden shows \(counted(count, "more option", "more options"))."
  }

  /// With `--json` a command line that cannot be understood, too, is answered with an object.
  private static func complainInJSON(_ message: String) {
    let command = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? ""
    let failure = BenchError(.usage, sentence(message))
    OutputFile.standardOutput.write(
      JSONLine.text(TagJSON(command: command, failure: FailureJSON(failure))) + "\n")
  }
}

// Inside the command, `exit` is its own.
private func endProcess(_ status: Int32) -> Never { exit(status) }
