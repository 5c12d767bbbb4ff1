/// The part of a tag's memory that holds TLVs, and the bytes in it that TLVs skip.
///
/// Offsets count the area's bytes in their order on the tag, reserved ones included: a Type 2 area
/// starts at page 4; a MIFARE Classic area is its sectors' data blocks, one after the other.
package struct TLVArea: Hashable, Sendable {
  /// Reserved bytes included; 0 or more.
  package let byteCount: Int
  /// Where the area starts on the tag, in the addresses of Lock and Memory Control TLVs; nil on
  /// tags where these do not exist.
  package let address: Int?
  /// Offsets of bytes that no TLV uses: ascending, apart from each other, inside the area.
  package private(set) var reserved: [Range<Int>] = []

  private init(byteCount: Int, address: Int?) {
    self.byteCount = max(0, byteCount)
    self.address = address
  }

  /// A MIFARE Classic area: no control TLVs, nothing reserved.
  package static func classic(byteCount: Int) -> TLVArea {
    TLVArea(byteCount: byteCount, address: nil)
  }

  /// A Type 2 area from page 4 on; `byteCount` is eight times byte 2 of the capability container.
  /// `reserved` are offsets in the area.
  package static func type2(byteCount: Int, reserved: [Range<Int>] = []) -> TLVArea {
    var area = TLVArea(byteCount: byteCount, address: 16)
    for range in reserved { area.reserve(range) }
    return area
  }

  /// Its first `byteCount` bytes.
  package func prefix(_ byteCount: Int) -> TLVArea {
    var area = TLVArea(byteCount: min(byteCount, self.byteCount), address: address)
    for range in reserved { area.reserve(range) }
    return area
  }

  /// Adds `offsets` to what TLVs skip; what lies outside the area is ignored.
  package mutating func reserve(_ offsets: Range<Int>) {
    let added = offsets.clamped(to: 0..<byteCount)
    guard !added.isEmpty else { return }
    var merged: [Range<Int>] = []
    for range in (reserved + [added]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    reserved = merged
  }

  /// Adds bytes given by their addresses on the tag, as control TLVs give them.
  mutating func reserve(addresses: Range<Int>) {
    guard let address else { return }
    reserve(addresses.lowerBound - address..<addresses.upperBound - address)
  }
}

extension TLVArea {
  /// The first usable offset from `offset` on; `byteCount` when there is none.
  package func usable(from offset: Int) -> Int {
    let offset = max(0, offset)
    guard let range = reserved.first(where: { $0.upperBound > offset }), range.contains(offset)
    else { return min(offset, byteCount) }
    return range.upperBound
  }

  /// How many usable bytes there are from `offset` on.
  package func usableCount(from offset: Int) -> Int {
    let rest = max(0, min(offset, byteCount))..<byteCount
    return reserved.reduce(rest.count) { $0 - $1.clamped(to: rest).count }
  }

  /// The next `count` usable bytes from `offset` on, as runs of offsets; nil when the area ends
  /// first.
  package func runs(from offset: Int, count: Int) -> [Range<Int>]? {
    guard count <= usableCount(from: offset) else { return nil }
    var runs: [Range<Int>] = []
    var (start, left) = (usable(from: offset), count)
    while left > 0 {
      let end = reserved.first { $0.lowerBound > start }?.lowerBound ?? byteCount
      let run = start..<min(end, start + left)
      runs.append(run)
      left -= run.count
      start = usable(from: run.upperBound)
    }
    return runs
  }
}
