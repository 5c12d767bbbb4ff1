import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Codes from a scanner, one a line: a serial device, or standard input for scanners that type.
struct ScanInput {
  private let descriptor: Int32
  /// Longer lines are no codes.
  private static let longest = 1000

  /// `-` is standard input. Fails with `noInput` when the device cannot be opened.
  init(_ device: String) throws(BenchError) {
    if device == "-" {
      descriptor = STDIN_FILENO
      return
    }
    descriptor = unsafe open(device, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw BenchError(.noInput, "The scanner \(device) cannot be opened: \(reason).")
    }
    guard isatty(descriptor) == 1 else { return }
    // 9600 8N1, as serial scanners are delivered; those on USB take any speed.
    var mode = termios()
    guard unsafe tcgetattr(descriptor, &mode) == 0 else { return }
    unsafe cfmakeraw(&mode)
    _ = unsafe cfsetspeed(&mode, speed_t(B9600))
    _ = unsafe tcsetattr(descriptor, TCSANOW, &mode)
  }

  /// Gives every code to `take`, on a thread of its own, until the device has no more.
  func start(_ take: @escaping @Sendable (String) -> Void) {
    DispatchQueue(label: "scanner").async { [descriptor] in
      var line: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 256)
      while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        for byte in buffer.prefix(max(0, count)) {
          guard byte == 0x0A || byte == 0x0D else {
            if line.count <= Self.longest { line.append(byte) }
            continue
          }
          Self.hand(&line, to: take)
        }
        guard count > 0 else { return Self.hand(&line, to: take) }
      }
    }
  }

  private static func hand(_ line: inout [UInt8], to take: (String) -> Void) {
    let code = String(decoding: line, as: UTF8.self)
    line = []
    let trimmed = code.drop { $0 == " " || $0 == "\t" }
    guard !trimmed.isEmpty, code.utf8.count <= longest else { return }
    take(String(trimmed))
  }
}
