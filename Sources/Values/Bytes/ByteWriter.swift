/// Builds a run of bytes; numbers are written high byte first.
package struct ByteWriter: Sendable {
  /// What has been written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ byte: UInt8) { bytes.append(byte) }

  package mutating func write(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func write(_ value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(value & 0xFF))
  }

  package mutating func write(_ value: UInt32) {
    write(UInt16(value >> 16))
    write(UInt16(value & 0xFFFF))
  }
}
