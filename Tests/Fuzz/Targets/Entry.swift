#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// What libFuzzer calls with every input that it makes up; `Tests/Fuzz/run` says which target
/// `Target` is. A broken property ends the process, and so the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try Target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    // libFuzzer keeps an input that ends the process.
    fputs("Broken property: \(error)\n", stderr)
    abort()
  }
  return 0
}
