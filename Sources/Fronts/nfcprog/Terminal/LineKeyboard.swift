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

  /// A line that was typed; nil where none is there.
  func line(within patience: Duration = .zero) -> String? {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, CInt(patience / .milliseconds(1))) > 0,
      request.revents & Int16(POLLIN) != 0
    else { return nil }
    return readLine()
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
