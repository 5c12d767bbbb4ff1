/// Which trace was written last: a file of one line in the state directory (XDG Base Directory
/// Specification 0.8). Without a home, or where it cannot be written, nothing is remembered.
package struct LastTrace {
  private let file: String?

  package init(_ environment: Environment) {
    file = environment.stateHome.map { "\($0)/nfcprog/last-trace" }
  }

  /// The trace's path; nil where none is known.
  package var path: String? {
    guard let file, Files.exists(file), let bytes = try? Files.read(file) else { return nil }
    let line = Secret.firstLine(String(decoding: bytes, as: UTF8.self))
    return line.isEmpty ? nil : line
  }

  /// Remembers that a trace was begun at `path`.
  package func remember(_ path: String) {
    guard let file, !path.contains(where: \.isNewline) else { return }
    Files.makeFolder(of: file)
    try? Files.write(Array((Files.absolute(path) + "\n").utf8), to: file)
  }
}
