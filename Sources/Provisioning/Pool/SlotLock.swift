#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which of a machine's places at a pool a process works in: each has a journal of its own, and one
/// process at a time. A process that was killed leaves its place to the next, with all that it had.
final class SlotLock: Sendable {
  let journal: String
  private let descriptor: CInt

  /// The first free place in `folder`; nil: the folder cannot be written.
  convenience init?(firstIn folder: String) {
    for number in 1...1000 {
      let path = "\(folder)/bench-\(number)"
      let file = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { return nil }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        self.init(path + ".journal", file)
        return
      }
      close(file)
    }
    return nil
  }

  /// The place with this number, where a bench was and none is now.
  convenience init?(left number: Int, in folder: String) {
    let path = "\(folder)/bench-\(number)"
    let file = unsafe open(path + ".lock", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
    self.init(path + ".journal", file)
  }

  private init(_ journal: String, _ descriptor: CInt) {
    (self.journal, self.descriptor) = (journal, descriptor)
  }

  /// Removes the journal of the place, which nobody needs.
  func removeJournal() {
    for suffix in ["", "-wal", "-shm"] { unsafe unlink(journal + suffix) }
  }

  deinit { close(descriptor) }
}
