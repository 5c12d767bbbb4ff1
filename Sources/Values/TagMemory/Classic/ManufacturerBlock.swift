/// Block 0 of a MIFARE Classic card (MF1S50YYX_V1, 8.6.1).
///
///     4-byte UID   0…3 UID   4 check byte (XOR of the UID)   5 SAK   6, 7 ATQA, low byte first
///     7-byte UID   0…6 UID   7 SAK   8, 9 ATQA, low byte first
///
/// The rest is the manufacturer's. A card shows in its activation what it does not always store
/// here.
package struct ManufacturerBlock: Hashable, Sendable {
  package let uid: UID
  /// Is true if the check byte is right; true for 7-byte UIDs, which have none here.
  package let isCheckByteRight: Bool
  package let sak: UInt8
  package let atqa: UInt16

  /// Reads the block of a card whose UID has seven bytes, or four; throws when there are not 16
  /// bytes.
  package init(
    parsing bytes: some Collection<UInt8>, hasSevenByteUID: Bool
  ) throws(TagMemoryError) {
    let bytes = Array(bytes)
    guard bytes.count == Block.byteCount else {
      throw .wrongLength(
        format: "a manufacturer block", expected: Block.byteCount, found: bytes.count)
    }
    let sakOffset = hasSevenByteUID ? 7 : 5
    uid = UID(bytes[..<(hasSevenByteUID ? 7 : 4)])
    isCheckByteRight = hasSevenByteUID || bytes[..<5].reduce(0, ^) == 0
    sak = bytes[sakOffset]
    atqa = UInt16(bytes[sakOffset + 2]) << 8 | UInt16(bytes[sakOffset + 1])
  }
}
