/// The order in which options stand on the command line.
///
/// The parser collects each option's values by themselves; which record comes first is only in the
/// raw arguments.
enum RecordOrder {
  /// The names among `options` in the order of `arguments`, as often as each stands there: `--text
  /// T` and `--text=T`. A value never starts with a dash, unless behind `=`, so no value is taken
  /// for an option.
  static func names(of options: Set<String>, in arguments: [String]) -> [String] {
    arguments.compactMap { argument in
      let name = argument.prefix { $0 != "=" }
      return argument.hasPrefix("--") && options.contains(String(name.dropFirst(2)))
        ? String(name.dropFirst(2)) : nil
    }
  }
}
