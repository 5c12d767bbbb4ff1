import Readers

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A lock on a USB reader for this process alone, by its device file.
///
/// libnfc resets an ACR122 before it claims it, so that of two programs that start at once the one
/// disturbs the other's first exchanges. The lock is one of the file (`flock`): it goes with the
/// process, however that ends.
final class USBLock {
  private let descriptor: CInt

  /// Throws `busy` where another process has it; `reader` is its name in messages. A file that
  /// cannot be opened, as on systems that have none, is left to libnfc.
  init?(locking file: String, reader: String) throws(ReaderError) {
    let opened = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      // Before the object is whole, so that `deinit` does not close another's descriptor.
      close(opened)
      throw .busy(reader: reader, holder: PortHolder.lockOwner(path: file).map(PortHolder.describe))
    }
    descriptor = opened
  }

  deinit {
    // A program that is being started has a copy of the descriptor for a moment.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
