/// The tree of hashes over a list, as RFC 6962, 2.1, makes it: with a path of a few hashes whoever
/// has one leaf can compute the root.
enum MerkleTree {
  static func leaf(_ data: [UInt8]) -> [UInt8] { digest(of: [0] + data) }

  private static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    digest(of: [1] + left + right)
  }

  /// The root over `leaves`, of which there is one or more.
  static func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
    guard leaves.count > 1 else { return leaves.first ?? digest(of: []) }
    let half = leaves.startIndex + half(leaves.count)
    return node(root(leaves[..<half]), root(leaves[half...]))
  }

  /// The hashes beside the way from the leaf at `index` to the root, the lowest first.
  static func path(to index: Int, in leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
    guard leaves.count > 1 else { return [] }
    let half = half(leaves.count)
    let (left, right) = (leaves.prefix(half), leaves.dropFirst(half))
    return index < half
      ? path(to: index, in: left) + [root(right)]
      : path(to: index - half, in: right) + [root(left)]
  }

  /// The root that follows from the leaf at `index` of `count` and its path; nil for a path that is
  /// none of that place.
  static func root(from leaf: [UInt8], at index: Int, of count: Int, by path: [[UInt8]])
    -> [UInt8]?
  {
    guard index >= 0, index < count else { return nil }
    guard count > 1 else { return path.isEmpty ? leaf : nil }
    guard let last = path.last else { return nil }
    let half = half(count)
    let rest = Array(path.dropLast())
    return index < half
      ? root(from: leaf, at: index, of: half, by: rest).map { node($0, last) }
      : root(from: leaf, at: index - half, of: count - half, by: rest).map { node(last, $0) }
  }

  /// The largest power of two below `count`.
  private static func half(_ count: Int) -> Int {
    1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
  }
}
