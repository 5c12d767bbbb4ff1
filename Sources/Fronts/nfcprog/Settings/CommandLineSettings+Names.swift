/// Which names stand for which option, and which of them settings may give.
extension CommandLineSettings {
  static let prefix = "NFCPROG_"
  /// Returns whether the command line only asks about itself, which wrong settings must not stand
  /// in the way of.
  static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.first == "help"
      || arguments.contains { questions.contains($0) || $0.hasPrefix("--generate-") }
  }

  static let questions: Set<String> = [
    "-h", "--help", "--help-hidden", "--version", "--experimental-dump-help",
  ]
  /// Variables that are read where they are needed, and what hooks of ours are told.
  static let ownVariables: Set<String> = [
    "NFCPROG_READER", "NFCPROG_CONFIG", "NFCPROG_KEYS", "NFCPROG_PASSWORD", "NFCPROG_SET_PASSWORD",
    "NFCPROG_RESULT", "NFCPROG_UID", "NFCPROG_JOB", "NFCPROG_NAME", "NFCPROG_URL", "NFCPROG_TAG",
    "NFCPROG_STATION", "NFCPROG_CAUSE", "NFCPROG_MESSAGE",
  ]

  /// Begins the variables that tell a hook of ours the columns of its row.
  static let columnPrefix = "NFCPROG_COLUMN_"

  /// The operator's word for what cannot be undone: given for one run, never by a setting that
  /// somebody forgot.
  static let consents: Set<String> = [
    "authlim", "force", "freeze-config", "freeze-mirror", "lock", "lrp", "overwrite", "random-uid",
    "release-reserved", "reprint-labels", "restored", "rewrite", "start-over", "watch-loop", "yes",
  ]
  static let onlyOnCommandLine =
    "an option for something that cannot be undone is accepted on the command line only."

  /// Commands that work on one tag, and on more only where their own section or the command line
  /// says so: `count` for all commands is meant for series.
  static func isForSeries(_ name: String, _ path: [String]) -> Bool {
    name == "count" && ["write-url", "emulate", "audit"].contains(path.first)
  }

  /// Options that say the same thing, so that one given closer at hand displaces the others.
  static let rivalries: [Set<String>] = [
    ["quiet", "verbose"],
    ["any-content", "aasa"], ["any-content", "app-id"], ["any-content", "entitlement"],
    ["reader", "all-readers"],
  ]

  static func rivals(of name: String) -> Set<String> {
    rivalries.filter { $0.contains(name) }.reduce(into: []) { $0.formUnion($1) }
  }

  /// `NFCPROG_KEY_FILE` for `key-file`.
  static func variable(_ option: String) -> String {
    prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}
