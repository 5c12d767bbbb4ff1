import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keys at the terminal of the live view: Enter answers the verdicts of all stations, a digit and
/// Enter that of one.
///
/// The terminal stays as it is, so that nothing has to be put back however the process ends.
final class AnswerKeys: Sendable {
  private let isOver = Atomic(false)

  /// Calls `answer` for each line, with the station's index or nil for all; `lost` when the
  /// terminal is gone, so that no more lines come.
  func start(
    _ answer: @escaping @Sendable (Int?) -> Void, lost: @escaping @Sendable () -> Void = {}
  ) {
    guard isatty(STDIN_FILENO) == 1 else { return }
    DispatchQueue(label: "keys").async { [self] in
      var line: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64)
      while !isOver.load(ordering: .relaxed) {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, 200) > 0 else { continue }
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        let isGone = wait.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
        guard count > 0 || count == 0 && !isGone else { return lost() }
        // Ctrl-D hands on what stands on the line, be it nothing, and ends no line.
        line += buffer.prefix(count)
        guard let end = line.lastIndex(where: { $0 == 0x0A }) else { continue }
        let digits = String(decoding: line[..<end].filter { $0 > 0x20 }, as: UTF8.self)
        line.removeSubrange(...end)
        // The terminal has shown the line's end: the view is drawn where it was.
        OutputFile.standardError.write("\u{1B}[A")
        answer(Int(digits).map { $0 - 1 })
      }
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}
