import BuildFacts

enum HubVersion {
  /// What --version prints.
  static var text: String {
    let number = unsafe String(cString: nfcprogVersion())
    let commit = unsafe String(cString: nfcprogCommit())
    return "nfcprog-hub \(number)\ncommit \(commit.isEmpty ? "not known" : commit)"
  }
}
