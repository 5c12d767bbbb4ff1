/// The address of one page, four bytes, of a Type 2 tag.
package struct Page: Hashable, Sendable {
  /// How many bytes a page has.
  package static let byteCount = 4

  /// As the tag counts, from 0.
  package let number: UInt8

  package init(_ number: UInt8) { self.number = number }

  /// Nil when a page address cannot be `number`.
  package init?(exactly number: Int) {
    guard let number = UInt8(exactly: number) else { return nil }
    self.number = number
  }

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
}

extension Page: ExpressibleByIntegerLiteral {
  package init(integerLiteral number: UInt8) { self.number = number }
}

extension Page: Strideable {
  package func distance(to other: Page) -> Int { Int(other.number) - Int(number) }
  package func advanced(by count: Int) -> Page { Page(UInt8(Int(number) + count)) }
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
