/// CRC_A, polynomial 1021h reflected, preset 6363h (ISO/IEC 14443-3, annex B.1); low byte first on
/// the air.
package enum CRCA {
  package static func bytes(of data: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt16 = 0x6363
    for byte in data {
      crc ^= UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
    }
    return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
  }
}
