import ArgumentParser

/// A command that goes by the settings file or the environment beyond its options: `main` hands it
/// what they say.
protocol PreferringCommand: ParsableCommand {
  func run(_ preferences: Preferences) throws
}

extension PreferringCommand {
  /// Without settings, as the parser would run it.
  func run() throws { try run(Preferences()) }
}
