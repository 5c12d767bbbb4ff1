/// Where on a tag something is, in the tag's own units.
package enum Place: Hashable, Sendable {
  /// The tag as a whole.
  case tag
  /// A sector of a MIFARE Classic.
  case sector(Sector)
  /// A block of a MIFARE Classic.
  case block(Block)
  /// A page of a Type 2 tag.
  case page(Page)
  /// A byte of a file in the selected application of an ISO 7816 or DESFire tag, from 0.
  case file(id: UInt16, offset: Int)
  /// An application of a DESFire, by its identifier of three bytes.
  case application(UInt32)
  /// A block of the NDEF service of a Type 3 tag: of a FeliCa Lite all of its memory.
  case feliCaBlock(UInt16)

  /// Bytes that are read and written as one, nil where that is any number.
  package var unitByteCount: Int? {
    switch self {
    case .block: Block.byteCount
    case .page: Page.byteCount
    case .feliCaBlock: 16
    case .tag, .sector, .file, .application: nil
    }
  }

  /// Returns whether byte `index` of what is written here is one of a key, whatever it is written
  /// for: a sector trailer is key A, access bits, a general purpose byte and key B (MF1S50YYX_V1,
  /// 8.6.3).
  package func holdsKey(at index: Int) -> Bool {
    guard case .block(let block) = self, block.isTrailer else { return false }
    return !(6...9).contains(index)
  }

  package var sector: Sector? { if case .sector(let sector) = self { sector } else { nil } }
  package var block: Block? { if case .block(let block) = self { block } else { nil } }
  package var page: Page? { if case .page(let page) = self { page } else { nil } }
  package var feliCaBlock: UInt16? {
    if case .feliCaBlock(let block) = self { block } else { nil }
  }
}

extension Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tag: "the tag"
    case .sector(let sector): "\(sector)"
    case .block(let block): "\(block)"
    case .page(let page): "\(page)"
    case .file(let id, let offset): "\(Self.name(ofFile: id)) from byte \(offset) on"
    case .application(let id): "application \(Self.hexadecimal(id, digits: 6))"
    case .feliCaBlock(let number): "block \(LiteMemory.text(of: number))"
    }
  }

  /// This place and as much behind it as `byteCount` bytes take: `page 4`, `pages 4 to 9`.
  package func words(byteCount: Int) -> String {
    let more = max(byteCount - 1, 0) / (unitByteCount ?? 1)
    guard more > 0 else { return description }
    switch self {
    case .tag, .sector, .application: return description
    case .block(let block): return "blocks \(block.index) to \(Int(block.index) + more)"
    case .page(let page): return "pages \(page.number) to \(Int(page.number) + more)"
    case .feliCaBlock(let number): return "blocks \(number) to \(Int(number) + more)"
    case .file(let id, let offset):
      return "bytes \(offset) to \(offset + more) of \(Self.name(ofFile: id))"
    }
  }

  private static func name(ofFile id: UInt16) -> String {
    "file \(hexadecimal(UInt32(id), digits: 4))"
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
