extension SeededGenerator {
  /// Up to `count` of `parts`, joined.
  package mutating func text(of parts: [String], upTo count: Int) -> String {
    (0..<Int.random(in: 0...count, using: &self))
      .map { _ in parts.randomElement(using: &self) ?? "" }.joined()
  }
}
