import ArgumentParser
import Bytes
import TagMemory

/// The options of every command that touches a tag.
struct TagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The reader: a libnfc connstring, a tty, or sim:TAG.",
      discussion: "Otherwise NFCPROG_READER, otherwise the only reader found.", valueName: "reader")
  )
  var reader: String?

  @Flag(help: "Print one JSON object per tag on standard output, nothing else.")
  var json = false

  @Option(
    help: ArgumentHelp("How long to wait for a tag; 0 is one look.", valueName: "seconds"))
  var timeout = 30.0

  @Flag(help: "Look and plan, print the plan with its cost, write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("A further MIFARE Classic key to try (repeatable).", valueName: "hex"))
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
    for text in key { _ = try Self.usage { () throws(SecretError) in try Secret.key(text) } }
    if let password {
      _ = try Self.usage { () throws(SecretError) in try Secret.password(password) }
    }
  }

  /// A secret that was mistyped is a usage error, which does not repeat it.
  private static func usage<T>(_ parse: () throws(SecretError) -> T) throws -> T {
    do { return try parse() } catch { throw ValidationError(error.description) }
  }
}

/// `--baud`: a speed in bits per second, or the fastest that works.
enum BaudArgument: ExpressibleByArgument, Hashable {
  case auto
  case fixed(Int)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let rate = Int(argument), rate > 0 {
      self = .fixed(rate)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .auto: "auto"
    case .fixed(let rate): "\(rate)"
    }
  }
}
