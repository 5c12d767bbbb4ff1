import Foundation

/// A serial port as a program opens it: raw, at some speed.
final class SerialPort {
  private let descriptor: CInt

  struct CannotOpen: Error {}

  init(_ path: String, baud: Int) throws {
    descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw CannotOpen() }
    setSpeed(baud)
  }

  deinit { close(descriptor) }

  func setSpeed(_ baud: Int) {
    #if canImport(Glibc)
      let constants = [9600: B9600, 115_200: B115200, 921_600: B921600]
      let speed = speed_t(constants[baud]!)
    #else
      let speed = speed_t(baud)
    #endif
    var settings = termios()
    _ = unsafe tcgetattr(descriptor, &settings)
    unsafe cfmakeraw(&settings)
    _ = unsafe cfsetispeed(&settings, speed)
    _ = unsafe cfsetospeed(&settings, speed)
    _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }

  func write(_ bytes: [UInt8]) {
    #if canImport(Glibc)
      _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    #else
      _ = unsafe Darwin.write(descriptor, bytes, bytes.count)
    #endif
  }

  /// Waits for `count` bytes, at most so many seconds; what has come by then.
  func read(_ count: Int, within seconds: Double = 60) -> [UInt8] {
    let end = Date(timeIntervalSinceNow: seconds)
    var bytes: [UInt8] = []
    while bytes.count < count, case let rest = end.timeIntervalSinceNow, rest > 0 {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, CInt(rest * 1000) + 1) > 0 else { break }
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      #if canImport(Glibc)
        let received = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      #else
        let received = unsafe Darwin.read(descriptor, &buffer, buffer.count)
      #endif
      guard received > 0 else { break }
      bytes += buffer.prefix(received)
    }
    return bytes
  }

  /// The other end is gone.
  var isHungUp: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 60_000) > 0 && request.revents & Int16(POLLHUP) != 0
  }
}
