#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes a thread that waits in `poll`: a pipe to oneself.
final class Alarm: Sendable {
  let descriptor: CInt
  private let writeEnd: CInt

  init() throws(SimulatorError) {
    var ends: [CInt] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw .pseudoTerminal(call: "pipe", errno: errno) }
    (descriptor, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Any number of calls before `clear` count as one.
  func ring() { _ = unsafe write(writeEnd, [1], 1) }

  func clear() {
    var buffer = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
