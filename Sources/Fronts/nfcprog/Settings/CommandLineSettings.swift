import ArgumentParser
import Bench
import Settings

/// A command line, completed with what the environment and the settings file say: option >
/// environment > file > default.
struct CommandLineSettings {
  /// The words behind the program's name, completed.
  let arguments: [String]
  /// What was put in, and where it comes from: `NFCPROG_TIMEOUT`, `nfcprog.toml, line 3`.
  private(set) var additions: [(option: String, words: [String], origin: String)] = []
  /// Where `additions` stand in `arguments`.
  private let place: Int
  private let given: [String]

  /// Completes `given`. Fails with `configuration` for settings that name no option, or a value of
  /// the wrong kind.
  init(
    completing given: [String], of root: any ParsableCommand.Type,
    environment: [String: String], file: SettingsFile, path: String
  ) throws(BenchError) {
    self.given = given
    let variables = environment.filter {
      $0.key.hasPrefix(Self.prefix) && !Self.ownVariables.contains($0.key) && !$0.value.isEmpty
    }
    guard !Self.asksForHelp(given), !variables.isEmpty || file != SettingsFile(),
      let root = CommandOptions.all(of: root)
    else {
      (arguments, place) = (given, 0)
      return
    }
    try Self.check(file, path, against: root)
    try Self.check(variables.keys.sorted(), against: root)
    for name in variables.keys.sorted()
    where Self.consents.contains(where: { Self.variable($0) == name }) {
      throw BenchError(.configuration, "\(name): \(Self.onlyOnCommandLine)")
    }
    let called = root.called(by: given)
    for option in RetiredOption.all
    where option.command != nil && option.command == called.path.first {
      let origin =
        variables[Self.variable(option.name)] != nil
        ? Self.variable(option.name)
        : file.defaults.first { $0.option == option.name }.map { "\(path), line \($0.line)" }
      if let origin { throw BenchError(.configuration, "\(origin): \(option.sentence)") }
    }
    place = called.start
    let own = given.dropFirst(called.start).prefix { $0 != "--" }
    var taken = Set(
      (called.command.arguments ?? []).filter { $0.isGiven(in: own) }.compactMap(\.longName))
    for option in called.command.arguments ?? [] {
      guard let name = option.longName, let value = variables[Self.variable(name)],
        !taken.contains(name), Self.rivals(of: name).isDisjoint(with: taken),
        !Self.isForSeries(name, called.path)
      else { continue }
      let origin = Self.variable(name)
      additions.append((name, try Self.words(option, name, .texts([value]), origin), origin))
    }
    taken.formUnion(additions.map(\.option))
    // NFCPROG_READER is looked at where a reader is chosen.
    if environment["NFCPROG_READER"]?.isEmpty == false { taken.insert("reader") }
    let general = file.defaults.filter { !Self.isForSeries($0.option, called.path) }
    let sections = [file.commands[called.path.joined(separator: ".")] ?? [], general]
    for section in sections {
      let before = taken
      for entry in section {
        guard let option = called.command.option(entry.option), !before.contains(entry.option),
          Self.rivals(of: entry.option).isDisjoint(with: before)
        else { continue }
        let origin = "\(path), line \(entry.line)"
        additions.append(
          (entry.option, try Self.words(option, entry.option, entry.value, origin), origin))
        taken.insert(entry.option)
      }
    }
    arguments = given[..<place] + additions.flatMap(\.words) + given[place...]
  }

  /// Where the value of `option` comes from; nil when the command line gives it, or nothing does.
  func origin(of option: String) -> String? {
    additions.first { $0.option == option }?.origin
  }

  /// Which addition spoils a command line that is sound without it, by `isSound`; nil when none
  /// does.
  func culprit(isSound: ([String]) -> Bool) -> String? {
    guard !additions.isEmpty, isSound(given) else { return nil }
    return additions.first { !isSound(given[..<place] + $0.words + given[place...]) }?.origin
      ?? additions.map(\.origin).joined(separator: "; ")
  }
}
