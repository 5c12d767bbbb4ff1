import ArgumentParser
import Bench
import Bytes
import RecordText
import TagDumps
import TagMemory
import TagProgramming

/// A command for a reader that somebody holds open, made of the words of a command line: the same
/// options, the same checks, the same document.
///
/// Everything that was given is checked when it is made, before anybody waits for the reader.
package struct ServedCommand: @unchecked Sendable {
  // Sendable by hand: values, which one thread makes and another one uses.

  /// What is done at the reader.
  enum Work {
    case job(Preparation)
    case raw(RawSeries)
  }

  let command: String
  /// The command and its options, without that of a dry run.
  let asked: [String]
  let work: Work
  let run: CommandRun
  let options: RunOptions
  let showsPhone: Bool
  /// Is true if the tag may lose something for good.
  let isDangerous: Bool
  let dump: Dump?
  /// Of `phone`: what links are held to.
  let policy: LinkPolicy?

  /// `words` are a command and its options; `content` is the content of the file that the command
  /// reads, and no other file is read.
  ///
  /// Fails with `usage` where the words make no command, and as the command does.
  package init(_ words: [String], content: [UInt8]? = nil) throws(BenchError) {
    let parsed: any ParsableCommand
    do {
      parsed = try NFCProg.parseAsRoot(words)
    } catch {
      throw BenchError(.usage, sentence(NFCProg.message(for: error)))
    }
    command = words.first ?? ""
    asked = words.filter { $0 != "--dry-run" }
    let preferences = Preferences(arguments: words)
    dump = parsed as? Dump
    if let raw = parsed as? any RawCommandLine {
      work = .raw(try raw.series())
      run = CommandRun(command, raw.options, preferences, tagType: raw.tagType.product)
      (showsPhone, isDangerous) = (false, true)
      policy = nil
    } else if let phone = parsed as? PhoneCommand {
      work = .job(Preparation(.info))
      run = CommandRun(command, phone.options, preferences)
      (showsPhone, isDangerous) = (false, false)
      policy = try phone.link.load()
    } else if let parsed = parsed as? any TagCommand {
      work = .job(try Self.preparation(of: parsed, words, content))
      var run = CommandRun(command, parsed.options, preferences, tagType: parsed.expected)
      (run.readsCounters, run.backup) = (parsed.readsCounters, parsed.backup)
      self.run = run
      showsPhone = parsed.showsPhone
      isDangerous = parsed.loss != nil || words.contains(where: Self.needsConsent) && dump == nil
      policy = nil
    } else {
      throw BenchError(.usage, "No agent does \(command).")
    }
    options = try run.runOptions()
  }

  /// Returns whether an option takes what a tag may not recover from, or gives it a secret.
  private static func needsConsent(_ word: String) -> Bool {
    word == "--force" || word.hasPrefix("--set-password=") || word.hasPrefix("--key-b=")
  }

  private static func preparation(
    of command: any TagCommand, _ words: [String], _ content: [UInt8]?
  ) throws(BenchError) -> Preparation {
    switch command {
    case let write as Write:
      // Where a person names a file, a client gives its bytes.
      return try write.prepare(words) { digits throws(RecordTextError) in
        do throws(HexError) {
          return try Hex.bytes(digits)
        } catch {
          throw RecordTextError(
            .badInput, "An agent reads no files: give their bytes in hexadecimal digits.")
        }
      }
    case let restore as RestoreDump:
      let dump = try TagDump(file: content ?? [], at: "The dump")
      return Preparation(.restore(Restore(dump, force: restore.leave.force)))
    case is Dump: return Preparation(.dump)
    default: return try command.prepare(words)
    }
  }
}

/// A command that sends an operator's own commands to a tag.
protocol RawCommandLine: PreferringCommand, TagOptionsCommand {
  var tagType: TagTypeOptions { get }

  /// The commands. Everything that was given is checked here.
  func series() throws(BenchError) -> RawSeries
}

extension RawCommandLine {
  func run(_ preferences: Preferences) throws {
    let name = Self.configuration.commandName ?? Self._commandName
    let run = CommandRun(name, options, preferences, tagType: tagType.product)
    let status = run.perform(series)
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
