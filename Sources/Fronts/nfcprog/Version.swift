import BuildFacts
import LibNFCReaders

/// Which nfcprog this is.
enum ProgramVersion {
  static var number: String { unsafe String(cString: nfcprogVersion()) }

  /// The commit that it was built from; nil where the build was not told.
  static var commit: String? {
    let text = unsafe String(cString: nfcprogCommit())
    return text.isEmpty ? nil : text
  }

  /// What --version prints, and problem reports begin with.
  static var text: String { text(commit: commit, libnfc: LibraryVersion.libnfc) }

  /// Returns what --version prints for any build: three lines.
  static func text(commit: String?, libnfc: String) -> String {
    """
    nfcprog \(number)
    commit \(commit ?? "not known")
    libnfc \(libnfc)
    """
  }
}
