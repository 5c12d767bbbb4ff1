import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file descriptor to write lines to, unbuffered: what was written is there, however the process ends.
struct OutputFile {
  private let descriptor: Int32

  static let standardOutput = OutputFile(descriptor: STDOUT_FILENO)
  static let standardError = OutputFile(descriptor: STDERR_FILENO)
  private static let lost = Atomic<Bool>(false)

  /// Whether something written to standard output went nowhere: a closed pipe, a full disk.
  static var standardOutputIsLost: Bool { lost.load(ordering: .relaxed) }

  /// Puts something in the place of each standard file that is closed: the first file opened would take it, and a
  /// reader's port must not be what results are written to. Whoever uses the replacement fails.
  static func occupyStandardFiles() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Creates the file at `path`, or empties it. Fails with `cannotCreate`. Open until the process ends.
  init(creating path: String) throws(CommandFailure) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw CommandFailure(.cannotCreate, "\(path) cannot be written: \(reason).")
    }
  }

  /// Whether a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes all of `text`. False where that fails; of standard output `standardOutputIsLost` tells it, too.
  @discardableResult
  func write(_ text: String) -> Bool {
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
      guard count > 0 else {
        if descriptor == STDOUT_FILENO { Self.lost.store(true, ordering: .relaxed) }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
