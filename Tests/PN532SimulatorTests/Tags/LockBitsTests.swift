import PN532Simulator
import Testing

/// The data sheets' lock bit tables, written once more as page lists: each bit alone is set and
/// every page tried.
@Suite("Lock bits of every Type 2 chip")
struct LockBitsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let product: String
    /// Page and byte of the lock bits.
    let page: Int
    let byte: Int
    let bit: Int
    let locked: [Int]
    /// The block-locking bit: byte and bit.
    let frozenBy: (byte: Int, bit: Int)
    var testDescription: String { "\(product) page \(page) byte \(byte) bit \(bit)" }
  }

  static let rows: [Row] = {
    var rows: [Row] = []
    for product in ["ultralight", "ntag213", "ultralight-c"] {
      for page in 3...15 {
        rows.append(
          Row(
            product: product, page: 2, byte: 2 + page / 8, bit: page % 8, locked: [page],
            frozenBy: (2, page == 3 ? 0 : page <= 9 ? 1 : 2)))
      }
    }
    func dynamic(_ product: String, _ page: Int, _ ranges: [ClosedRange<Int>]) {
      for (index, range) in ranges.enumerated() {
        rows.append(
          Row(
            product: product, page: page, byte: index / 8, bit: index % 8, locked: Array(range),
            frozenBy: (2, index / 2)))
      }
    }
    let pairs213 = [
      16...17, 18...19, 20...21, 22...23, 24...25, 26...27, 28...29, 30...31, 32...33, 34...35,
      36...37, 38...39,
    ]
    dynamic("ntag213", 40, pairs213)
    for product in ["ultralight-aes", "ntag213f", "ntag213tt", "ntag213c", "fm11nt021", "feiju"] {
      dynamic(product, 40, pairs213)
    }
    dynamic("mikron", 36, Array(pairs213[..<10]))
    dynamic("ntag212", 36, Array(pairs213[..<10]))
    dynamic("ultralight-ev1-21", 36, Array(pairs213[..<10]))
    dynamic(
      "ntag215", 130,
      [16...31, 32...47, 48...63, 64...79, 80...95, 96...111, 112...127, 128...129])
    let sixteens = [
      16...31, 32...47, 48...63, 64...79, 80...95, 96...111, 112...127, 128...143, 144...159,
      160...175, 176...191, 192...207, 208...223, 224...225,
    ]
    // NT3H1101, 8.3.8, and NT3H2111, 8.3.8: the same pages as NTAG216.
    for product in ["ntag216", "ntag216f", "ntag-i2c-1k", "ntag-i2c-plus-1k"] {
      dynamic(product, 226, sixteens)
    }
    for product in ["ntag203", "ultralight-c"] {
      for (bit, range) in [
        (1, 16...19), (2, 20...23), (3, 24...27), (5, 28...31), (6, 32...35), (7, 36...39),
      ] {
        rows.append(
          Row(
            product: product, page: 40, byte: 0, bit: bit, locked: Array(range),
            frozenBy: (0, bit < 4 ? 0 : 4)))
      }
      rows.append(
        Row(product: product, page: 40, byte: 1, bit: 4, locked: [41], frozenBy: (1, 0)))
    }
    for (bit, range) in [(5, 42...42), (6, 43...43), (7, 44...47)] {
      rows.append(
        Row(
          product: "ultralight-c", page: 40, byte: 1, bit: bit, locked: Array(range),
          frozenBy: (1, bit - 4)))
    }
    return rows
  }()

  @Test("a lock bit makes its pages read-only and no others", arguments: rows)
  func locks(_ row: Row) throws {
    let tag = try TagCatalog.tag(row.product)
    let open = writablePages(of: tag)
    #expect(Set(row.locked).isSubset(of: open))
    write(row.byte, row.bit, to: row.page, of: tag)
    #expect(open.subtracting(writablePages(of: tag)) == Set(row.locked))
  }

  @Test("its block-locking bit freezes it, set or not", arguments: rows)
  func freezes(_ row: Row) throws {
    for isSet in [false, true] {
      let tag = try TagCatalog.tag(row.product)
      if isSet { write(row.byte, row.bit, to: row.page, of: tag) }
      write(row.frozenBy.byte, row.frozenBy.bit, to: row.page, of: tag)
      write(row.byte, row.bit, to: row.page, of: tag)
      let stored = tag.eeprom.bytes[row.page * 4 + row.byte] >> UInt8(row.bit) & 1
      #expect(stored == (isSet ? 1 : 0))
    }
  }

  /// Sets one bit of a page.
  private func write(_ byte: Int, _ bit: Int, to page: Int, of tag: any StoredTag) {
    var data: [UInt8] = [0, 0, 0, 0]
    data[byte] = 1 << UInt8(bit)
    tag.select()
    #expect(tag.receive([0xA2, UInt8(page)] + data) == .nibble(0xA))
  }

  /// The pages that acknowledge a write which changes nothing.
  private func writablePages(of tag: any StoredTag) -> Set<Int> {
    Set(
      (0..<tag.rows.numbers.count).filter { page in
        tag.select()
        let zeros: [UInt8] = [0, 0, 0, 0]
        let held = Array(tag.eeprom.bytes[page * 4..<page * 4 + 4])
        let data = [2, 3, 36, 40, 130, 226].contains(page) ? zeros : held
        return tag.receive([0xA2, UInt8(page)] + data) == .nibble(0xA)
      })
  }
}
