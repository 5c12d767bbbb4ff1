import TagMemory

/// Where Flipper Zero's files of an NTAG I2C have its pages: one after the other, without the
/// addresses that have none, and the two session registers among them.
///
/// flipperzero-firmware, mf_ultralight_ntag_i2c_addr_lin_to_tag.
struct FlipperPages {
  /// The page that each row of the file is; nil for a session register, which is no memory.
  let rows: [Page?]
  /// The pages of the chip, those that it lacks included.
  let pageCount: Int

  /// Nil for all other chips: there a row is the page of its number.
  init?(version: [UInt8]?) {
    guard let version, let product = (try? VersionAnswer(parsing: version))?.product,
      product.features.contains(.sectorSelect), let map = product.type2
    else { return nil }
    let (first, second) = (map.pages.filter { $0.sector == 0 }, map.pages.filter { $0.sector == 1 })
    // The registers stand behind sector 0 where that ends with the configuration, else last.
    let isSecondWhole = second.count == Page.perSector
    rows =
      first.map { $0 } + (isSecondWhole ? [nil, nil] : []) + second.map { $0 }
      + (isSecondWhole ? [] : [nil, nil])
    pageCount = map.pageCount
  }

  /// The chip's pages out of the rows of a file.
  func pages(of bytes: [UInt8?]) -> [UInt8?] {
    var pages = [UInt8?](repeating: nil, count: pageCount * Page.byteCount)
    for (row, page) in rows.enumerated() {
      guard let page else { continue }
      let (from, to) = (row * Page.byteCount, page.byteOffset)
      pages.replaceSubrange(to..<to + Page.byteCount, with: bytes[from..<from + Page.byteCount])
    }
    return pages
  }
}
