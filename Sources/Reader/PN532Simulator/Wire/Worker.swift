#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of one's own, for work that blocks.
struct Worker {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) throws(SimulatorError) {
    let box = unsafe Unmanaged.passRetained(Box(body))
    #if canImport(Glibc)
      var thread = pthread_t()
      let result = unsafe pthread_create(
        &thread, nil,
        { argument in
          unsafe Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      let created: pthread_t? = thread
    #else
      var thread: pthread_t?
      let result = unsafe pthread_create(
        &thread, nil,
        { argument in
          unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      let created = unsafe thread
    #endif
    guard result == 0, let created else {
      unsafe box.release()
      throw .pseudoTerminal(call: "pthread_create", errno: result)
    }
    self.thread = created
  }

  /// Waits until the body has returned. Once only.
  func join() { pthread_join(thread, nil) }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
