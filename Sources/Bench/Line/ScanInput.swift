import Bench
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Codes from a scanner, one a line: a serial device, or standard input for scanners that type.
///
/// A device that goes away, as when its cable is pulled, is opened again when it is back; so is a
/// FIFO whose writer has ended. Standard input and a file have an end.
struct ScanInput {
  /// The events that the scanner sends.
  enum Happening: Sendable {
    case code(String)
    /// No codes come, and why.
    case lost(String)
    /// They come again.
    case back
  }

  private let device: String
  private let descriptor: CInt
  /// Longer lines are no codes.
  private static let longest = 1000
  /// Between two tries to open a device that is away.
  private static let pause: UInt32 = 500_000

  /// `-` is standard input. Fails with `noInput` when the device cannot be opened.
  init(_ device: String) throws(BenchError) {
    self.device = device
    if device == "-" {
      descriptor = STDIN_FILENO
      return
    }
    descriptor = Self.opened(device)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw BenchError(.noInput, "The scanner \(device) cannot be opened: \(reason).")
    }
  }

  /// The device, ready to be read; negative where it cannot be opened.
  private static func opened(_ device: String) -> CInt {
    let descriptor = unsafe open(device, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0, isatty(descriptor) == 1 else { return descriptor }
    // 9600 8N1, as serial scanners are delivered; those on USB take any speed.
    var mode = termios()
    guard unsafe tcgetattr(descriptor, &mode) == 0 else { return descriptor }
    unsafe cfmakeraw(&mode)
    _ = unsafe cfsetspeed(&mode, speed_t(B9600))
    _ = unsafe tcsetattr(descriptor, TCSANOW, &mode)
    return descriptor
  }

  /// Returns whether what `descriptor` reads may come back after its end: a terminal's line, a FIFO
  /// or another device; not standard input, a file, or what is empty for good.
  private static func mayReturn(_ descriptor: CInt) -> Bool {
    guard descriptor != STDIN_FILENO else { return false }
    var (status, empty) = (stat(), stat())
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFCHR else { return kind == S_IFIFO }
    let isKnown = unsafe stat("/dev/null", &empty) == 0
    return !isKnown || empty.st_rdev != status.st_rdev
  }

  /// Gives every code to `take`, on a thread of its own, and says when none come. `isOver`: whether
  /// nobody wants any more; asked while the device is away.
  func start(
    isOver: @escaping @Sendable () -> Bool, take: @escaping @Sendable (Happening) -> Void
  ) {
    // A device that is hung up is a terminal no more.
    let mayReturn = Self.mayReturn(descriptor)
    DispatchQueue(label: "scanner").async { [device] in
      var descriptor = descriptor
      while true {
        let reason = Self.read(descriptor) { take(.code($0)) }
        guard mayReturn else { return take(.lost(Self.end(of: device, reason))) }
        take(.lost(reason ?? "the scanner \(device) is away, or what sends its codes has ended"))
        close(descriptor)
        repeat {
          usleep(Self.pause)
          if isOver() { return }
          descriptor = Self.opened(device)
        } while descriptor < 0
        take(.back)
      }
    }
  }

  private static func end(of device: String, _ reason: String?) -> String {
    let name = device == "-" ? "standard input" : device
    return reason ?? "\(name) has ended: no more codes come"
  }

  /// Reads to the end; gives why that came, where it is no ordinary end.
  private static func read(_ descriptor: CInt, _ take: (String) -> Void) -> String? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = unsafe systemRead(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      let error = count < 0 ? errno : 0
      for byte in buffer.prefix(max(0, count)) {
        guard byte == 0x0A || byte == 0x0D else {
          if line.count <= Self.longest { line.append(byte) }
          continue
        }
        hand(&line, to: take)
      }
      guard count > 0 else {
        hand(&line, to: take)
        // EIO: a terminal's other end is gone.
        guard error != 0, error != EIO else { return nil }
        return "the scanner cannot be read: \(unsafe String(cString: strerror(error)))"
      }
    }
  }

  private static func hand(_ line: inout [UInt8], to take: (String) -> Void) {
    let code = String(decoding: line, as: UTF8.self)
    line = []
    // A file or a pipe of another system may begin with a mark of its byte order.
    func isBlank(_ character: Character) -> Bool { " \t\u{FEFF}".contains(character) }
    let trimmed = code.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard !trimmed.isEmpty, code.utf8.count <= longest else { return }
    take(String(trimmed))
  }
}

// Inside of `ScanInput`, `read` is its own.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
  unsafe read(file, buffer, size)
}
