import Bench

/// An option of an earlier version, and what is given in its place.
struct RetiredOption {
  let name: String
  /// The command that had it; nil: several had it, and none has it now.
  var command: String?
  let instead: String

  static let all = [
    RetiredOption(name: "password-file", instead: "--password file:PATH"),
    RetiredOption(name: "set-password-file", instead: "--set-password file:PATH"),
    RetiredOption(name: "protect", instead: "--set-password env:NFCPROG_SET_PASSWORD"),
    RetiredOption(name: "width", instead: "zeros in the range, such as --range 0001..0400"),
    RetiredOption(
      name: "realtime", command: "provision",
      instead: "pace=real with the reader, such as --reader sim:ntag213,pace=real"),
  ]

  /// The one that is called `name` and that `command` does not have now; `command` nil: settings
  /// for all of them.
  static func named(_ name: String, of command: String?) -> RetiredOption? {
    all.first { option in
      option.name == name && (option.command == nil || option.command == command)
    }
  }

  var sentence: String { "--\(name) is not an option any more. Use \(instead)." }

  /// Fails with `usage` where the command line names one.
  static func refuse(in arguments: [String]) throws(BenchError) {
    guard !CommandLineSettings.asksForHelp(arguments) else { return }
    let command = arguments.first { !$0.hasPrefix("-") }
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = String(word.dropFirst(2).prefix { $0 != "=" })
      if let option = named(name, of: command) { throw BenchError(.usage, option.sentence) }
    }
  }
}
