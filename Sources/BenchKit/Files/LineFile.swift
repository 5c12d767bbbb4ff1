#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that takes lines, unbuffered: a line that was written is there, however the process ends.
package final class LineFile: Sendable {
  private let descriptor: CInt

  /// Creates the file at `path`, or empties it; only this user can read it. Fails with
  /// `cannotCreate`.
  package init(creating path: String) throws(BenchError) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw BenchError(.cannotCreate, "\(path) cannot be written: \(reason).")
    }
    // An older file of this name may be open to others; what is no file stays what it is.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(descriptor, 0o600)
    }
  }

  deinit { close(descriptor) }

  /// Writes all of `text`; false where that fails.
  @discardableResult
  package func write(_ text: String) -> Bool { Self.write(text, to: descriptor) }

  /// Writes all of `text` to an open file; false where that fails.
  package static func write(_ text: String, to descriptor: CInt) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
