import UniversalLinks

/// What an iPhone does with a tag that is held to it while no app reads tags: the last lines of
/// `info`.
enum PhoneText {
  /// Which telephones read tags without an app (Apple, iPhone User Guide and Core NFC).
  static let models =
    "iPhone XS, XR and later read a tag by themselves, their screen on; iPhone 7, 8 and X with NFC Tag Reader in Control Center."

  /// One line, then one for everything that may go wrong. `proved`: what was found out about the
  /// link before it was written, which says more than the tag alone.
  static func lines(_ reading: BackgroundReading, proved: LinkCheck? = nil) -> [String] {
    var findings = reading.findings
    if let proof = proved?.proof, proved?.uri == reading.uri {
      findings.removeAll { proved?.findings.contains($0) == true }
      return ["  \(proof)"] + findings.map(line)
    }
    let act =
      switch reading.handler {
      case .webLink where reading.defaultClip != nil:
        "may offer the App Clip \(reading.defaultClip ?? "") with \(reading.uri ?? "the link"), or opens it in the browser"
      case .webLink:
        "opens \(reading.uri ?? "the link") in the app that its domain names, or in the browser"
      case .system(let name): "opens \(reading.uri ?? "the link") in \(name)"
      case nil: "does nothing with it"
      }
    let models = reading.handler == nil ? [] : ["    \(models)"]
    return ["  An iPhone \(act)."] + models + findings.map(line)
  }

  /// Nobody asked for an app that wakes, so that nothing is an error: why it does nothing.
  private static func line(_ finding: Finding) -> String {
    guard finding.severity == .error else { return "    \(finding)" }
    return finding.place == .tag
      ? "    \(finding.message)" : "    \(finding.place): \(finding.message)"
  }
}
