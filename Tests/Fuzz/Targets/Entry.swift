/// What libFuzzer calls with every input that it makes up; each target has its own `fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the process, and so the run, where a property does not hold.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
  if !holds { fatalError(property()) }
}

/// Takes values from the start of an input.
struct Input {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// 0 when nothing is left.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func choice<Value>(of values: [Value]) -> Value { values[Int(byte()) % values.count] }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  var all: [UInt8] { Array(rest) }
}
