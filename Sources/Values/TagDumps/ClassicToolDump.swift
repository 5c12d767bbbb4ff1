import TagMemory

/// MIFARE Classic Tool's dumps: `+Sector: 0`, then a line of 32 digits a block; dashes stand for
/// what is not known. A sector that could not be opened may be missing or have a remark that begins
/// with an asterisk.
enum ClassicToolDump {
  static func parse(_ bytes: [UInt8]) throws(DumpError) -> TagDump {
    var sectors: [Int: [[UInt8?]]] = [:]
    var open: Int?
    for (index, line) in try DumpText.lines(bytes).enumerated() {
      let text = line.drop { $0 == " " }
      if text.isEmpty || text.hasPrefix("*") { continue }
      if text.hasPrefix("+") {
        open = try sector(in: text, line: index + 1)
        guard sectors.updateValue([], forKey: open ?? 0) == nil else {
          throw DumpError(line: index + 1, "sector \(open ?? 0) appears twice")
        }
        continue
      }
      guard let open, let sector = Sector(open) else {
        throw DumpError(line: index + 1, "a block before the first \u{201C}+Sector:\u{201D}")
      }
      guard sectors[open]?.count ?? 0 < sector.blockCount else {
        throw DumpError(
          line: index + 1, "\(sector) has \(sector.blockCount) blocks, here is one more")
      }
      sectors[open]?.append(
        try DumpText.bytes(text, count: Block.byteCount, unknown: "-", line: index + 1))
    }
    return try dump(sectors)
  }

  private static func sector(in text: Substring, line: Int) throws(DumpError) -> Int {
    let number = text.drop { $0 != ":" }.dropFirst().filter { $0 != " " }
    guard number.allSatisfy(\.isWholeNumber), let index = Int(number), Sector(index) != nil else {
      throw DumpError(line: line, "no sector from 0 to 39 is named here")
    }
    return index
  }

  private static func dump(_ sectors: [Int: [[UInt8?]]]) throws(DumpError) -> TagDump {
    guard let last = sectors.keys.max(),
      let least = Geometry.allCases.first(where: { $0.sectorCount > last })
    else { throw DumpError("no sector is in it") }
    let geometry = size(atLeast: least, block0: sectors[0]?.first)
    var bytes: [UInt8?] = []
    for sector in geometry.sectors {
      let blocks = sectors[sector.index] ?? []
      guard blocks.isEmpty || blocks.count == sector.blockCount else {
        throw DumpError("\(sector) has \(blocks.count) of \(sector.blockCount) blocks")
      }
      let unknown = [UInt8?](repeating: nil, count: sector.blockCount * Block.byteCount)
      bytes += blocks.isEmpty ? unknown : blocks.flatMap(\.self)
    }
    return try TagDump(classic: geometry, bytes: bytes)
  }

  /// The card's size: the last sectors may be missing, so block 0 counts, which says it. Only a
  /// file that holds block 0, of a size that no card promises, is as large as its last sector.
  private static func size(atLeast least: Geometry, block0: [UInt8?]?) -> Geometry {
    guard let known = block0?.compactMap(\.self), known.count == Block.byteCount else {
      return max(least, .oneK)
    }
    let hasSevenByteUID = known[..<5].reduce(0, ^) != 0
    let block = try? ManufacturerBlock(parsing: known, hasSevenByteUID: hasSevenByteUID)
    return max(least, block.flatMap { Geometry(sak: $0.sak) } ?? least)
  }

  private static func max(_ one: Geometry, _ other: Geometry) -> Geometry {
    one.sectorCount < other.sectorCount ? other : one
  }

  static func text(_ dump: TagDump) throws(DumpError) -> String {
    guard case .classic(let geometry) = dump.image.layout else {
      throw DumpError("files of MIFARE Classic Tool (.mct) hold MIFARE Classic only")
    }
    let rows = dump.image.rows
    // A file with the first sectors of a larger card looks the same.
    let size = size(atLeast: geometry, block0: rows.first)
    guard size == geometry else {
      throw DumpError(
        """
        block 0 says that the card is a \(size), and a file of MIFARE Classic Tool (.mct) has no other word for the size: \
        choose another format
        """)
    }
    var lines: [String] = []
    for sector in geometry.sectors {
      lines.append("+Sector: \(sector.index)")
      lines += sector.blocks.map {
        DumpText.string(rows[Int($0.index)], separator: "", unknown: "--")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension TagDump {
  /// A MIFARE Classic; the UID as block 0 has it, where no file says it, and zeros where block 0 is
  /// not known.
  init(classic geometry: Geometry, bytes: [UInt8?], uid: UID? = nil) throws(DumpError) {
    let head = bytes.prefix(7).map { $0 ?? 0 }
    let isShort = bytes.prefix(7).contains(nil) || head.prefix(5).reduce(0, ^) == 0
    let stored = UID(head.prefix(isShort ? 4 : 7))
    guard let image = MemoryImage(.classic(geometry), uid: uid ?? stored, bytes: bytes) else {
      throw DumpError("\(bytes.count) bytes, but a \(geometry) has a different number")
    }
    self.init(image)
  }

  /// A Type 2 tag. Throws where its first pages hold no UID.
  init(type2 bytes: [UInt8?], uid: UID? = nil) throws(DumpError) {
    guard let uid = uid ?? UID(type2Bytes: bytes.prefix(9).compactMap(\.self)),
      let image = MemoryImage(.type2(pageCount: bytes.count / 4), uid: uid, bytes: bytes)
    else { throw DumpError("pages 0 to 2 hold no UID with right check bytes") }
    self.init(image)
  }
}
