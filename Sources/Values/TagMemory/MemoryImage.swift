/// The whole memory of a tag as a dump holds it, byte after byte, as far as it is known.
///
/// Keys need not be in it: a MIFARE Classic image counts by its data blocks and general purpose
/// bytes.
public struct MemoryImage: Hashable, Sendable {
  /// What the bytes are cut into.
  package enum Layout: Hashable, Sendable {
    /// Blocks of 16 bytes.
    case classic(Geometry)
    /// Pages of 4 bytes, so many.
    case type2(pageCount: Int)
    /// Blocks of 16 bytes of a FeliCa Lite or Lite-S, in the order of `LiteMemory`.
    case feliCaLite(LiteMemory.Kind)
    /// The bytes of these files of an NDEF application (Type 4), one after the other.
    case type4([FileExtent])
  }

  package let layout: Layout
  /// The tag that it is of.
  public let uid: UID
  /// As many as the layout has; nil where a byte is not known.
  public let bytes: [UInt8?]
  /// The tag fills in a part of its message at each reading: the bytes are those of one reading.
  package var isMirrored = false

  /// Nil unless there are as many bytes as the layout has.
  package init?(_ layout: Layout, uid: UID, bytes: [UInt8?]) {
    guard bytes.count == layout.byteCount else { return nil }
    (self.layout, self.uid, self.bytes) = (layout, uid, bytes)
  }

  /// Reads an image of a MIFARE Classic (320, 1024, 2048 or 4096 bytes) or of a Type 2 tag (16 to
  /// 256 whole pages, since a page's number is a byte; the UID with right check bytes, or as NTAG
  /// I2C has it, which may have a second sector), or of a FeliCa Lite or Lite-S (24 or 27 blocks
  /// with the system code that all of them have). Nil for anything else.
  public init?(_ bytes: [UInt8]) {
    if let uid = UID(ntagI2C: bytes), 64...2048 ~= bytes.count,
      bytes.count.isMultiple(of: Page.byteCount)
    {
      self.init(.type2(pageCount: bytes.count / Page.byteCount), uid: uid, bytes: bytes)
    } else if let geometry = Geometry.allCases.first(where: {
      Self.byteCount(of: $0) == bytes.count
    }) {
      let uid = UID(bytes.prefix(bytes[..<5].reduce(0, ^) == 0 ? 4 : 7))
      self.init(.classic(geometry), uid: uid, bytes: bytes)
    } else if let kind = LiteMemory.Kind.allCases.first(where: { $0.recognises(bytes) }) {
      self.init(.feliCaLite(kind), uid: kind.uid(in: bytes), bytes: bytes)
    } else if 64...1024 ~= bytes.count, bytes.count.isMultiple(of: Page.byteCount),
      let uid = UID(type2Bytes: bytes)
    {
      self.init(.type2(pageCount: bytes.count / Page.byteCount), uid: uid, bytes: bytes)
    } else {
      return nil
    }
  }

  /// What a row is called.
  package var rowName: String { if case .type2 = layout { "Page" } else { "Block" } }

  package var isMIFAREClassic: Bool { if case .classic = layout { true } else { false } }

  /// Is true if the tag is of one of the NFC Forum's types, which a MIFARE Classic is not.
  package var isForumTag: Bool { !isMIFAREClassic }

  /// Blocks or pages, each with its bytes.
  package var rows: [[UInt8?]] {
    stride(from: 0, to: bytes.count, by: layout.rowByteCount).map {
      Array(bytes[$0..<$0 + layout.rowByteCount])
    }
  }

  /// The bytes of block or page `number`; nil unless all of them are known.
  package func row(_ number: Int) -> [UInt8]? {
    let start = number * layout.rowByteCount
    guard start >= 0, start + layout.rowByteCount <= bytes.count else { return nil }
    let row = bytes[start..<start + layout.rowByteCount].compactMap(\.self)
    return row.count == layout.rowByteCount ? row : nil
  }

  /// The message TLV holds these bytes, perhaps not one; nil where there is none, where the tag is
  /// not formatted for NDEF, and where not all of it is known.
  public var message: [UInt8]? {
    switch layout {
    case .classic(let geometry): message(inClassic: geometry)
    case .type2: type2Area.flatMap { TLVScan($0.known, of: $0.area).message?.value }
    case .feliCaLite: messageOfFeliCa
    case .type4: messageOfType4
    }
  }

  fileprivate static func byteCount(of geometry: Geometry) -> Int {
    geometry.blocks.count * Block.byteCount
  }

  /// NFC Forum Type 2 Tag 1.1, 6.
  private var type2Area: (known: [UInt8], area: TLVArea)? {
    guard let page = row(3), let container = try? CapabilityContainer(parsing: page),
      container.isNDEF
    else { return nil }
    let known = bytes[Page.firstOfArea.byteOffset...].prefix { $0 != nil }.compactMap(\.self)
    let size = bytes.count - Page.firstOfArea.byteOffset
    return (known, .type2(byteCount: min(container.areaByteCount, size)))
  }

  /// AN1304, 3 to 6.
  private func message(inClassic geometry: Geometry) -> [UInt8]? {
    classicArea(geometry).flatMap { $0.scan.message?.value }
  }

  private func classicArea(_ geometry: Geometry) -> (area: NDEFArea, scan: TLVScan)? {
    guard let mad = directory(of: geometry) else { return nil }
    let area = NDEFArea(mad.nfcSectors(on: geometry))
    let known = area.blocks.map { row(Int($0.index)) }.prefix { $0 != nil }
    return (area, TLVScan(known.flatMap { $0 ?? [] }, of: area.tlvArea))
  }

  /// The rows that the message lies in, with what says how long it is; none where there is none,
  /// and of a tag of files.
  package var messageRows: [Int] {
    func span(_ scan: TLVScan) -> Range<Int>? {
      scan.message.flatMap { block in block.endOffset.map { block.offset..<$0 } }
    }
    switch layout {
    case .classic(let geometry):
      guard let (area, scan) = classicArea(geometry), let span = span(scan) else { return [] }
      return area.blocks(holding: span).map { Int($0.index) }
    case .type2:
      guard let (known, area) = type2Area, let span = span(TLVScan(known, of: area)) else {
        return []
      }
      let first = Int(Page.firstOfArea.number)
      return Array(
        first + span.lowerBound / Page.byteCount...first + (span.upperBound - 1) / Page.byteCount)
    case .feliCaLite:
      return Array(1..<1 + AttributeBlock.blockCount(of: messageOfFeliCa?.count ?? 0))
    case .type4: return []
    }
  }

  /// The application directory of a MIFARE Classic; nil where there is none.
  package func directory(of geometry: Geometry) -> MAD? {
    func directory(in sector: Sector) -> [UInt8] {
      sector.dataBlocks.flatMap { row(Int($0.index)) ?? [] }
    }
    guard let byte = bytes[Int(Sector.mad.trailer.index) * Block.byteCount + 9],
      let version = GeneralPurposeByte(rawValue: byte).madVersion
    else { return nil }
    let hasSecond = version == .two && geometry.contains(.secondMAD)
    return try? MAD(
      parsing: directory(in: .mad), second: hasSecond ? directory(in: .secondMAD) : nil)
  }

  /// The trailers of a MIFARE Classic that are known whole, both keys too (zeros stand for keys
  /// that are not); none of another tag.
  package func trailers(of geometry: Geometry) -> [Sector: SectorTrailer] {
    guard layout == .classic(geometry) else { return [:] }
    var trailers: [Sector: SectorTrailer] = [:]
    for sector in geometry.sectors {
      guard let bytes = row(Int(sector.trailer.index)),
        let trailer = try? SectorTrailer(parsing: bytes),
        trailer.keyA != .zeros, trailer.keyB != .zeros
      else { continue }
      trailers[sector] = trailer
    }
    return trailers
  }
}

extension MemoryImage.Layout {
  /// Bytes in a block or page.
  package var rowByteCount: Int {
    switch self {
    case .classic: Block.byteCount
    case .type2: Page.byteCount
    case .feliCaLite: AttributeBlock.byteCount
    case .type4: 1
    }
  }

  /// Blocks or pages.
  package var rowCount: Int {
    switch self {
    case .classic(let geometry): geometry.blocks.count
    case .type2(let pageCount): pageCount
    case .feliCaLite(let kind): kind.blocks.count
    case .type4(let files): files.reduce(0) { $0 + $1.byteCount }
    }
  }

  package var byteCount: Int { rowCount * rowByteCount }
}

extension MemoryImage: CustomStringConvertible, CustomReflectable {
  /// `1024 bytes of tag 04:A1:…`; a memory may have keys in it.
  public var description: String { "\(bytes.count) bytes of tag \(uid)" }

  /// Has no children: `bytes` are for whoever asks for them.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Everything that can be read of a tag: its memory, and what it says of itself.
public struct TagDump: Hashable, Sendable {
  /// The memory.
  public var image: MemoryImage
  /// Answer to request, high byte first.
  package var atqa: UInt16?
  /// Select acknowledge.
  package var sak: UInt8?
  /// What a Type 2 chip answers to GET_VERSION.
  package var version: [UInt8]?
  /// What a Type 2 chip answers to READ_SIG: 32 bytes.
  package var signature: [UInt8]?
  /// What a Type 2 chip answers to READ_CNT, by the counter's number.
  package var counters: [Int: Int] = [:]
  /// Blocks or pages of which not a byte could be read, though the tag shows them to whoever has
  /// the right key or password.
  package var unreadRows: [Int] = []
  /// The chip that whoever made the dump names; nil: nobody does.
  package var named: Product?

  /// A dump of a memory of which nothing else is known.
  public init(_ image: MemoryImage) { self.image = image }
}
