/// An address as Lock and Memory Control TLVs write it (NFC Forum Type 2 Tag 1.1, 2.3.2 and 2.3.3).
///
///     value byte   bits 7…4                       bits 3…0
///     0            "page" number                  byte in that "page"
///     2            log2(bytes locked per bit)     log2(bytes per "page")
///
/// That "page" has any power of two as its size; it is not the tag's page of four bytes.
struct ControlAddress: Hashable, Sendable {
  let page: UInt8
  let offset: UInt8
  /// log2 of the "page" size, 0 to 15.
  let exponent: UInt8

  private init(position: UInt8, control: UInt8) {
    (page, offset, exponent) = (position >> 4, position & 0xF, control & 0xF)
  }

  /// The three value bytes of either TLV: the address, the number in byte 1 (00 stands for 256),
  /// and the high nibble of byte 2. Throws when there are not three.
  static func fields(of value: [UInt8], format: String) throws(TagMemoryError)
    -> (address: ControlAddress, count: Int, highNibble: UInt8)
  {
    guard value.count == 3 else {
      throw .wrongLength(format: format, expected: 3, found: value.count)
    }
    return (
      ControlAddress(position: value[0], control: value[2]),
      value[1] == 0 ? 256 : Int(value[1]), value[2] >> 4
    )
  }

  /// Nil when no "page" size reaches `byteAddress`. Sixteen-byte pages, the usual choice, come
  /// first.
  init?(byteAddress: Int) {
    guard byteAddress >= 0 else { return nil }
    let exponents = [4] + (5...15) + [3, 2, 1]
    for exponent in exponents where byteAddress >> exponent <= 0xF {
      let offset = byteAddress - (byteAddress >> exponent) << exponent
      guard offset <= 0xF else { continue }
      self.page = UInt8(byteAddress >> exponent)
      self.offset = UInt8(offset)
      self.exponent = UInt8(exponent)
      return
    }
    return nil
  }

  /// Counted from the first byte of the tag (page 0).
  var byteAddress: Int { Int(page) << Int(exponent) + Int(offset) }

  var position: UInt8 { page << 4 | offset }
}

/// The value of a Lock Control TLV: where dynamic lock bits lie and what each of them locks.
///
/// NFC Forum Type 2 Tag 1.1, 2.3.2. Byte 1 is the number of lock bits (00 stands for 256). The
/// factory TLV of an NTAG213, A0 0C 34, says: byte 160 (page 40), 12 bits, 8 bytes locked per bit.
package struct LockControl: Hashable, Sendable {
  private let address: ControlAddress
  /// 1 to 256.
  package let bitCount: Int
  /// log2 of the number of bytes that a bit locks, 0 to 15.
  private let lockedExponent: UInt8

  /// Reads the three value bytes; throws when there are not three.
  package init(parsing value: some Collection<UInt8>) throws(TagMemoryError) {
    (address, bitCount, lockedExponent) = try ControlAddress.fields(
      of: Array(value), format: "a Lock Control TLV")
  }

  /// Nil where the format cannot say it: an address that no page size reaches, more than 256 bits
  /// or none, a `bytesPerBit` that is no power of two up to 32768.
  package init?(byteAddress: Int, bitCount: Int, bytesPerBit: Int) {
    guard let address = ControlAddress(byteAddress: byteAddress), 1...256 ~= bitCount,
      1...0x8000 ~= bytesPerBit, bytesPerBit.nonzeroBitCount == 1
    else { return nil }
    self.address = address
    self.bitCount = bitCount
    lockedExponent = UInt8(bytesPerBit.trailingZeroBitCount)
  }

  /// Of the first lock byte, counted from the first byte of the tag (page 0).
  package var byteAddress: Int { address.byteAddress }
  /// How many bytes the lock bits take, a started one included.
  package var byteCount: Int { (bitCount + 7) / 8 }
  /// The lock bytes, counted from the first byte of the tag.
  package var byteRange: Range<Int> { byteAddress..<byteAddress + byteCount }
  /// How many bytes each bit locks.
  package var bytesPerBit: Int { 1 << Int(lockedExponent) }

  /// The three value bytes.
  package func serialize() -> [UInt8] {
    [address.position, UInt8(bitCount & 0xFF), lockedExponent << 4 | address.exponent]
  }
}

/// The value of a Memory Control TLV: reserved bytes that a message skips.
///
/// NFC Forum Type 2 Tag 1.1, 2.3.3. Byte 1 is the number of bytes (00 stands for 256).
package struct MemoryControl: Hashable, Sendable {
  private let address: ControlAddress
  /// 1 to 256.
  package let byteCount: Int
  /// The high nibble of byte 2, reserved; kept as found.
  private let reservedNibble: UInt8

  /// Reads the three value bytes; throws when there are not three.
  package init(parsing value: some Collection<UInt8>) throws(TagMemoryError) {
    (address, byteCount, reservedNibble) = try ControlAddress.fields(
      of: Array(value), format: "a Memory Control TLV")
  }

  /// Nil where the format cannot say it: an address that no page size reaches, more than 256 bytes
  /// or none.
  package init?(byteAddress: Int, byteCount: Int) {
    guard let address = ControlAddress(byteAddress: byteAddress), 1...256 ~= byteCount else {
      return nil
    }
    self.address = address
    self.byteCount = byteCount
    reservedNibble = 0
  }

  /// Of the first reserved byte, counted from the first byte of the tag (page 0).
  package var byteAddress: Int { address.byteAddress }
  /// The reserved bytes, counted from the first byte of the tag.
  package var byteRange: Range<Int> { byteAddress..<byteAddress + byteCount }

  /// The three value bytes.
  package func serialize() -> [UInt8] {
    [address.position, UInt8(byteCount & 0xFF), reservedNibble << 4 | address.exponent]
  }
}
