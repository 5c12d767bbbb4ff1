import TagMemory

/// What was read of a Type 2 tag, and what follows from it for whoever writes it.
struct Type2State {
  let product: Product
  let map: Type2Map
  var memory: Type2Memory
  /// The password that the tag took, and its acknowledge.
  var credential: Protection?
  /// Whether the tag took a password.
  var isAuthenticated: Bool { credential != nil }

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

extension Type2State {
  /// The page on which a password proves itself: the last one of the user memory that is neither locked nor under a
  /// mirror. Nil when there is none.
  var probePage: Page? {
    let mirrored = memory.configuration?.mirror?.byteRange ?? 0..<0
    return map.user.last { page in
      memory.isLocked(page) == false
        && !mirrored.overlaps(page.byteOffset..<page.byteOffset + Page.byteCount)
    }
  }

  /// This state once `program` has been carried out.
  func applying(_ program: TagProgram) -> Type2State {
    var state = self
    for step in program.steps {
      guard case .writePage(let page, let bytes, _) = step else { continue }
      // Bits of these pages are only ever added.
      let addsOnly = [.capabilityContainer, .staticLocks, map.dynamicLocks?.page].contains(page)
      let old = addsOnly ? state.memory[page] ?? [] : []
      state.memory.store(old.isEmpty ? bytes : zip(old, bytes).map { $0 | $1 }, from: page)
    }
    return state
  }
}
