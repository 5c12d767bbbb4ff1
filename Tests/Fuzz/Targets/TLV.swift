import TagMemory

/// What a walk over TLVs finds lies in the area, more bytes do not change it, and a message laid
/// out is found again.
enum TLVTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    var input = Input(bytes)
    let isClassic = input.byte() & 1 == 0
    let count = Int(input.byte()) * 8
    let message = [UInt8](repeating: 0xA5, count: Int(input.byte()) * 3)
    let cut = Int(input.byte())
    let area = isClassic ? TLVArea.classic(byteCount: count) : .type2(byteCount: count)
    let memory = input.all
    let scan = TLVScan(memory, of: area)
    for block in scan.blocks {
      try require(block.offset < area.byteCount, "a TLV beyond the area")
      for run in block.valueRuns ?? [] {
        try require(run.upperBound <= area.byteCount, "a value beyond the area")
      }
      if let value = block.value {
        try require(value.count == block.length, "a value of another length")
      }
    }
    if case .needs(let needed) = scan.progress {
      try require(
        needed > min(memory.count, count) && needed <= count, "asks for what it has, or beyond")
    }
    let part = TLVScan(memory.prefix(cut), of: area)
    if let found = part.message?.value {
      try require(found == scan.message?.value, "more bytes, another message")
    }

    guard scan.messageOffset <= memory.count, scan.message != nil || scan.terminator != nil else {
      return
    }
    let leading = Array(memory.prefix(scan.messageOffset))
    guard let layout = try? TLVLayout(message: message, in: area, leading: leading) else { return }
    let written = layout.applied(to: leading)
    try require(written.count <= area.byteCount, "written beyond the area")
    try require(
      TLVScan(written, of: area).message?.value == message, "the message laid out is not found")
  }
}
