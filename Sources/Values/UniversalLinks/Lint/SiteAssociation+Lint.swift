extension SiteAssociation {
  /// Returns what is wrong with a site association, or may be, in the order of the file; none where
  /// nothing is. `bytes` are the file as a site serves it, whatever they are.
  ///
  ///     let findings = SiteAssociation.findings(parsing: try Data(contentsOf: file))
  ///     let isGood = !findings.contains { $0.severity == .error }
  public static func findings(parsing bytes: some Sequence<UInt8>) -> [Finding] {
    Lint.findings(parsing: bytes)
  }
}
