import BuildFacts

enum HubVersion {
  /// Semantic Versioning 2.0.0; the same as nfcprog's.
  static let number = "1.0.0"

  /// What --version prints.
  static var text: String {
    let commit = unsafe String(cString: nfcprogCommit())
    return "nfcprog-hub \(number)\ncommit \(commit.isEmpty ? "not known" : commit)"
  }
}
