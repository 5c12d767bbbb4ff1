import Provisioning

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A label printer at a cable of this machine, by its device, or a FIFO that somebody reads.
struct PrinterDevice {
  let path: String
  /// Is false for what takes bytes and gives none: a FIFO.
  let answers: Bool

  /// Throws for what takes no labels, and says why.
  init(at path: String) throws(PrinterConnectionError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Self.failure(errno, of: path) }
    switch status.st_mode & S_IFMT {
    case S_IFCHR: answers = true
    case S_IFIFO: answers = false
    case S_IFDIR: throw .unreachable("\(path) is a folder")
    default: throw .unreachable("\(path) is neither a device nor a FIFO")
    }
    self.path = path
  }

  /// The device, open; who has it to himself refuses others meanwhile. Never waits.
  func open() throws(PrinterConnectionError) -> CInt {
    let flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var descriptor = openFile(path, flags | (answers ? O_RDWR : O_WRONLY))
    // Some systems let users write alone.
    if descriptor < 0, answers, errno == EACCES { descriptor = openFile(path, flags | O_WRONLY) }
    guard descriptor >= 0 else { throw failure(errno) }
    if isatty(descriptor) == 1 {
      // Nothing that is written is changed, or comes back.
      var mode = termios()
      if unsafe tcgetattr(descriptor, &mode) == 0 {
        unsafe cfmakeraw(&mode)
        _ = unsafe tcsetattr(descriptor, TCSANOW, &mode)
      }
    }
    return descriptor
  }

  /// Writes a part of `bytes`; as the system's call of this name. A reader that goes away ends no
  /// process.
  func write(_ bytes: UnsafeRawPointer, _ count: Int, to descriptor: CInt) -> Int {
    var (pipes, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&pipes)
    unsafe sigaddset(&pipes, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipes, &before)
    let written = unsafe writeBytes(descriptor, bytes, count)
    let problem = errno
    if written < 0, problem == EPIPE, !wasPending {
      var signal: CInt = 0
      unsafe sigpending(&pending)
      if unsafe sigismember(&pending, SIGPIPE) == 1 { _ = unsafe sigwait(&pipes, &signal) }
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = problem
    return written
  }

  /// Why the device fails, by the system's number.
  func failure(_ problem: CInt) -> PrinterConnectionError { Self.failure(problem, of: path) }

  private static func failure(_ problem: CInt, of path: String) -> PrinterConnectionError {
    switch problem {
    case ENOENT, ENOTDIR: .unreachable("there is no device \(path)")
    case EACCES, EPERM: .unreachable("this user may not use \(path)")
    case EBUSY: .unreachable("another program has \(path) open")
    case ENXIO, EPIPE: .unreachable("nobody takes what is written to \(path)")
    case ENODEV, EIO: .unreachable("no printer is connected at \(path)")
    default: .unreachable("\(path): error \(problem) of the system")
    }
  }
}

// Inside of `PrinterDevice`, `open` and `write` are its own.
private func openFile(_ path: String, _ flags: CInt) -> CInt { unsafe open(path, flags) }

private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
