extension SettingsFile {
  /// The options whose values a problem report may show, because none of them is ever a key, a
  /// password, an address or a name of a person. A new option is left out until somebody adds it
  /// here.
  package static let shownOptions: Set<String> = [
    "all-readers", "baud", "check", "count", "dry-run", "json", "quiet", "reader", "sectors", "tag",
    "timeout", "trace", "verbose", "watch",
  ]

  /// What stands in place of any other value.
  package static let leftOut = "(value left out)"

  /// The file's content for a problem report, a line each; values that `shownOptions` does not have
  /// are left out.
  package var shownLines: [String] {
    var lines: [String] = []
    if !readers.isEmpty { lines.append("[readers]") }
    lines += readers.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    if !defaults.isEmpty { lines.append("[defaults]") }
    lines += defaults.map(Self.shown)
    for (name, entries) in commands.sorted(by: { $0.key < $1.key }) {
      lines.append("[commands.\(name)]")
      lines += entries.map(Self.shown)
    }
    for (name, board) in boards.sorted(by: { $0.key < $1.key }) {
      lines.append("[boards.\"\(name)\"]")
      lines += board.lines.map(\.text)
    }
    return lines
  }

  /// One option for a problem report.
  package static func shown(_ option: String, _ value: String) -> String {
    "\(option) = \(shownOptions.contains(option) ? value : leftOut)"
  }

  private static func shown(_ entry: Entry) -> String {
    switch entry.value {
    case .flag(let isOn): shown(entry.option, "\(isOn)")
    case .texts(let texts): shown(entry.option, texts.joined(separator: ", "))
    }
  }
}
