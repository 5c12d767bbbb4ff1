/// What libFuzzer calls with every input that it makes up; `Tests/Fuzz/run` says which target
/// `Target` is. A broken property ends the process, and so the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try Target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
