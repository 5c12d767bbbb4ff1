import ArgumentParser
import Bench
import LibNFCReaders

/// A command that touches a tag. It has the groups that its help shows itself, not in one more
/// group: in a debug build the parser checks a group four times for each one around it.
protocol TagOptionsCommand {
  var line: ReaderOptions { get }
  var access: AccessOptions { get }
  var output: OutputOptions { get }
  /// Is true if a file that the command writes may replace another.
  var consent: NamedFile.Consent { get }
}

extension TagOptionsCommand {
  var options: TagOptions {
    TagOptions(line: line, access: access, output: output, consent: consent)
  }
}

/// The options of every command that touches a tag.
struct TagOptions {
  fileprivate let line: ReaderOptions
  /// Nil where a command sends no key and no password that somebody gives.
  fileprivate let access: AccessOptions?
  fileprivate let output: OutputOptions
  let consent: NamedFile.Consent

  init(
    line: ReaderOptions, access: AccessOptions?, output: OutputOptions, consent: NamedFile.Consent
  ) {
    (self.line, self.access, self.output, self.consent) = (line, access, output, consent)
  }

  var readers: [String] { line.readers }
  var timeout: Double { line.timeout }
  var baud: BaudArgument { line.baud }
  var trace: String? { line.trace }
  var noAgent: Bool { line.noAgent }

  var key: [String] { access?.key ?? [] }
  var keyFile: String? { access?.keyFile }
  var password: String? { access?.password }

  var json: Bool { output.json }
  var dryRun: Bool { output.dryRun }
  var yes: Bool { output.yes }
  var quiet: Bool { output.quiet }
  var verbose: Bool { output.verbose }

  /// The reader of a command that works on one.
  var reader: String? { readers.first }

  /// Fails with `usage` where several readers are named: a command that works on one must not
  /// choose.
  func requireOneReader() throws(BenchError) {
    guard readers.count > 1 else { return }
    throw BenchError(
      .usage,
      "--reader is given \(readers.count) times, but this command works on one reader. Give it once."
    )
  }
}

/// Which reader, and how it is used.
struct ReaderOptions: ParsableArguments {
  @Option(
    name: .customLong("reader"),
    help: ArgumentHelp(
      "A connstring, tty or sim:TAG (default: the only one).", valueName: "reader"),
    completion: .readers
  )
  var readers: [String] = []

  @Option(
    help: ArgumentHelp("Time to wait for a tag; 0 looks once.", valueName: "seconds"))
  var timeout = 30.0

  @Option(
    help: ArgumentHelp(
      "Speed of a serial reader's line.", valueName: "auto|N", visibility: .hidden))
  var baud = BaudArgument.auto

  @Option(
    help: ArgumentHelp(
      "Write every PN532 frame to this file, as JSON Lines.", valueName: "file",
      visibility: .hidden))
  var trace: String?

  @Flag(
    help: ArgumentHelp(
      "Do not ask an agent (nfcprog serve) that holds the reader.", visibility: .hidden))
  var noAgent = false

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes 0 to 86400 seconds.")
    }
  }
}

/// What opens a tag.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A MIFARE Classic or DESFire key to try, or ask, file:PATH, env:NAME (repeatable).",
      valueName: "hex"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp("A file of keys, one per line.", valueName: "file", visibility: .hidden))
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "The tag's password: digits, ask, file:PATH, env:NAME.",
      valueName: "hex"))
  var password: String?

  func validate() throws {
    // Said here and not by the parser, which would repeat the secret.
    do {
      for text in key { try SecretInput.check(text, Secret.anyKey) }
      if let password { try SecretInput.check(password, derives: true, Secret.password) }
    } catch {
      throw ValidationError(error.description)
    }
  }
}

/// What a command prints.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON object per tag on standard output.")
  var json = false

  @Flag(help: "Print the plan with its cost; write nothing.")
  var dryRun = false

  @Flag(help: "Do not ask before what cannot be undone.")
  var yes = false

  @Flag(name: [.short, .long], help: "Print errors only.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Print each attempt and step, too.")
  var verbose = false

  func validate() throws {
    guard !quiet || !verbose else {
      throw ValidationError("Give --quiet or --verbose, not both.")
    }
  }
}

/// `--baud`: `auto` or a speed that the chip has.
struct BaudArgument: ExpressibleByArgument, Hashable {
  let speed: LineSpeed

  static let auto = BaudArgument(speed: .automatic)

  private init(speed: LineSpeed) { self.speed = speed }

  init?(argument: String) {
    guard let speed = LineSpeed(argument) else { return nil }
    self.speed = speed
  }

  var defaultValueDescription: String { "auto" }
}
