import PN532
import Readers

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Our own descriptor on the tty that libnfc drives: the lock, the speed, and bytes while libnfc is
/// not at work.
///
/// Terminal settings belong to the device, so what is set here holds for libnfc's descriptor as
/// well.
final class TerminalPort {
  /// The device file, without symbolic links.
  let path: String
  private let descriptor: CInt
  private let original: termios
  /// An adapter that takes no bytes would hold up everything that waits until they have left.
  private let watchdog: Watchdog

  /// Opens and locks the device for this process alone; `reader` is its name in messages.
  ///
  /// The lock is one of the file (`flock`): it goes with the process, however that ends, and other
  /// programs heed it (picocom, pySerial's exclusive mode). TIOCEXCL keeps out those that do not.
  init(locking path: String, reader: String) throws(ReaderError) {
    self.path = path
    watchdog = Watchdog(over: path)
    let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.refusal(errno, path: path, reader: reader) }
    // Many a program has /dev/null open, and none of them is in the way of a reader.
    guard isatty(descriptor) == 1 else {
      close(descriptor)
      throw Self.noSerialPort(path: path, reader: reader)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = PortHolder.lockOwner(path: path).map(PortHolder.describe)
      close(descriptor)
      throw .busy(reader: reader, holder: holder)
    }
    // A program that heeds no lock. The far end of a pseudo-terminal may well be open in another
    // process.
    if !Self.isPseudo(path), let holder = PortHolder.find(path: path) {
      close(descriptor)
      throw .busy(reader: reader, holder: holder)
    }
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      close(descriptor)
      throw Self.noSerialPort(path: path, reader: reader)
    }
    self.descriptor = descriptor
    original = settings
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
    lowerLatency()
  }

  deinit {
    var settings = original
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
    _ = ioctl(descriptor, UInt(TIOCNXCL), 0)
    // A program that is being started has a copy of the descriptor for a moment.
    _ = watchdog.run(within: Self.drainTime) { flock(descriptor, LOCK_UN) + close(descriptor) }
  }

  /// Longer than the longest frame takes at 9600 baud.
  private static let drainTime = Duration.seconds(1)

  /// Keeps others out from now on; libnfc must have opened the device by then.
  ///
  /// Not on a pseudo-terminal, which would stay shut after a crash: it lives on with its other end.
  func refuseOthers() {
    if !isPseudo { _ = ioctl(descriptor, UInt(TIOCEXCL), 0) }
  }

  /// Sets the line's speed in both directions once all output has left; false when the port cannot.
  func setSpeed(_ speed: LinkSpeed) -> Bool {
    guard let constant = speed.terminalSpeed else { return false }
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return false }
    if unsafe cfsetspeed(&settings, constant) == 0,
      watchdog.run(
        within: Self.drainTime, { unsafe tcsetattr(descriptor, TCSADRAIN, &settings) }) == 0,
      // A port that cannot do it says so here only: the speed read back is another.
      unsafe tcgetattr(descriptor, &settings) == 0, unsafe cfgetospeed(&settings) == constant
    {
      return true
    }
    #if canImport(Darwin)
      return setDriverSpeed(constant)
    #else
      return false
    #endif
  }

  #if canImport(Darwin)
    /// A speed that termios refuses there, as it does those above 230400 baud: the driver is asked
    /// (IOKit/serial/ioss.h: IOSSIOSPEED, `_IOW('T', 2, speed_t)`). Pseudo-terminals refuse it.
    private func setDriverSpeed(_ speed: speed_t) -> Bool {
      var speed = speed
      guard drain() else { return false }
      return unsafe ioctl(descriptor, 0x8008_5402, &speed) == 0
    }
  #endif

  /// Is true if the line is gone: hung up, or its device file has another device behind it or none.
  var isGone: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    if unsafe poll(&request, 1, 0) > 0, request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
      return true
    }
    var settings = termios()
    return unsafe tcgetattr(descriptor, &settings) != 0
  }

  /// Writes all of `bytes` and waits until they have left; false when the line is gone.
  func send(_ bytes: [UInt8]) -> Bool {
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else { return false }
    return drain()
  }

  private func drain() -> Bool { watchdog.run(within: Self.drainTime) { tcdrain(descriptor) } == 0 }

  /// How long bytes, or a change of speed, may be under way after the driver has let go of them: in
  /// an adapter, on the line. A pseudo-terminal has neither.
  var transit: Duration { isPseudo ? .zero : .milliseconds(2) }

  /// Is true if there is no wire behind it.
  var isPseudo: Bool { Self.isPseudo(path) }

  /// Returns whether the device file at `path`, by its name, is a pseudo-terminal: `/dev/pts/3`, on
  /// macOS `/dev/ttys003` (pty(4)).
  static func isPseudo(_ path: String) -> Bool {
    #if canImport(Darwin)
      path.hasPrefix("/dev/ttys")
    #else
      path.hasPrefix("/dev/pts/")
    #endif
  }

  /// What has arrived, waiting up to `timeout` for a first byte; nil when the line is gone.
  func receive(timeout: Duration) -> [UInt8]? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = CInt(max(1, Int(timeout / .milliseconds(1))))
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Throws away what has arrived.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Asks the driver to hand bytes on at once: FTDI adapters hold them back for 16 ms otherwise.
  /// Ports that know no such thing refuse, which does no harm.
  private func lowerLatency() {
    #if os(Linux)
      // struct serial_struct of linux/serial.h: 72 bytes, `int flags` at offset 16.
      let (getSerial, setSerial, lowLatency): (UInt, UInt, UInt8) = (0x541E, 0x541F, 0x20)
      var serial = [UInt8](repeating: 0, count: 128)
      if unsafe ioctl(descriptor, getSerial, &serial) == 0, serial[17] & lowLatency == 0 {
        serial[17] |= lowLatency  // ASYNC_LOW_LATENCY, bit 13
        _ = unsafe ioctl(descriptor, setSerial, &serial)
      }
      // Kernels differ in whether the flag reaches the adapter.
      AdapterLatency(ofTTY: path)?.lower()
    #endif
  }

  private static func noSerialPort(path: String, reader: String) -> ReaderError {
    .cannotOpen(reader: reader, reason: "\(path) is not a serial port with a UART behind it")
  }

  private static func refusal(_ code: CInt, path: String, reader: String) -> ReaderError {
    switch code {
    case EBUSY: return .busy(reader: reader, holder: PortHolder.find(path: path))
    case EACCES, EPERM:
      return .cannotOpen(reader: reader, reason: Obstacle.noPermission(path: path).description)
    case ENOENT, ENODEV, ENXIO:
      return .cannotOpen(
        reader: reader, reason: "there is no device at \(path); is the board plugged in?")
    default:
      return .cannotOpen(
        reader: reader, reason: "\(path): \(unsafe String(cString: strerror(code)))")
    }
  }
}

extension LinkSpeed {
  /// The constant that termios takes; nil where it has none.
  var terminalSpeed: speed_t? {
    #if os(Linux)
      [
        .baud9600: speed_t(B9600), .baud19200: speed_t(B19200), .baud38400: speed_t(B38400),
        .baud57600: speed_t(B57600), .baud115200: speed_t(B115200), .baud230400: speed_t(B230400),
        .baud460800: speed_t(B460800), .baud921600: speed_t(B921600),
      ][self]
    #else
      self == .baud1288000 ? nil : speed_t(bitsPerSecond)
    #endif
  }
}
