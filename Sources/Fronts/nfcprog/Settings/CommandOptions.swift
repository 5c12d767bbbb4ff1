import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The commands and their options, as the argument parser knows them: what settings may name.
struct CommandOptions: Decodable {
  struct Option: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let isRepeating: Bool

    /// `timeout`; nil for what has no long name.
    var longName: String? { names?.first { $0.kind == "long" }?.name }
    var isFlag: Bool { kind == "flag" }

    /// Returns whether the command line names it.
    func isGiven(in arguments: some Sequence<String>) -> Bool {
      arguments.contains { argument in
        (names ?? []).contains { name in
          name.kind == "long"
            ? argument == "--\(name.name)" || argument.hasPrefix("--\(name.name)=")
            : argument.hasPrefix("-") && !argument.hasPrefix("--")
              && argument.dropFirst().contains(name.name)
        }
      }
    }
  }

  let commandName: String
  let subcommands: [CommandOptions]?
  let arguments: [Option]?

  private struct Description: Decodable { let command: CommandOptions }

  /// What a root command has; it takes some milliseconds to describe, so only where settings ask
  /// for it.
  static func all(of root: any ParsableCommand.Type) -> CommandOptions? {
    do {
      _ = try root.parseAsRoot(["--experimental-dump-help"])
      return nil
    } catch {
      // The parser answers such a question with an error, whose text is the description.
      let text = root.fullMessage(for: error)
      return try? JSONDecoder().decode(Description.self, from: Data(text.utf8)).command
    }
  }

  /// The option called `name` that settings may give a value.
  func option(_ name: String) -> Option? {
    arguments?.first {
      $0.kind != "positional" && $0.longName == name && name != "help" && name != "version"
    }
  }

  func subcommand(_ name: String) -> CommandOptions? {
    subcommands?.first { $0.commandName == name }
  }

  /// The long names of all options, of the commands below, too.
  var optionNames: Set<String> {
    (subcommands ?? []).reduce(into: Set((arguments ?? []).compactMap(\.longName))) {
      $0.formUnion($1.optionNames)
    }
  }

  /// The option of one value that `arguments`, a command line of `root`, give more than once; nil
  /// where there is none.
  static func givenTwice(
    in arguments: [String], of root: any ParsableCommand.Type
  ) -> String? {
    var names: Set<String> = []
    let twice = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.dropFirst(2).prefix { $0 != "=" }) }.filter { !names.insert($0).inserted }
    guard !twice.isEmpty, let root = all(of: root) else { return nil }
    let called = root.called(by: arguments).command
    return twice.first { called.option($0).map { !$0.isFlag && !$0.isRepeating } == true }
  }

  /// Returns whether any command below has an option called `name`.
  func hasOption(_ name: String) -> Bool {
    option(name) != nil || subcommands?.contains { $0.hasOption(name) } == true
  }

  /// The command below at `path`, such as `journal.verify`.
  func command(at path: String) -> CommandOptions? {
    var command: CommandOptions? = self
    for name in path.split(separator: ".") { command = command?.subcommand(String(name)) }
    return command
  }

  /// The command that `arguments` call, its path, and where its own arguments begin.
  func called(by arguments: [String]) -> (command: CommandOptions, path: [String], start: Int) {
    var (command, path, start) = (self, [String](), 0)
    for (index, argument) in arguments.enumerated() {
      if argument.hasPrefix("-") { continue }
      guard let next = command.subcommand(argument) else { break }
      (command, path, start) = (next, path + [argument], index + 1)
    }
    return (command, path, start)
  }
}
