extension VirtualClassic: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Block", size: 16, numbers: Array(0..<silicon.blockCount))
  }

  /// From block 1 on, trailers included.
  package var userMemory: Range<Int> { 16..<silicon.blockCount * 16 }

  package func bearsUID(_ memory: [UInt8]) -> Bool { memory.starts(with: uid) }
}
