#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A stack of its own for the signal handlers of a thread: one that has used up its stack, as by a
/// recursion without an end, can run no handler there.
enum HandlerStack {
  /// Bytes: a frame with every register of a processor takes some 12 kB of it.
  private static let size = 65_536

  /// Calls `body` on this thread, whose handlers that ask for it (SA_ONSTACK) run on such a stack
  /// meanwhile.
  static func with(_ body: () -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { unsafe memory.deallocate() }
    var stack = unsafe stack_t()
    unsafe stack.ss_sp = unsafe memory
    unsafe stack.ss_size = size
    var before = unsafe stack_t()
    guard unsafe sigaltstack(&stack, &before) == 0 else { return body() }
    defer { _ = unsafe sigaltstack(&before, nil) }
    body()
  }
}
