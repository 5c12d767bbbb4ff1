import ArgumentParser
import BenchKit
import LibNFCReaders

/// The options of every command that touches a tag.
struct TagOptions: ParsableArguments {
  @Option(
    name: .customLong("reader"),
    help: ArgumentHelp(
      "The reader: a libnfc connstring, a tty, or sim:TAG.",
      discussion: "Otherwise NFCPROG_READER, otherwise the only reader found.", valueName: "reader")
  )
  var readers: [String] = []

  /// The reader of a command that works on one.
  var reader: String? { readers.first }

  /// Fails with `usage` where several readers are named: a command that works on one must not choose.
  func requireOneReader() throws(BenchError) {
    guard readers.count > 1 else { return }
    throw BenchError(
      .usage,
      "--reader is given \(readers.count) times; this command works on one reader. Name one.")
  }

  @Flag(help: "Print one JSON object per tag on standard output, nothing else.")
  var json = false

  @Option(
    help: ArgumentHelp("How long to wait for a tag; 0 is one look.", valueName: "seconds"))
  var timeout = 30.0

  @Flag(help: "Look and plan, print the plan with its cost, write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "A further MIFARE Classic or DESFire key to try (repeatable).", valueName: "hex"))
  var key: [String] = []

  @Option(help: ArgumentHelp("A file of such keys, one a line.", valueName: "file"))
  var keyFile: String?

  @Option(help: ArgumentHelp("NTAG or Ultralight EV1 password: 8 digits.", valueName: "hex"))
  var password: String?

  @Option(help: ArgumentHelp("A file that holds it.", valueName: "file"))
  var passwordFile: String?

  @Option(help: ArgumentHelp("Link speed on serial readers.", valueName: "auto|N"))
  var baud = BaudArgument.auto

  @Option(
    help: ArgumentHelp("Write every PN532 frame there, as JSON Lines.", valueName: "file"))
  var trace: String?

  @Flag(name: [.short, .long], help: "Say less on standard error.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more on standard error.")
  var verbose = false

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes 0 to 86400 seconds.")
    }
    guard password == nil || passwordFile == nil else {
      throw ValidationError("Give --password or --password-file, not both.")
    }
    // Said here and not by the parser, which would repeat the secret.
    do {
      for text in key { _ = try Secret.anyKey(text) }
      if let password { _ = try Secret.password(password) }
    } catch {
      throw ValidationError(error.description)
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
