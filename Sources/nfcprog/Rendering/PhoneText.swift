import UniversalLinks

/// What an iPhone does with a tag that is held to it while no app reads tags: the last lines of
/// `info`.
enum PhoneText {
  /// One line, then one for everything that may go wrong.
  static func lines(_ reading: BackgroundReading) -> [String] {
    let act =
      switch reading.handler {
      case .webLink:
        "opens \(reading.uri ?? "the link") in the app that its domain names, or in the browser"
      case .system(let name): "opens \(reading.uri ?? "the link") in \(name)"
      case nil: "does nothing with it"
      }
    return ["  An iPhone \(act)."] + reading.findings.map { "    \($0)" }
  }
}
