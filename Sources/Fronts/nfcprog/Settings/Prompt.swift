import Bench

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks a person at the terminal for a secret. What is typed is not shown.
enum Prompt {
  /// One line. Fails with `usage` where there is no terminal, with `interrupted` after Ctrl-C.
  static func secret(_ question: String) throws(BenchError) -> String {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var shown = termios()
    guard terminal >= 0, unsafe tcgetattr(terminal, &shown) == 0 else {
      throw BenchError(
        .usage,
        "\(question): there is no terminal to ask at. Use file:PATH or env:NAME in place of ask.")
    }
    defer { close(terminal) }
    var hidden = shown
    // Ctrl-C comes as a byte, so that it cannot leave the terminal without its echo.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    unsafe tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &shown)
      _ = LineFile.write("\n", to: terminal)
    }
    _ = LineFile.write("\(question): ", to: terminal)
    return try line(from: terminal)
  }

  /// Is true if somebody can be asked: a person types, and sees the question.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && OutputFile.standardError.isTerminal }

  /// Returns whether the person at the terminal says yes to `question`. Any other line is a no, and
  /// so is the end of the input or an interruption.
  static func agrees(_ question: String, isInterrupted: () -> Bool) -> Bool {
    OutputFile.standardError.write(question)
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&input, 1, 100) <= 0 {
      if isInterrupted() { return false }
    }
    guard let answer = readLine() else { return false }
    return ["y", "yes"].contains(answer.lowercased())
  }

  private static func line(from terminal: CInt) throws(BenchError) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(terminal, &byte, 1) == 1 {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04:
        return String(decoding: line, as: UTF8.self)
      case 0x03: throw BenchError(.interrupted, "Interrupted. Nothing was written.")
      case 0x08, 0x7F: _ = line.popLast()
      default: line.append(byte)
      }
    }
    return String(decoding: line, as: UTF8.self)
  }
}
