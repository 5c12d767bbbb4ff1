import Bytes
import TagMemory

/// Flipper Zero's `.nfc` files, versions 2 to 4: lines `Name: value`, `#` begins a comment, `??` is
/// a byte that is not known.
///
/// Public description: flipperzero-firmware, documentation/file_formats/NfcFileFormats.md.
enum FlipperDump {
  static func parse(_ bytes: [UInt8]) throws(DumpError) -> TagDump {
    let fields = try FlipperFields(bytes)
    let version = try fields.number("Version") ?? 0
    guard 2...4 ~= version else {
      throw DumpError(line: fields.line("Version"), "version \(version) of the format is not known")
    }
    let kind = fields["Device type"] ?? ""
    if kind == feliCa { return try feliCa(fields) }
    var dump: TagDump
    let isClassic = fields["Mifare Classic type"] != nil || kind.lowercased().contains("classic")
    if isClassic {
      dump = try classic(fields)
    } else if try fields.highest("Page") != nil {
      dump = try type2(fields)
    } else {
      throw DumpError(
        line: fields.line("Device type"),
        "a device of type \u{201C}\(kind)\u{201D}, whose memory is not in it")
    }
    dump.sak = try fields.bytes("SAK", count: 1)?.first
    if let atqa = try fields.bytes("ATQA", count: 2) {
      // Version 2 has the low byte first.
      let (high, low) = version == 2 ? (atqa[1], atqa[0]) : (atqa[0], atqa[1])
      dump.atqa = UInt16(high) << 8 | UInt16(low)
    }
    return dump
  }

  private static func classic(_ fields: FlipperFields) throws(DumpError) -> TagDump {
    let last = try fields.highest("Block") ?? -1
    guard let geometry = Geometry.allCases.first(where: { $0.blocks.count == last + 1 }) else {
      throw DumpError("\(last + 1) blocks, but no MIFARE Classic has that number")
    }
    let field = "Mifare Classic type"
    if let type = fields[field], let said = geometryNames[type.uppercased()], said != geometry {
      throw DumpError(
        line: fields.line(field),
        "the type \u{201C}\(type)\u{201D} has \(said.blocks.count) blocks, but \(last + 1) are in the file"
      )
    }
    let bytes = try fields.rows("Block", count: last + 1, size: Block.byteCount)
    return try TagDump(classic: geometry, bytes: bytes, uid: try fields.uid())
  }

  /// The sizes in the words of the format.
  private static let geometryNames: [String: Geometry] = [
    "MINI": .mini, "1K": .oneK, "2K": .twoK, "4K": .fourK,
  ]

  private static func type2(_ fields: FlipperFields) throws(DumpError) -> TagDump {
    let last = try fields.highest("Page") ?? -1
    let total = try fields.number("Pages total") ?? last + 1
    let version = try fields.bytes("Mifare version", count: 8)
    let places = FlipperPages(version: version)
    let isOfI2C = [places?.rows.count, places?.pageCount].contains(total)
    guard total > last, 4...Page.perSector ~= total || isOfI2C else {
      throw DumpError(
        line: fields.line("Pages total"), "\(total) pages, but no tag of this kind has that number")
    }
    // Pages from here on were not read, whatever stands there.
    let read = try fields.number("Pages read") ?? total
    var bytes = try fields.rows("Page", count: total, size: Page.byteCount, upTo: last)
    for index in bytes.indices where index >= read * Page.byteCount { bytes[index] = nil }
    if let places, places.rows.count == total { bytes = places.pages(of: bytes) }
    var dump = try TagDump(type2: bytes, uid: try fields.uid())
    dump.version = version
    try requireSize(total, of: fields["Device type"], line: fields.line("Device type"))
    let field = "NTAG/Ultralight type"
    try requireSize(total, of: fields[field], line: fields.line(field))
    // 48 bytes of an Ultralight AES or NTAG 22x, which have a longer curve.
    let long = try? fields.bytes("Signature", count: 48)
    dump.signature = if let long { long } else { try fields.bytes("Signature", count: 32) }
    for number in 0..<3 {
      if let value = try fields.number("Counter \(number)") { dump.counters[number] = value }
    }
    return dump
  }

  /// Throws where the chip of this name has another number of pages. Names that say nothing of the
  /// chip, such as the family's, are no chip's.
  private static func requireSize(_ total: Int, of name: String?, line: Int?) throws(DumpError) {
    guard let name,
      let product = Product.type2Originals.first(where: { flipperName($0) == name }),
      case .type2(let map) = product.memory, map.pageCount != total
    else { return }
    throw DumpError(
      line: line,
      "the type \u{201C}\(name)\u{201D} has \(map.pageCount) pages, but \(total) are in the file")
  }

  /// A chip in the words of the format.
  private static func flipperName(_ product: Product) -> String {
    switch product {
    case .ultralightEV1x11: "Mifare Ultralight 11"
    case .ultralightEV1x21: "Mifare Ultralight 21"
    case .ultralightC: "Mifare Ultralight C"
    default: product.displayName
    }
  }

  // MARK: Writing

  static func text(_ dump: TagDump) throws(DumpError) -> String {
    if case .feliCaLite(let kind) = dump.image.layout { return try text(dump, kind) }
    let isClassic = dump.image.isMIFAREClassic
    let rows = rows(of: dump)
    var lines = [
      "Filetype: Flipper NFC device", "Version: 4",
      "Device type: \(isClassic ? "Mifare Classic" : "NTAG/Ultralight")",
      "UID: \(spaced(dump.image.uid.bytes))",
      "ATQA: \(spaced([UInt8((dump.atqa ?? (isClassic ? 0x0004 : 0x0044)) >> 8), UInt8((dump.atqa ?? (isClassic ? 0x0004 : 0x0044)) & 0xFF)]))",
      "SAK: \(spaced([dump.sak ?? (isClassic ? 0x08 : 0x00)]))",
    ]
    switch dump.image.layout {
    case .classic(let geometry): lines += try classicHead(geometry)
    case .type2: lines += type2Head(dump, rows.count)
    case .type4: throw Type4Dump.refusal("Flipper Zero's .nfc")
    case .feliCaLite: break
    }
    let label = isClassic ? "Block" : "Page"
    lines += rows.enumerated().map { number, row in
      // A page of the format has no place for what is not known.
      let shown = isClassic ? row : row.map { $0 ?? 0 }
      return "\(label) \(number): \(DumpText.string(shown, separator: " "))"
    }
    if !isClassic { lines.append("Failed authentication attempts: 0") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func classicHead(_ geometry: Geometry) throws(DumpError) -> [String] {
    let name: String
    switch geometry {
    case .mini: name = "MINI"
    case .oneK: name = "1K"
    case .fourK: name = "4K"
    case .twoK: throw DumpError("files of Flipper Zero (.nfc) have no MIFARE Classic 2K")
    }
    return ["Mifare Classic type: \(name)", "Data format version: 2"]
  }

  /// The memory in the format's order.
  private static func rows(of dump: TagDump) -> [[UInt8?]] {
    let rows = dump.image.rows
    guard !dump.image.isMIFAREClassic, let pages = FlipperPages(version: dump.version),
      pages.pageCount == rows.count
    else { return rows }
    return pages.rows.map { page in
      page.map { rows[Int($0.number)] } ?? [UInt8?](repeating: nil, count: Page.byteCount)
    }
  }

  private static func type2Head(_ dump: TagDump, _ pageCount: Int) -> [String] {
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    var lines = [
      "Data format version: 2",
      "NTAG/Ultralight type: \(name(version: dump.version, pageCount: pageCount))",
      "Signature: \(spaced(dump.signature ?? zeros(32)))",
      "Mifare version: \(spaced(dump.version ?? zeros(8)))",
    ]
    for number in 0..<3 {
      lines += ["Counter \(number): \(dump.counters[number] ?? 0)", "Tearing \(number): 00"]
    }
    return lines + ["Pages total: \(pageCount)", "Pages read: \(readCount(dump, of: pageCount))"]
  }

  /// How many of the rows were read, from the first on.
  private static func readCount(_ dump: TagDump, of rowCount: Int) -> Int {
    guard let pages = FlipperPages(version: dump.version), pages.rows.count == rowCount else {
      return dump.readPageCount
    }
    return pages.rows.firstIndex { ($0?.number).map { Int($0) >= dump.readPageCount } ?? false }
      ?? rowCount
  }

  /// The chip in the words of the format.
  private static func name(version: [UInt8]?, pageCount: Int) -> String {
    let product = version.flatMap { try? VersionAnswer(parsing: $0) }?.product
    switch (product, pageCount) {
    case (.ultralightEV1x11, _), (.ultralightEV1x21, _): return product.map(flipperName) ?? ""
    case (.some(let product), _) where product.displayName.hasPrefix("NTAG"):
      return product.displayName
    case (_, 42): return "NTAG203"
    case (_, 48): return "Mifare Ultralight C"
    default: return "Mifare Ultralight"
    }
  }

  static func spaced(_ bytes: [UInt8]) -> String {
    DumpText.string(bytes.map { $0 }, separator: " ")
  }
}
