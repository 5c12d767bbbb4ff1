#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How long a USB serial adapter holds short answers back, hoping for more: the latency timer of
/// FTDI's chips, 16 ms unless told otherwise, which is longer than any exchange with a board takes.
struct AdapterLatency {
  private let timer: String

  /// The timer of the adapter behind the tty at `path`; nil when it has none.
  init?(ofTTY path: String, sysfs: String = "/sys") {
    timer = "\(sysfs)/class/tty/\(FileSystem.lastComponent(path))/device/latency_timer"
    guard milliseconds != nil else { return nil }
  }

  var milliseconds: Int? { FileSystem.text(of: timer).flatMap { Int($0) } }

  /// Sets the timer to its shortest, 1 ms, unless it is; does nothing where this user may not, as
  /// on Linux without a udev rule.
  func lower() {
    guard let now = milliseconds, now > 1 else { return }
    let descriptor = unsafe open(timer, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = unsafe write(descriptor, "1", 1)
    close(descriptor)
  }
}
