import Bench
import Settings

/// What settings may say of an option.
extension CommandLineSettings {
  /// The words that give `option` its value; none for a flag that is off.
  static func words(
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

  /// A variable whose name is nearly one of ours is a mistake of whoever set it; others may be of
  /// other programs.
  static func check(
    _ variables: [String], against root: CommandOptions
  ) throws(BenchError) {
    let known = Self.ownVariables.union(root.optionNames.map(Self.variable))
    for name in variables where !known.contains(name) && !name.hasPrefix(columnPrefix) {
      if let retired = RetiredOption.all.first(where: { Self.variable($0.name) == name }) {
        throw BenchError(.configuration, "\(name): \(retired.sentence)")
      }
      let near = known.sorted().min {
        UnknownCommand.distance(name, $0) < UnknownCommand.distance(name, $1)
      }
      guard let near, UnknownCommand.distance(name, near) <= 2 else { continue }
      throw BenchError(
        .configuration, "\(TerminalText.shown(name)) is no setting. Did you mean \(near)?")
    }
  }

  /// Every name in the file must be one that some command knows, whichever command is called.
  static func check(
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
      if let retired = RetiredOption.named(entry.option, of: nil) {
        throw fail(entry.line, String(retired.sentence.dropLast()))
      }
      throw fail(entry.line, "no command has an option \u{201C}\(entry.option)\u{201D}")
    }
    for (name, entries) in file.commands.sorted(by: { $0.key < $1.key }) {
      guard let command = root.command(at: name) else {
        throw fail(file.commandLines[name] ?? 1, "there is no command \u{201C}\(name)\u{201D}")
      }
      for entry in entries where command.option(entry.option) == nil {
        if let retired = RetiredOption.named(entry.option, of: name) {
          throw fail(entry.line, String(retired.sentence.dropLast()))
        }
        throw fail(entry.line, "\(name) has no option \u{201C}\(entry.option)\u{201D}")
      }
    }
  }
}
