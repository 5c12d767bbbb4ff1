import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signals of threads that can go no further, and what is done then.
enum Faults {
  /// What was done with each signal before, by its number.
  nonisolated(unsafe) fileprivate static let before = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    unsafe actions.initialize(repeating: sigaction(), count: 65)
    return unsafe actions
  }()

  /// Those of a fault, and of a library that gives up.
  static let all = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

  /// Lets all of them reach this thread: Dispatch keeps some from its own.
  static func letIn() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in all { unsafe sigaddset(&set, number) }
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Has `number` stop the thread of a station that gets it from now on.
  static func take(_ number: CInt) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_sigaction = stop
    #else
      unsafe action.__sigaction_handler.sa_sigaction = stop
    #endif
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    // A thread that has stopped is to handle nothing else.
    unsafe sigfillset(&action.sa_mask)
    _ = unsafe sigaction(number, &action, before + Int(number))
  }
}

/// The signal handler: nothing in it but what may be called there.
private func stop(
  _ number: CInt, _ facts: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let key = pthread_key_t(stationKey.load(ordering: .sequentiallyConsistent))
  let code = unsafe facts?.pointee.si_code ?? 0
  // What `siginfo_t` says of a signal that abort(3) and raise(3) sent: SI_TKILL, which Darwin
  // lacks.
  #if canImport(Darwin)
    let sentToThread: CInt = 0
  #else
    let sentToThread: CInt = -6
  #endif
  // The system tells of a fault, or the thread itself gave up; anything else was sent to the
  // process, and this thread happened to get it.
  if code > 0 || code == sentToThread, let station = unsafe pthread_getspecific(key) {
    var byte = UInt8(truncatingIfNeeded: Int(bitPattern: station) &- 1)
    _ = unsafe write(fallPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    while true { _ = pause() }
  }
  _ = unsafe sigaction(number, Faults.before + Int(number), nil)
  // A fault happens again; what was sent is sent again, and comes once this handler has returned.
  if code <= 0 { raise(number) }
}
