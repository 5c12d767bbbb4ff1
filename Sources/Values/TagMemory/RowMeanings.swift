/// What each byte of a dump's blocks or pages is for, in words.
struct RowMeanings {
  private let layout: MemoryImage.Layout
  private let regions: Type2Layout?
  /// Those of the chips that have as many pages, where the dump does not say which it is of.
  private let possible: [Type2Layout]
  private let dynamicLocks: LockMap?
  /// The rows that the message's TLV, or a FeliCa tag's message, lies in.
  private let message: Set<Int>
  /// The sectors of the directory, where there is one.
  private let directory: [Sector]
  private let uidByteCount: Int

  init(_ dump: TagDump) {
    layout = dump.image.layout
    uidByteCount = dump.image.uid.bytes.count
    let map = dump.product.type2
    regions = map.map(Type2Layout.init)
    possible = (Product.type2Originals + [.ultralightAES]).compactMap(\.type2)
      .filter { dump.image.layout == .type2(pageCount: $0.pageCount) }.map(Type2Layout.init)
    dynamicLocks = map?.dynamicLocks
    message = Set(dump.image.messageRows)
    if case .classic(let geometry) = layout, let mad = dump.image.directory(of: geometry) {
      directory = mad.version == .two ? MAD.Version.two.sectors : [.mad]
    } else {
      directory = []
    }
  }

  /// The bytes of a row that are never shown: each key or password.
  func secrets(inRow number: Int) -> [Range<Int>] {
    switch layout {
    case .classic: Block(UInt8(clamping: number)).isTrailer ? [0..<6, 10..<16] : []
    case .type2: isSecret(number) ? [0..<Page.byteCount] : []
    case .feliCaLite(let kind):
      kind.blocks[number] == LiteMemory.cardKey ? [0..<AttributeBlock.byteCount] : []
    case .type4: []
    }
  }

  /// Says whether a page is for a password or a key, on the dump's chip or on one of its size.
  private func isSecret(_ number: Int) -> Bool {
    let page = Page(exactly: number)
    return (possible + [regions].compactMap(\.self)).contains { layout in
      let use = page.flatMap { layout.region(of: $0)?.use }
      return use == .password || use == .key
    }
  }

  func word(ofRow number: Int, byte: Int) -> String {
    switch layout {
    case .classic: classicWord(number, byte)
    case .type2: type2Word(number, byte)
    case .feliCaLite(let kind): feliCaWord(kind.blocks[number], number)
    case .type4: "data"
    }
  }

  private func use(_ number: Int) -> Type2Layout.Use? {
    Page(exactly: number).flatMap { regions?.region(of: $0)?.use }
  }

  private func type2Word(_ number: Int, _ byte: Int) -> String {
    switch use(number) {
    case .uid: "UID"
    case .staticLocks: byte < 2 ? (byte == 0 ? "UID" : "internal byte") : "lock bits"
    case .capabilityContainer: "capability container"
    case .user: message.contains(number) ? "message" : "data"
    case .dynamicLocks: byte < dynamicLocks?.byteCount ?? 4 ? "lock bits" : "reserved byte"
    case .counter: "counter"
    case .configuration: "configuration"
    case .password: "password"
    case .key: "key"
    case .unknown, nil: "not known"
    }
  }

  private func classicWord(_ number: Int, _ byte: Int) -> String {
    let block = Block(UInt8(clamping: number))
    if block.index == 0 { return byte < uidByteCount ? "UID" : "manufacturer block" }
    if block.isTrailer {
      return switch byte {
      case ..<6: "key A"
      case ..<9: "access bits"
      case 9: "general purpose byte"
      default: "key B"
      }
    }
    if directory.contains(block.sector) { return "directory" }
    return message.contains(number) ? "message" : "data"
  }

  private func feliCaWord(_ block: UInt16, _ number: Int) -> String {
    switch block {
    case AttributeBlock.number: "attribute block"
    case LiteMemory.deviceID: "UID"
    case LiteMemory.cardKey: "card key"
    case MemoryConfiguration.block: "memory configuration"
    case 0...13: message.contains(number) ? "message" : "data"
    default: LiteMemory.name(of: block) ?? "not known"
    }
  }
}

extension TagDump {
  /// Blocks or pages, each with its bytes; keys and passwords of zeros, which programs write in
  /// place of those that a tag does not show, are not known, nor is what a mirror covers.
  package var knownRows: [[UInt8?]] {
    let meanings = RowMeanings(self)
    let image =
      image.shownMirror(of: product).map {
        self.image.replacing($0, by: [UInt8?](repeating: nil, count: $0.content.byteCount))
      } ?? self.image
    return image.rows.enumerated().map { number, row in
      var known = row
      for secret in meanings.secrets(inRow: number)
      where row[secret].allSatisfy({ $0 ?? 0 == 0 }) {
        for index in secret { known[index] = nil }
      }
      return known
    }
  }
}
