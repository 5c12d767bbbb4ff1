/// The checksum of EV1's encrypted commands: polynomial 04C11DB7h reflected, preset FFFFFFFFh, not
/// inverted at the end; low byte first (AN12196, 6.16.1).
package enum CRC32 {
  package static func bytes(of data: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in data {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) }
  }
}
