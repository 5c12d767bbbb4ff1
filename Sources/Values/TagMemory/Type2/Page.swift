/// The address of one page, four bytes, of a Type 2 tag.
package struct Page: Hashable, Sendable {
  /// How many bytes a page has.
  package static let byteCount = 4

  /// From 0; the pages of sector 1 (NTAG I2C 2K) count on from 256.
  package let number: UInt16

  package init(_ number: UInt8) { self.number = UInt16(number) }

  /// Nil when no tag has a page `number`.
  package init?(exactly number: Int) {
    guard 0..<Self.perSector * 2 ~= number else { return nil }
    self.number = UInt16(number)
  }

  /// How many addresses a sector has.
  package static let perSector = 256

  /// The sector that it lies in, as SECTOR_SELECT counts (NT3H1101/NT3H1201, 10.10).
  package var sector: UInt8 { UInt8(Int(number) / Self.perSector) }
  /// Its address within the sector, as READ and WRITE have it.
  package var address: Int { Int(number) % Self.perSector }

  /// The address of its first byte, from the start of the memory.
  package var byteOffset: Int { Int(number) * Self.byteCount }

  /// The four bytes of this page in a memory image that starts at page 0; nil when it ends before.
  package func bytes(in memory: [UInt8]) -> [UInt8]? {
    let end = byteOffset + Self.byteCount
    return end <= memory.count ? Array(memory[byteOffset..<end]) : nil
  }

  /// Identifier, serial number and static lock bytes.
  package static let staticLocks: Page = 2
  /// The capability container, one-time programmable.
  package static let capabilityContainer: Page = 3
  /// Where the data area of every Type 2 tag starts.
  package static let firstOfArea: Page = 4
  /// Sector 1 begins here.
  package static let firstOfNextSector: Page = 256
}

extension Page: ExpressibleByIntegerLiteral {
  package init(integerLiteral number: UInt16) { self.number = number }
}

extension Page: Strideable {
  package func distance(to other: Page) -> Int { Int(other.number) - Int(number) }
  package func advanced(by count: Int) -> Page {
    Page(integerLiteral: UInt16(Int(number) + count))
  }
}

extension Page: CustomStringConvertible {
  package var description: String { "page \(number)" }
}

extension ClosedRange<Page> {
  /// `page 4` or `pages 4 to 39`.
  var words: String {
    count == 1 ? "page \(lowerBound.number)" : "pages \(lowerBound.number) to \(upperBound.number)"
  }
}
