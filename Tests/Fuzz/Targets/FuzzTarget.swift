/// Code that takes bytes from outside, and what has to hold of it whatever they are.
protocol FuzzTarget: SendableMetatype {
  /// Throws `Broken` where a property does not hold of `bytes`.
  static func check(_ bytes: [UInt8]) throws
}

/// A property that does not hold.
struct Broken: Error, CustomStringConvertible {
  let description: String

  init(_ property: String) { description = property }
}

func require(_ holds: Bool, _ property: @autoclosure () -> String) throws {
  if !holds { throw Broken(property()) }
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
