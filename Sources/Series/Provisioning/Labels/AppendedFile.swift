import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that grows at its end by whole records, each on the disk before the next.
struct AppendedFile {
  let handle: FileHandle

  /// What lies at the path is a folder, a device or a pipe: it cannot be read again.
  struct NotAFile: Error {}

  /// Opens the file at `path`, or makes it.
  init(_ path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      // When another process was quicker this fails, and the file is there.
      try? Data().write(to: URL(filePath: path), options: .withoutOverwriting)
    }
    var status = stat()
    guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw NotAFile()
    }
    handle = try FileHandle(forUpdating: URL(filePath: path))
    _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Its first bytes; none of an empty one.
  func beginning() throws -> Data {
    try handle.seek(toOffset: 0)
    return try handle.read(upToCount: 65_536) ?? Data()
  }

  /// Hands it to `body` from its beginning on, piece by piece.
  func forEachPiece(_ body: (Data) throws -> Void) throws {
    try handle.seek(toOffset: 0)
    while let piece = try handle.read(upToCount: 65_536), !piece.isEmpty { try body(piece) }
  }

  func append(_ bytes: [UInt8]) throws {
    let end = try handle.seekToEnd()
    do {
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      // A part of a record is worse than none.
      try? handle.truncate(atOffset: end)
      throw error
    }
  }

  /// Takes away what stands behind `end`.
  func truncate(to end: UInt64) throws { try handle.truncate(atOffset: end) }
}
