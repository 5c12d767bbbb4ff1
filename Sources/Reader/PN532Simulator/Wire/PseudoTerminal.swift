#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pseudo-terminal: a serial port whose far end is in this process.
///
/// The port's own end is kept open too, so that programs may come and go: the line hangs up only
/// when this object goes.
final class PseudoTerminal: Sendable {
  /// What a program opens: `/dev/pts/3`.
  let path: String
  private let master: CInt
  private let slave: CInt

  init() throws(SimulatorError) {
    var (master, slave): (CInt, CInt) = (-1, -1)
    guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else {
      throw .pseudoTerminal(call: "openpty", errno: errno)
    }
    (self.master, self.slave) = (master, slave)
    var name = [CChar](repeating: 0, count: 128)
    guard unsafe ttyname_r(slave, &name, name.count) == 0 else {
      let number = errno
      close(slave)
      close(master)
      throw .pseudoTerminal(call: "ttyname_r", errno: number)
    }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var settings = termios()
    _ = unsafe tcgetattr(slave, &settings)
    unsafe cfmakeraw(&settings)
    _ = unsafe tcsetattr(slave, TCSANOW, &settings)
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    // Packet mode: each read starts with a byte that says whether data follow or the program has
    // flushed.
    var on: CInt = 1
    _ = unsafe ioctl(master, Self.packetMode, &on)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// The speed that the program at the other end has set, in bits per second; nil where it has no
  /// name.
  var bitsPerSecond: Int? {
    var settings = termios()
    guard unsafe tcgetattr(slave, &settings) == 0 else { return nil }
    let speed = unsafe cfgetospeed(&settings)
    return Self.speeds.first { $0.constant == speed }?.bitsPerSecond
  }

  #if canImport(Glibc)
    private static let packetMode = UInt(TIOCPKT)
    private static let speeds: [(constant: speed_t, bitsPerSecond: Int)] = [
      (speed_t(B9600), 9600), (speed_t(B19200), 19200), (speed_t(B38400), 38400),
      (speed_t(B57600), 57600), (speed_t(B115200), 115_200), (speed_t(B230400), 230_400),
      (speed_t(B460800), 460_800), (speed_t(B921600), 921_600),
    ]
  #else
    /// TIOCPKT, a macro that Swift does not import: _IOW('t', 112, int).
    private static let packetMode: UInt = 0x8004_7470
    // On macOS the constant is the number.
    private static let speeds: [(constant: speed_t, bitsPerSecond: Int)] =
      [9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]
      .map { (speed_t($0), $0) }
  #endif

  /// Waits until the program has sent something or `alarm` is readable. Nil waits without a limit;
  /// durations are cut to whole milliseconds.
  func wait(alarm: CInt, timeout: Duration?) {
    var descriptors = [
      pollfd(fd: master, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = timeout.map { CInt(clamping: Int(max(.zero, $0) / .milliseconds(1))) } ?? -1
    _ = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  /// What the program did.
  enum Event {
    case sent([UInt8])
    /// It threw away what it had written and nobody had read.
    case flushed
  }

  /// The next thing that the program did; nil when there is nothing.
  func read() -> Event? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      #if canImport(Glibc)
        let count = unsafe Glibc.read(master, &buffer, buffer.count)
      #else
        let count = unsafe Darwin.read(master, &buffer, buffer.count)
      #endif
      guard count > 0 else { return nil }
      if buffer[0] == 0 { return .sent(Array(buffer[1..<count])) }
      if CInt(buffer[0]) & TIOCPKT_FLUSHWRITE != 0 { return .flushed }
    }
  }

  /// Sends what fits; a program that does not read loses the rest, as on a real line.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = Array(rest)
      #if canImport(Glibc)
        let count = unsafe Glibc.write(master, chunk, chunk.count)
      #else
        let count = unsafe Darwin.write(master, chunk, chunk.count)
      #endif
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
