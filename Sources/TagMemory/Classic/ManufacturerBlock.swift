/// Block 0 of a MIFARE Classic card (MF1S50YYX_V1, 8.6.1).
///
///     4-byte UID   0…3 UID   4 check byte (XOR of the UID)   5 SAK   6, 7 ATQA, low byte first
///     7-byte UID   0…6 UID   7 SAK   8, 9 ATQA, low byte first
///
/// The rest is the manufacturer's. A card shows in its activation what it does not always store here.
public struct ManufacturerBlock: Hashable, Sendable {
  public let uid: UID
  /// Whether the check byte is right; true for 7-byte UIDs, which have none here.
  public let isCheckByteRight: Bool
  public let sak: UInt8
  public let atqa: UInt16

  /// Reads the block's 16 bytes of a card whose UID has `uidByteCount` bytes, 4 or 7. Throws for
  /// another number of either.
  public init(
    parsing bytes: some Collection<UInt8>, uidByteCount: Int
  ) throws(TagMemoryError) {
    let bytes = Array(bytes)
    guard bytes.count == Block.byteCount else {
      throw .wrongLength(
        format: "a manufacturer block", expected: Block.byteCount, found: bytes.count)
    }
    guard uidByteCount == 4 || uidByteCount == 7 else {
      throw .wrongLength(format: "the UID of a MIFARE Classic", expected: 4, found: uidByteCount)
    }
    uid = UID(bytes[..<uidByteCount])
    let rest = bytes[(uidByteCount == 4 ? 5 : 7)...]
    isCheckByteRight = uidByteCount == 7 || bytes[..<5].reduce(0, ^) == 0
    sak = rest[rest.startIndex]
    atqa = UInt16(rest[rest.startIndex + 2]) << 8 | UInt16(rest[rest.startIndex + 1])
  }
}
