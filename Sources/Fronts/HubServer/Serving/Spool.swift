import Foundation
import Synchronization

/// A document that waits in a file to be sent. The file has no name any more: it is gone with the
/// value, or with the process.
final class Spool: Sendable {
  /// Bytes.
  let size: Int
  private let file: Mutex<FileHandle>
  private let farewell = Mutex<(@Sendable () -> Void)?>(nil)

  private static let piece = 65536

  deinit { farewell.withLock(\.self)?() }

  /// Calls `body` when the document is gone.
  func whenGone(_ body: @escaping @Sendable () -> Void) { farewell.withLock { $0 = body } }

  /// Folders in which documents are being made.
  private static let folders = Mutex<Set<URL>>([])

  /// Removes what is not finished, at the end of the process.
  static func removeUnfinished() {
    for folder in folders.withLock(\.self) { try? FileManager.default.removeItem(at: folder) }
  }

  /// `make` writes the file at a path.
  init(_ make: (String) throws -> Void) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "nfcprog-hub-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    _ = Self.folders.withLock { $0.insert(folder) }
    defer {
      try? files.removeItem(at: folder)
      _ = Self.folders.withLock { $0.remove(folder) }
    }
    let path = folder.appending(path: "document").path
    try make(path)
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    size = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    self.file = Mutex(file)
  }

  /// The next bytes; nil: that was all.
  func next() throws -> Data? {
    try file.withLock { file in
      guard let data = try file.read(upToCount: Self.piece), !data.isEmpty else { return nil }
      return data
    }
  }
}
