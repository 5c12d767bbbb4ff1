extension AreaUpdate.Current {
  /// The writes that give damaged TLVs the bytes that `wanted`, the start of the area, has in their
  /// place; takes them as done.
  ///
  /// First the values go, while their headers cover them, then each length, then each tag: whatever
  /// a write that is cut short leaves, the message is found behind it, or the TLV is damaged still.
  mutating func mending(to wanted: [UInt8], unitSize: Int) -> [(unit: Int, bytes: [UInt8])] {
    var writes: [(unit: Int, bytes: [UInt8])] = []
    for range in damaged.reversed() {
      let start = range.lowerBound
      for offsets in [start + 2..<range.upperBound, start + 1..<start + 2, start..<start + 1] {
        for unit in Set(offsets.map { $0 / unitSize }).sorted(by: >) {
          guard var bytes = meant[unit] ?? units[unit] else { continue }
          for offset in offsets where offset / unitSize == unit {
            bytes[offset % unitSize] = wanted[offset]
          }
          if units[unit] != bytes { writes.append((unit, bytes)) }
          (units[unit], meant[unit]) = (bytes, bytes)
        }
      }
    }
    return writes
  }
}
