import Foundation

/// A directory tree below the temporary directory: files with a text, and links.
struct FixtureTree: ~Copyable {
  let root: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("nfcprog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // Where the temporary directory is itself a link, results name what it points at.
    root = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func file(_ path: String, _ text: String = "") throws {
    try makeParent(of: path)
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
  }

  /// `target` is relative to the root.
  func link(_ path: String, to target: String) throws {
    try makeParent(of: path)
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/\(path)", withDestinationPath: "\(root)/\(target)")
  }

  private func makeParent(of path: String) throws {
    let parent = URL(fileURLWithPath: "\(root)/\(path)").deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
  }
}
