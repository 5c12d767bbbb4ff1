/// A set of small numbers.
struct BitSet: Hashable, Sendable {
  var words: [UInt64]

  init(capacity: Int) {
    words = [UInt64](repeating: 0, count: capacity / 64 + 1)
  }

  mutating func insert(_ member: Int) { words[member / 64] |= 1 << UInt64(member % 64) }

  func contains(_ member: Int) -> Bool { words[member / 64] & 1 << UInt64(member % 64) != 0 }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  mutating func formUnion(_ other: BitSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: BitSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Every member one higher. The highest that fits must not be a member.
  func movedByOne() -> BitSet {
    var result = self
    var carry: UInt64 = 0
    for index in words.indices {
      result.words[index] = words[index] << 1 | carry
      carry = words[index] >> 63
    }
    return result
  }

  /// All numbers from the first member to `last`.
  func fromFirst(to last: Int) -> BitSet {
    var result = self
    guard let word = words.firstIndex(where: { $0 != 0 }) else { return self }
    let first = word * 64 + words[word].trailingZeroBitCount
    for index in word...last / 64 { result.words[index] = .max }
    result.words[word] &= .max << UInt64(first % 64)
    result.words[last / 64] &= .max >> UInt64(63 - last % 64)
    return result
  }

  func intersection(_ other: BitSet) -> BitSet {
    var result = self
    result.formIntersection(other)
    return result
  }
}
