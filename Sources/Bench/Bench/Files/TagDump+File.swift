import PN532Simulator
import TagDumps
import TagMemory

/// Dumps in files; the format shows in the content.
extension TagDump {
  /// Reads the file at `path`. Fails with `noInput`, and with `badInput` where it is no dump.
  package init(file path: String) throws(BenchError) {
    try self.init(file: try Files.read(path), at: path)
  }

  /// The content of a dump of any format, or of a virtual tag's file.
  package init(file bytes: [UInt8], at path: String) throws(BenchError) {
    if Self.isVirtualTag(bytes) {
      try self.init(virtualTag: bytes, at: path)
      return
    }
    do throws(DumpError) {
      try self.init(parsing: bytes)
    } catch {
      throw BenchError(.badInput, "\(path): \(error).")
    }
  }

  static func isVirtualTag(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "nfcprog virtual tag".utf8)
  }

  private init(virtualTag bytes: [UInt8], at path: String) throws(BenchError) {
    let tag: any StoredTag
    do throws(VirtualTagError) {
      tag = try TagFile(parsing: bytes).makeTag()
    } catch {
      throw BenchError(.badInput, "\(path): \(error)")
    }
    guard let image = Self.feliCaImage(of: tag) ?? MemoryImage(tag.eeprom.bytes) else {
      throw BenchError(
        .badInput, "\(path) is a \(tag.product); this program cannot read messages of that type.")
    }
    self.init(image)
    named = Product.named(tag.product)
  }

  /// The blocks of a virtual FeliCa Lite, which keeps those alone that are stored; nil for another
  /// tag.
  private static func feliCaImage(of tag: any StoredTag) -> MemoryImage? {
    let kinds: [String: LiteMemory.Kind] = ["felica-lite": .lite, "felica-lite-s": .liteS]
    guard let kind = kinds[tag.product] else { return nil }
    let (numbers, stored) = (tag.rows.numbers, tag.eeprom.bytes)
    let bytes = kind.blocks.flatMap { block -> [UInt8?] in
      guard let row = numbers.firstIndex(of: Int(block)), (row + 1) * 16 <= stored.count else {
        return [UInt8?](repeating: nil, count: 16)
      }
      return stored[row * 16..<(row + 1) * 16].map { $0 }
    }
    return MemoryImage(.feliCaLite(kind), uid: UID(tag.uid), bytes: bytes)
  }
}
