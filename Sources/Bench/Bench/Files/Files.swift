#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whole files in and out, with failures as sentences.
package enum Files {
  /// The most bytes that a file may have: more than any dump, key list or site association.
  /// `/dev/zero` never ends.
  private static let limit = 16_000_000

  /// The bytes of the file at `path`, which may be a pipe; `-` is standard input. Fails with
  /// `noInput`, and with `badInput` for one beyond the limit.
  package static func read(_ path: String) throws(BenchError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor > STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while descriptor >= 0 {
      let count = unsafe systemRead(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { break }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw BenchError(
          .badInput,
          "\(path == "-" ? "Standard input" : path) has more than \(limit / 1_000_000) MB, which is too large."
        )
      }
    }
    let reason = unsafe String(cString: strerror(errno))
    throw BenchError(.noInput, "\(path) cannot be read: \(reason).")
  }

  /// As `read`, of a file that can be read again and again: fails with `badInput` for a pipe, a
  /// device and standard input.
  static func readRegular(_ path: String) throws(BenchError) -> [UInt8] {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    if path == "-" || isThere && status.st_mode & S_IFMT != S_IFREG {
      throw BenchError(.badInput, "\(path) is no regular file, which could be read again.")
    }
    return try read(path)
  }

  /// Fails with `badInput` where others than its owner may read the regular file at `path`, which
  /// holds the keys of a series.
  package static func requireSecret(_ path: String) throws(BenchError) {
    forbidCoreDumps()
    if let remark = exposure(of: path) { throw BenchError(.badInput, remark) }
  }

  /// That others than its owner may read the regular file at `path`, which holds a secret; nil
  /// where they may not.
  package static func exposure(of path: String) -> String? {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o077 != 0
    else { return nil }
    return
      "\(path) contains keys, and users other than its owner can read it. Run: chmod 600 \(path)"
  }

  /// Returns whether both paths lead to one file.
  package static func areSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The first `count` bytes of the regular file at `path`; nil where there is none, and where it
  /// cannot be read.
  package static func firstBytes(ofRegular path: String, _ count: Int) -> [UInt8]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe systemRead(descriptor, &bytes, count)
    return read < 0 ? nil : Array(bytes.prefix(read))
  }

  /// Returns whether anything stands at `path`; `-`, standard input, does.
  package static func exists(_ path: String) -> Bool {
    path == "-" || FileManager.default.fileExists(atPath: path)
  }

  /// The path of the regular file that `path` leads to: `path` itself where no link is on the way;
  /// nil where it leads to no file, or to a pipe or a device.
  package static func regularFile(at path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let url = URL(filePath: path)
    let target = url.resolvingSymlinksInPath().path
    return target == url.standardizedFileURL.path ? path : target
  }

  /// Waits until the disk has what was written to the file. False where that fails.
  static func reachesDisk(_ descriptor: CInt) -> Bool {
    #if canImport(Darwin)
      // There fsync(2) leaves the bytes in the drive's own memory.
      if unsafe fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// Counts the names (hard links) of the file at `path`; 0 where there is no file.
  static func nameCount(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_nlink) : 0
  }

  /// `path` from the root on, without `.`, `..` and links as far as it is there.
  static func standardized(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// Replaces the file at `path`; a regular one as a whole, so that it is old or new and never
  /// half. Fails with `cannotCreate`.
  package static func write(_ bytes: [UInt8], to path: String) throws(BenchError) {
    // Renaming a new file over a device or a link would replace what it is.
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    let isRegular = kind == nil || kind == .typeRegular
    guard kind != .typeDirectory else {
      throw BenchError(.cannotCreate, "\(path) cannot be written: it is a folder.")
    }
    do {
      try Data(bytes).write(to: URL(filePath: path), options: isRegular ? .atomic : [])
    } catch {
      throw BenchError(.cannotCreate, "\(path) cannot be written: \(reason(error)).")
    }
  }

  /// Has the system write no image of this process's memory when it crashes: it holds a secret of a
  /// whole series.
  package static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      _ = unsafe setrlimit(RLIMIT_CORE, &none)
    #else
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #endif
  }

  /// Does `work`, which reads the file at `path` and replaces it, while no other process does so
  /// with a file of the same folder. Fails with `cannotCreate` where one does for ten seconds, and
  /// where the folder cannot be locked.
  package static func alone<Value>(
    at path: String, _ work: () throws(BenchError) -> Value
  ) throws(BenchError) -> Value {
    let folder = folder(of: path)
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer {
      if descriptor >= 0 {
        // A program that is being started has a copy of the descriptor for a moment.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
      }
    }
    let deadline = ContinuousClock.now + aloneWithin
    while descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard descriptor >= 0, errno == EWOULDBLOCK || errno == EINTR else {
        throw BenchError(
          .cannotCreate,
          "\(path) cannot be written: its folder cannot be locked, \(unsafe String(cString: strerror(errno)))."
        )
      }
      guard ContinuousClock.now < deadline else {
        throw BenchError(
          .cannotCreate,
          "Another program has been changing files in \(folder) for \(aloneWithin.components.seconds) seconds. \(path) was not changed."
        )
      }
      usleep(2_000)
    }
    return try work()
  }

  /// Sees to it that the name of a file that was made or renamed at `path` is on the disk, too.
  /// Fails with `cannotCreate`.
  static func keepName(of path: String) throws(BenchError) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    // Some file systems keep no such order, and say so.
    guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw BenchError(
        .cannotCreate, "\(path) cannot be written: \(unsafe String(cString: strerror(errno))).")
    }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static let aloneWithin = Duration.seconds(10)

  /// Makes the folder that the file at `path` is to stand in, and those around it, for this user
  /// alone; what cannot be made shows when the file is written.
  package static func makeFolder(of path: String) {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// `path` from the root on.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile: "there is no such file or folder"
    case .fileWriteNoPermission: "permission is denied"
    case .fileWriteOutOfSpace: "no space is left"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    default: "the system refused"
    }
  }
}

// Inside `Files`, `read` is its own.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
  unsafe read(file, buffer, size)
}
