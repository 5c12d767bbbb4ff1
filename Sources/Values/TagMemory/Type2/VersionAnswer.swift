import Bytes

/// A chip's answer to GET_VERSION (NTAG213/215/216, 10.1; MF0ULX1, 10.1).
///
///     byte   0       1        2      3         4       5       6      7
///            fixed   vendor   type   subtype   major   minor   size   protocol
package struct VersionAnswer: Hashable, Sendable {
  /// All eight bytes.
  package let bytes: [UInt8]

  /// Reads the eight bytes; throws when there are not eight.
  package init(parsing bytes: some Collection<UInt8>) throws(TagMemoryError) {
    let bytes = Array(bytes)
    guard bytes.count == 8 else {
      throw .wrongLength(format: "an answer to GET_VERSION", expected: 8, found: bytes.count)
    }
    self.bytes = bytes
  }

  package var vendor: UInt8 { bytes[1] }
  /// 03 is Ultralight, 04 is NTAG.
  package var type: UInt8 { bytes[2] }
  /// 01: 17 pF, 02: 50 pF, and others.
  package var subtype: UInt8 { bytes[3] }
  package var majorVersion: UInt8 { bytes[4] }
  package var minorVersion: UInt8 { bytes[5] }
  package var size: UInt8 { bytes[6] }
  package var `protocol`: UInt8 { bytes[7] }

  /// The user memory in bytes as byte 6 codes it: 2ⁿ exactly, or between 2ⁿ and 2ⁿ⁺¹, where n
  /// stands in the high seven bits. Nil for sizes of a megabyte and more, which no tag has.
  package var userByteCount: ClosedRange<Int>? {
    let exponent = Int(size >> 1)
    guard exponent < 20 else { return nil }
    let lower = 1 << exponent
    return lower...(size & 1 == 0 ? lower : lower * 2)
  }

  /// The product, if the table knows the answer.
  package var product: Product? { Self.table.first { $0.matches(bytes) }?.product }
}

extension VersionAnswer: CustomStringConvertible {
  /// `00 04 04 02 01 00 0F 03`.
  package var description: String { Hex.string(bytes, separator: " ").uppercased() }
}
