import TagMemory

/// Whatever a Type 2 tag's memory or a dump holds, it is judged, and what is said of it agrees with
/// itself.
enum MemoryTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    _ = MemoryImage(bytes)
    var input = Input(bytes)
    let product = input.choice(of: Product.all)
    guard let map = product.type2 else { return }
    let known = Int(input.byte()) * 4
    let isAuthenticated = input.byte() & 1 == 1
    let image = input.bytes(map.byteCount)
    var memory = Type2Memory(map)
    memory.store(image.prefix(known), from: 0)
    _ = (memory.staticLocks, memory.dynamicLocks, memory.configuration?.mirror, memory.protection)
    if let part = Type2NDEF(product, memory: memory, authenticated: isAuthenticated) {
      if let needed = part.neededByteCount {
        try require(needed <= part.area.byteCount, "more is needed than there is")
      }
    }
    memory.store(image, from: 0)
    guard let ndef = Type2NDEF(product, memory: memory, authenticated: isAuthenticated) else {
      return
    }
    try require(ndef.area.byteCount <= map.byteCount - 16, "an area beyond the memory")
    try require(
      ndef.leading.count <= ndef.area.byteCount || ndef.capacity == 0,
      "more before the message than there is room")
    guard let capacity = ndef.capacity, capacity > 0 else { return }
    let message = [UInt8](repeating: 0x5A, count: capacity)
    guard let layout = try? TLVLayout(message: message, in: ndef.area, leading: ndef.leading) else {
      throw Broken("a message as long as the capacity does not fit")
    }
    let written = layout.applied(to: ndef.leading)
    try require(
      TLVScan(written, of: ndef.area).message?.value == message, "the longest message is not found")
  }
}
