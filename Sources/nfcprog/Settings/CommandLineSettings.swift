import BenchKit
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
    completing given: [String], environment: [String: String], file: SettingsFile, path: String
  ) throws(BenchError) {
    self.given = given
    let variables = environment.filter {
      $0.key.hasPrefix(Self.prefix) && !Self.ownVariables.contains($0.key) && !$0.value.isEmpty
    }
    guard !Self.asksForHelp(given), !variables.isEmpty || file != SettingsFile(),
      let root = CommandOptions.root()
    else {
      (arguments, place) = (given, 0)
      return
    }
    try Self.check(file, path, against: root)
    for name in variables.keys.sorted()
    where Self.consents.contains(where: { Self.variable($0) == name }) {
      throw BenchError(.configuration, "\(name): \(Self.onlyOnCommandLine)")
    }
    let called = root.called(by: given)
    place = called.start
    let own = given.dropFirst(called.start).prefix { $0 != "--" }
    var taken = Set(
      (called.command.arguments ?? []).filter { $0.isGiven(in: own) }.compactMap(\.longName))
    for option in called.command.arguments ?? [] {
      guard let name = option.longName, let value = variables[Self.variable(name)],
        !taken.contains(name), Self.rivals(of: name).isDisjoint(with: taken)
      else { continue }
      let origin = Self.variable(name)
      additions.append((name, try Self.words(option, name, .texts([value]), origin), origin))
    }
    taken.formUnion(additions.map(\.option))
    // NFCPROG_READER is looked at where a reader is chosen.
    if environment["NFCPROG_READER"]?.isEmpty == false { taken.insert("reader") }
    let sections = [file.commands[called.path.joined(separator: ".")] ?? [], file.defaults]
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

  // MARK: Names

  static let prefix = "NFCPROG_"
  /// Whether the command line only asks about itself, which wrong settings must not stand in the
  /// way of.
  static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.first == "help"
      || arguments.contains { questions.contains($0) || $0.hasPrefix("--generate-") }
  }

  private static let questions: Set<String> = [
    "-h", "--help", "--version", "--experimental-dump-help",
  ]
  /// Variables that are read where they are needed, and what hooks of ours are told.
  private static let ownVariables: Set<String> = [
    "NFCPROG_READER", "NFCPROG_CONFIG", "NFCPROG_KEYS", "NFCPROG_PASSWORD", "NFCPROG_SET_PASSWORD",
    "NFCPROG_RESULT", "NFCPROG_UID", "NFCPROG_JOB", "NFCPROG_NAME", "NFCPROG_URL", "NFCPROG_TAG",
    "NFCPROG_STATION", "NFCPROG_CAUSE", "NFCPROG_MESSAGE",
  ]

  /// The operator's word for what cannot be undone: given for one run, never by a setting that
  /// somebody forgot.
  private static let consents: Set<String> = [
    "force", "freeze-mirror", "lock", "lrp", "overwrite", "random-uid", "release-reserved",
    "rewrite", "start-over", "watch-loop",
  ]
  private static let onlyOnCommandLine =
    "an option for something that cannot be undone is accepted on the command line only."

  /// Options that say the same thing, so that one given closer at hand displaces the others.
  private static let rivalries: [Set<String>] = [
    ["password", "password-file"], ["set-password", "set-password-file"], ["quiet", "verbose"],
    ["any-content", "aasa"], ["any-content", "app-id"], ["any-content", "entitlement"],
    ["reader", "all-readers"],
  ]

  private static func rivals(of name: String) -> Set<String> {
    rivalries.filter { $0.contains(name) }.reduce(into: []) { $0.formUnion($1) }
  }

  /// `NFCPROG_KEY_FILE` for `key-file`.
  static func variable(_ option: String) -> String {
    prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  // MARK: Values

  /// The words that give `option` its value; none for a flag that is off.
  private static func words(
    _ option: CommandOptions.Option, _ name: String, _ value: SettingsFile.Value, _ origin: String
  ) throws(BenchError) -> [String] {
    switch (option.isFlag, value) {
    case (true, .flag(let isOn)): return isOn ? ["--\(name)"] : []
    case (true, .texts(let texts)):
      guard texts.count == 1, let isOn = truth[texts[0].lowercased()] else {
        throw BenchError(.configuration, "\(origin): \(name) is true or false.")
      }
      return isOn ? ["--\(name)"] : []
    case (false, .texts(let texts)):
      guard texts.count == 1 || option.isRepeating else {
        throw BenchError(.configuration, "\(origin): \(name) takes one value.")
      }
      return texts.map { "--\(name)=\($0)" }
    case (false, .flag):
      throw BenchError(
        .configuration, "\(origin): \(name) takes a value, not true or false.")
    }
  }

  private static let truth = [
    "1": true, "true": true, "yes": true, "on": true,
    "0": false, "false": false, "no": false, "off": false,
  ]

  /// Every name in the file must be one that some command knows, whichever command is called.
  private static func check(
    _ file: SettingsFile, _ path: String, against root: CommandOptions
  ) throws(BenchError) {
    func fail(_ line: Int, _ text: String) -> BenchError {
      BenchError(.configuration, "\(path), line \(line): \(text).")
    }
    for entry in (file.defaults + file.commands.values.joined()).sorted(by: { $0.line < $1.line })
    where consents.contains(entry.option) {
      throw BenchError(
        .configuration, "\(path), line \(entry.line): \(entry.option): \(onlyOnCommandLine)")
    }
    for entry in file.defaults where !root.hasOption(entry.option) {
      throw fail(entry.line, "no command has an option \u{201C}\(entry.option)\u{201D}")
    }
    for (name, entries) in file.commands.sorted(by: { $0.key < $1.key }) {
      guard let command = root.command(at: name) else {
        throw fail(file.commandLines[name] ?? 1, "there is no command \u{201C}\(name)\u{201D}")
      }
      for entry in entries where command.option(entry.option) == nil {
        throw fail(entry.line, "\(name) has no option \u{201C}\(entry.option)\u{201D}")
      }
    }
  }
}
