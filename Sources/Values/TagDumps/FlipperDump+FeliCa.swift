import TagMemory

/// FeliCa Lite and Lite-S in Flipper Zero's `.nfc` files: 28 blocks, each with the two status flags
/// of its read before its bytes.
///
/// Public description: flipperzero-firmware, `lib/nfc/protocols/felica`. The rows are numbered from
/// 0 on; behind those of a Lite-S stands CRC_CHECK, which keeps nothing.
extension FlipperDump {
  /// What the format calls such tags.
  static let feliCa = "FeliCa"
  private static let rowCount = 28
  private static let flagCount = 2
  /// Flags of a block that is not there.
  private static let absent: [UInt8] = [0xFF, 0xA8]

  static func feliCa(_ fields: FlipperFields) throws(DumpError) -> TagDump {
    guard let idm = try fields.bytes("Manufacture id", count: 8),
      let pmm = try fields.bytes("Manufacture parameter", count: 8)
    else {
      throw DumpError(
        line: fields.line("Device type"), "a FeliCa tag without the lines that name its IDm and PMm"
      )
    }
    guard let kind = FeliCaChip(pmm: pmm).lite else {
      throw DumpError(
        line: fields.line("Manufacture parameter"),
        "a \(FeliCaChip(pmm: pmm).product.displayName); of FeliCa, files of a Lite or Lite-S can be used"
      )
    }
    let last = try fields.highest("Block") ?? -1
    guard kind.blocks.count - 1...rowCount - 1 ~= last else {
      throw DumpError(
        "\(last + 1) blocks, where a \(FeliCaChip(pmm: pmm).product.displayName) has more")
    }
    let size = AttributeBlock.byteCount
    let rows = try fields.rows("Block", count: kind.blocks.count, size: flagCount + size)
    var bytes: [UInt8?] = []
    for start in stride(from: 0, to: rows.count, by: flagCount + size) {
      let row = rows[start..<start + flagCount + size]
      let isRead = row.prefix(flagCount).allSatisfy { $0 == 0 }
      bytes += isRead ? Array(row.dropFirst(flagCount)) : [UInt8?](repeating: nil, count: size)
    }
    guard let image = MemoryImage(.feliCaLite(kind), uid: UID(idm), bytes: bytes) else {
      throw DumpError("the blocks are not the whole memory of this kind of tag")
    }
    return TagDump(image)
  }

  static func text(_ dump: TagDump, _ kind: LiteMemory.Kind) throws(DumpError) -> String {
    guard let identity = dump.image.feliCaBlock(LiteMemory.deviceID) else {
      throw DumpError(
        "files of Flipper Zero (.nfc) need block 83h of a FeliCa tag, which is not supported")
    }
    let (idm, pmm) = (spaced(Array(identity[..<8])), spaced(Array(identity[8...])))
    let lines = [
      "Filetype: Flipper NFC device", "Version: 4", "Device type: \(feliCa)", "UID: \(idm)",
      "Data format version: 2", "Manufacture id: \(idm)", "Manufacture parameter: \(pmm)",
      "IC Type: \(kind == .lite ? "FeliCa Lite" : "FeliCa Lite-S")",
      "Blocks total: \(rowCount)", "Blocks read: \(kind.blocks.count)",
    ]
    let stored = dump.image.rows
    let rows = (0..<rowCount).map { number -> String in
      let bytes = stored.indices.contains(number) ? stored[number].compactMap(\.self) : []
      let isKnown = bytes.count == AttributeBlock.byteCount
      let row =
        isKnown
        ? [UInt8](repeating: 0, count: flagCount) + bytes
        : absent + [UInt8](repeating: 0, count: AttributeBlock.byteCount)
      return "Block \(number): \(spaced(row))"
    }
    return (lines + rows).joined(separator: "\n") + "\n"
  }
}
