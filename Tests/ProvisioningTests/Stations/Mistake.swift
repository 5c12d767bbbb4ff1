import Foundation

/// A mistake of a program, which ends the thread that makes it.
enum Mistake: String, CaseIterable, Codable {
  /// SIGILL or SIGTRAP.
  case overflow, emptyOptional, breakpoint
  /// SIGSEGV.
  case noMemory, recursion
  /// SIGBUS, as where a file is cut off that a database has mapped.
  case noFile
  /// SIGFPE.
  case division
  /// SIGABRT.
  case surrender, wrongFree

  /// The signal that ends a process by it, where that is the same on each processor.
  var signal: CInt? {
    switch self {
    case .overflow, .emptyOptional: nil
    case .breakpoint: SIGTRAP
    case .noMemory, .recursion: SIGSEGV
    case .noFile: SIGBUS
    case .division: SIGFPE
    case .surrender, .wrongFree: SIGABRT
    }
  }

  /// What is computed has to be, since somebody could look here.
  nonisolated(unsafe) private static var result = 0

  func make() {
    let nothing = Int(rawValue.utf8.first == 0 ? 1 : 0)
    switch self {
    case .overflow: _ = UInt8(nothing) - UInt8(nothing + 1)
    case .emptyOptional: _ = Int(rawValue)!
    case .breakpoint: raise(SIGTRAP)
    case .noMemory:
      unsafe Self.result = unsafe UnsafePointer<Int>(bitPattern: nothing + 8)!.pointee
    case .recursion: unsafe Self.result = Self.deeper(nothing)
    case .noFile:
      let page = unsafe mmap(nil, 4096, PROT_READ, MAP_SHARED, emptyFile(), 0)!
      unsafe Self.result = unsafe Int(page.load(as: UInt8.self))
    case .division:
      #if arch(x86_64)
        unsafe Self.result = Int(div(1, CInt(nothing)).quot)
      #else
        // Other processors give 0.
        raise(SIGFPE)
      #endif
    case .surrender: abort()
    case .wrongFree: unsafe free(malloc(64)! + 16)
    }
  }

  /// A file without a byte.
  private func emptyFile() -> CInt {
    let path = NSTemporaryDirectory() + UUID().uuidString
    let file = unsafe open(path, O_RDWR | O_CREAT, 0o600)
    unsafe unlink(path)
    return file
  }

  @inline(never) private static func deeper(_ depth: Int) -> Int {
    depth < 0 ? depth : deeper(depth + 1) + deeper(depth + 2)
  }
}
