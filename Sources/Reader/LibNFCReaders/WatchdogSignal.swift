#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The signal that ends a call of the system: SIGURG, which nothing else here uses and which does
/// nothing where nobody waits for it.
enum WatchdogSignal {
  static let number = SIGURG

  /// Lets it reach this thread: Dispatch keeps it from its own.
  static func letIn() {
    _ = isHandled
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Installs a handler that does nothing, once. Without SA_RESTART the call ends, with EINTR
  /// (signal(7)). A handler of somebody else's stays.
  private static let isHandled: Bool = {
    var (before, action) = (sigaction(), sigaction())
    _ = unsafe sigaction(number, nil, &before)
    #if canImport(Darwin)
      let handler = unsafe before.__sigaction_u.__sa_handler
      unsafe action.__sigaction_u.__sa_handler = { _ in }
    #else
      let handler = unsafe before.__sigaction_handler.sa_handler
      unsafe action.__sigaction_handler.sa_handler = { _ in }
    #endif
    let isFree = handler == nil || bits(handler) == bits(SIG_IGN)
    guard isFree else { return false }
    unsafe sigemptyset(&action.sa_mask)
    return unsafe sigaction(number, &action, nil) == 0
  }()

  private typealias Handler = @convention(c) (CInt) -> Void

  /// Functions are compared by where they are.
  private static func bits(_ handler: Handler?) -> Int {
    unsafe unsafeBitCast(handler, to: Int.self)
  }
}
