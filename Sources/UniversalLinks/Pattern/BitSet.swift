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

  func intersection(_ other: BitSet) -> BitSet {
    var result = self
    result.formIntersection(other)
    return result
  }
}
