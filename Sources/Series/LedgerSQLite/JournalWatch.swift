import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Says whether the file at a journal's path is still the one that was opened.
///
/// SQLite goes on with a file that somebody has deleted or replaced, and all that it commits is
/// gone when the process ends. So the file's device and inode are compared before each commit: that
/// of the journal, and that of its log. Looking at a path opens nothing: to close a second
/// descriptor of the file would drop SQLite's locks on it.
final class JournalWatch: Sendable {
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// Nil when there is no such file, or it has no name any more.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_nlink > 0 else { return nil }
      (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
  }

  private let path: String
  private let journal: Identity?
  /// SQLite makes the log with the first commit.
  private let log: Mutex<Identity?>

  init(_ path: String) {
    self.path = path
    journal = Identity(path)
    log = Mutex(Identity(path + "-wal"))
  }

  /// Throws when either file has gone, or is another one.
  func check() throws(JournalError) {
    guard let journal else { return }
    guard let now = Identity(path) else { throw .gone(path) }
    guard now == journal else { throw .replaced(path) }
    let current = Identity(path + "-wal")
    let isSame = log.withLock { log in
      if log == nil { log = current }
      return log == current
    }
    guard isSame else { throw current == nil ? .gone(path + "-wal") : .replaced(path + "-wal") }
  }
}
