import Testing

@testable import TagMemory

/// What of a memory tags are known by.
@Suite("Data of a memory")
struct MemoryDataTests {
  private static func image(_ product: Product) -> MemoryImage? {
    switch product.memory {
    case .classic(let count):
      return Geometry.allCases.first { $0.sectorCount == count }.flatMap { geometry in
        let trailer: [UInt8?] = [0, 0, 0, 0, 0, 0, 0xFF, 7, 0x80, 0, 0, 0, 0, 0, 0, 0]
        let zeros = [UInt8?](repeating: 0, count: Block.byteCount)
        return MemoryImage(
          .classic(geometry), uid: UID([1, 2, 3, 4]),
          bytes: geometry.blocks.flatMap { $0.isTrailer ? trailer : zeros })
      }
    case .type2(let map):
      return MemoryImage(
        .type2(pageCount: map.pageCount), uid: UID([4, 1, 2, 3, 4, 5, 6]),
        bytes: .init(repeating: 0, count: map.pageCount * Page.byteCount))
    case .type3, .type4: return nil
    }
  }

  @Test("every data row counts, and no other", arguments: Product.all.filter { image($0) != nil })
  func rows(_ product: Product) throws {
    let blank = try #require(Self.image(product))
    let rows = Set(blank.dataRows(of: product))
    let (data, width) = (blank.data(of: product), blank.layout.rowByteCount)
    #expect(data != nil && blank.isBlank(of: product) && blank.unfit(for: product) == nil)
    for row in 0..<blank.layout.rowCount {
      var bytes = blank.bytes
      bytes[row * width + width - 1] = 0x55
      let changed = try #require(MemoryImage(blank.layout, uid: blank.uid, bytes: bytes))
      #expect((changed.data(of: product) != data) == rows.contains(row), "row \(row)")
      #expect(changed.isBlank(of: product) != rows.contains(row), "row \(row)")
      bytes[row * width] = nil
      let gap = try #require(MemoryImage(blank.layout, uid: blank.uid, bytes: bytes))
      #expect((gap.data(of: product) == nil) == rows.contains(row), "row \(row)")
      #expect((gap.unfit(for: product) != nil) == rows.contains(row), "row \(row)")
    }
  }

  @Test(
    "an empty message and what reserves bytes before it are nobody's data, and bytes behind it are")
  func emptyMessages() throws {
    let product = Product.ntag213
    let blank = try #require(Self.image(product))
    for (user, isBlank) in [
      ("0300FE", true), ("0103A00C340300FE", true), ("0300", true), ("0301AAFE", false),
      ("0300FE0000000001", false), ("FD0101AA0300FE", false), ("0103A00C34", false),
    ] {
      var bytes = blank.bytes
      let given = stride(from: 0, to: user.count, by: 2).compactMap { start in
        UInt8(user.dropFirst(start).prefix(2), radix: 16)
      }
      for (index, byte) in given.enumerated() { bytes[16 + index] = byte }
      let image = try #require(MemoryImage(blank.layout, uid: blank.uid, bytes: bytes))
      #expect(image.isBlank(of: product) == isBlank, "\(user)")
    }
  }
}
