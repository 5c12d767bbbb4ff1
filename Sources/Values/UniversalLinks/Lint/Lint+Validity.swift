extension Lint {
  /// Returns whether none of `findings` is an error.
  package static func isValid(_ findings: [Finding]) -> Bool {
    !findings.contains { $0.severity == .error }
  }
}
