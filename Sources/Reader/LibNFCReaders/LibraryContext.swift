import Clibnfc
import Readers
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A hold on libnfc while a device of it is open.
///
/// `nfc_exit` empties a list of drivers that belongs to the whole process, whichever context it is
/// given; so all readers share one context, which goes when the last of them does.
final class LibraryContext: Sendable {
  private struct Shared {
    var pointer: LibraryPointer?
    var holders = 0
  }
  private static let shared = Mutex(Shared())
  /// libusb 0.1, which libnfc's USB drivers use, keeps its list of buses in global variables.
  private static let usb = Mutex(())

  /// Starts libnfc where nobody has. `isVerbose` leaves it its messages on standard error;
  /// otherwise only LIBNFC_LOG_LEVEL in the environment does.
  init(isVerbose: Bool) throws(ReaderError) {
    let isThere = Self.shared.withLock { shared in
      if shared.pointer == nil {
        unsafe setenv("LIBNFC_LOG_LEVEL", isVerbose ? "1" : "0", 0)
        var context: OpaquePointer?
        unsafe nfc_init(&context)
        shared.pointer = unsafe LibraryPointer(context)
      }
      guard shared.pointer != nil else { return false }
      shared.holders += 1
      return true
    }
    guard isThere else { throw .cannotOpen(reader: "libnfc", reason: "libnfc does not start") }
  }

  deinit {
    Self.shared.withLock { shared in
      shared.holders -= 1
      guard shared.holders == 0, let context = shared.pointer else { return }
      unsafe nfc_exit(context.raw)
      shared.pointer = nil
    }
  }

  /// Opens a device; nil when libnfc cannot.
  func open(_ connection: String, overUSB: Bool) -> LibraryPointer? {
    guard let context = Self.shared.withLock({ $0.pointer }) else { return nil }
    func open() -> LibraryPointer? { unsafe LibraryPointer(nfc_open(context.raw, connection)) }
    return overUSB ? Self.usb.withLock { _ in open() } : open()
  }
}
