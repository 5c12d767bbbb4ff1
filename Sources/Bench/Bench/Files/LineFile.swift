#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that takes lines, unbuffered: a line that was written is there, however the process ends.
package final class LineFile: Sendable {
  private let descriptor: CInt

  /// Begins the file, which its owner alone can read. Fails with `cannotCreate`.
  package init(_ file: NamedFile) throws(BenchError) { descriptor = try file.open(secret: true) }

  deinit { close(descriptor) }

  /// Writes all of `text`; false where that fails.
  @discardableResult
  package func write(_ text: String) -> Bool { Self.write(text, to: descriptor) }

  /// Writes all of `text` to an open file; false where that fails.
  package static func write(_ text: String, to descriptor: CInt) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes all of `bytes` likewise.
  package static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var rest = bytes[...]
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
