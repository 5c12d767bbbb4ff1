import Bench
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file descriptor to write lines to, unbuffered: what was written is there, however the process
/// ends.
struct OutputFile {
  private let descriptor: Int32

  static let standardOutput = OutputFile(descriptor: STDOUT_FILENO)
  static let standardError = OutputFile(descriptor: STDERR_FILENO)
  private static let lost = Atomic<Bool>(false)

  /// Is true if something written to standard output went nowhere: a closed pipe, a full disk.
  static var standardOutputIsLost: Bool { lost.load(ordering: .relaxed) }

  /// Puts something in the place of each standard file that is closed: the first file opened would
  /// take it, and a reader's port must not be what results are written to. Whoever uses the
  /// replacement fails.
  static func occupyStandardFiles() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Is true if a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How wide and high its terminal is, in characters; nil where it is none, or does not say.
  var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes all of `text`. False where that fails; of standard output `standardOutputIsLost` tells
  /// it, too.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes all of `bytes` likewise.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    let isWritten = LineFile.write(bytes, to: descriptor)
    if !isWritten, descriptor == STDOUT_FILENO { Self.lost.store(true, ordering: .relaxed) }
    return isWritten
  }
}
