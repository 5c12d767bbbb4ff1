import Readers

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lines from the terminal, without waiting longer than one wants to.
struct LineKeyboard: Sendable {
  /// Nil where nobody sits at one.
  static var ifAttended: LineKeyboard? { isatty(STDIN_FILENO) == 1 ? LineKeyboard() : nil }

  /// Forgets what was typed until now.
  func forget() { tcflush(STDIN_FILENO, TCIFLUSH) }

  /// A line that was typed; nil where none is there.
  func line(within patience: Duration = .zero) -> String? {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, CInt(patience / .milliseconds(1))) > 0,
      request.revents & Int16(POLLIN) != 0
    else { return nil }
    // Not by readLine(), which remembers the end of the input for ever after one Ctrl-D.
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      // A terminal that is gone has nothing to read, and says so at once each time.
      usleep(50_000)
      return nil
    }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Waits for a line; nil where none is typed in time. Throws `interrupted`.
  func wait(_ patience: Duration, _ shouldStop: () -> Bool) throws(ReaderError) -> String? {
    let deadline = ContinuousClock.now + patience
    repeat {
      if shouldStop() { throw .interrupted }
      if let line = line(within: .milliseconds(100)) { return line }
    } while ContinuousClock.now < deadline
    return nil
  }

  /// Waits for a yes or a no; nil for any other line, and where none is typed in time. Throws
  /// `interrupted`.
  func agrees(_ patience: Duration, _ shouldStop: () -> Bool) throws(ReaderError) -> Bool? {
    switch try wait(patience, shouldStop)?.lowercased().first {
    case "y": true
    case "n": false
    default: nil
    }
  }
}
