import TagMemory

/// What was read of a Type 2 tag, and what follows from it for whoever writes it.
struct Type2State {
  let product: Product
  let map: Type2Map
  var memory: Type2Memory
  /// Whether the tag took the password.
  var isAuthenticated = false

  init(product: Product, map: Type2Map) {
    self.product = product
    self.map = map
    memory = Type2Memory(map)
  }

  /// The tag as an NDEF tag; nil as long as page 3 is not known.
  var ndef: Type2NDEF? { Type2NDEF(product, memory: memory, authenticated: isAuthenticated) }

  /// The data area: as large as the capability container says and the chip has.
  var area: TLVArea { ndef?.area ?? .type2(byteCount: map.areaByteCount) }

  /// The first bytes of the data area, as far as they were read without a gap.
  var knownArea: [UInt8] {
    Array(memory.bytes(from: .firstOfArea).prefix(area.byteCount))
  }

  /// The area's TLVs, as far as they were read, whether or not the tag says that there are any.
  var scan: TLVScan { TLVScan(knownArea, of: area) }
}
