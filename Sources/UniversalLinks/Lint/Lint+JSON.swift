extension Lint {
  /// The findings of one file as one line of JSON.
  ///
  ///     source     where the file is from, as it was asked for
  ///     valid      whether nothing in it is an error
  ///     appIDs     the apps under applinks, in the order of the file
  ///     findings   severity ("error", "warning" or "note"), code, message, where
  public static func json(_ findings: [Finding], source: String, appIDs: [String]) -> String {
    JSONText.object([
      ("source", .string(source)),
      ("valid", .bool(isValid(findings))),
      ("appIDs", .array(appIDs.map(JSONText.string))),
      ("findings", .array(findings.map(JSONText.init))),
    ]).line
  }

  /// Whether none of `findings` is an error.
  public static func isValid(_ findings: [Finding]) -> Bool {
    !findings.contains { $0.severity == .error }
  }
}

extension JSONText {
  init(_ finding: Finding) {
    self = .object([
      ("severity", .string(finding.severity.rawValue)),
      ("code", .string(finding.code.rawValue)),
      ("message", .string(finding.message)),
      ("where", .string("\(finding.place)")),
    ])
  }
}
