/// Reads a run of bytes from front to back and knows where it stands.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  /// The offset of the next byte, from the start of the outermost input.
  package private(set) var offset: Int
  private var index = 0

  /// Starts at the first of `bytes`; `offset` is that byte's position in a larger input.
  package init(_ bytes: some Sequence<UInt8>, offset: Int = 0) {
    self.bytes = Array(bytes)
    self.offset = offset
  }

  /// How many bytes are left.
  package var remaining: Int { bytes.count - index }

  /// Is true if nothing is left.
  package var isAtEnd: Bool { index == bytes.count }

  /// The next byte, without moving on.
  package var peek: UInt8? { isAtEnd ? nil : bytes[index] }

  /// The next byte.
  package mutating func byte() throws(ByteReaderError) -> UInt8 {
    try self.bytes(1)[0]
  }

  /// The next two bytes, high byte first.
  package mutating func uint16() throws(ByteReaderError) -> UInt16 {
    try bytes(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  /// The next four bytes, high byte first.
  package mutating func uint32() throws(ByteReaderError) -> UInt32 {
    try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The next `count` bytes.
  package mutating func bytes(_ count: Int) throws(ByteReaderError) -> [UInt8] {
    guard count >= 0, count <= remaining else {
      throw ByteReaderError(offset: offset, wanted: count, available: remaining)
    }
    let slice = Array(bytes[index..<index + count])
    index += count
    offset += count
    return slice
  }

  /// Everything that is left.
  package mutating func rest() -> [UInt8] {
    let slice = Array(bytes[index...])
    offset += slice.count
    index = bytes.count
    return slice
  }
}

/// Fewer bytes were left than were asked for.
package struct ByteReaderError: Error, Hashable, Sendable {
  /// Where the missing bytes should have started.
  package let offset: Int
  /// How many bytes were asked for.
  package let wanted: Int
  /// How many were left.
  package let available: Int
}

extension ByteReaderError: CustomStringConvertible {
  package var description: String {
    "\(wanted) bytes are needed at offset \(offset), \(available) are left"
  }
}
