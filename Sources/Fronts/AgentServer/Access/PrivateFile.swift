import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files that nobody but their owner reads.
package enum PrivateFile {
  /// Why a file cannot be written: a clause of the system.
  package struct Failure: Error { package let reason: String }

  /// Puts `bytes` in place of what is at `path`, on the disk and whole, whenever the power goes.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let draft = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(reason: unsafe String(cString: strerror(errno))) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Self.put(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return try fail(file, draft) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { return try fail(file, draft) }
    close(file)
    guard unsafe rename(draft, path) == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      unsafe unlink(draft)
      throw Failure(reason: reason)
    }
  }

  private static func fail(_ file: CInt, _ draft: String) throws(Failure) {
    let reason = unsafe String(cString: strerror(errno))
    close(file)
    unsafe unlink(draft)
    throw Failure(reason: reason)
  }

  /// Makes the folder at `path`, and those that it is in; others cannot look into it.
  package static func makeFolder(_ path: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(reason: error.localizedDescription)
    }
  }

  // Inside the enumeration, `write` is its own.
  private static func put(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(file, bytes, count)
    #else
      unsafe Glibc.write(file, bytes, count)
    #endif
  }
}
