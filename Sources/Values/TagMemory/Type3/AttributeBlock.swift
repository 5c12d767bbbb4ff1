import Bytes

/// Block 0 of an NFC Forum Type 3 tag: how its message is read, written and how long it is (NFC
/// Forum Type 3 Tag 1.0, 6.1).
///
///     byte    content
///     0       version, major in the high nibble: 10 is 1.0
///     1       Nbr: blocks that one read may ask for
///     2       Nbw: blocks that one write may carry; 0 where nothing can be written
///     3–4     Nmaxb: blocks for the message, from block 1 on
///     5–8     reserved
///     9       WriteFlag: 0F while a message is being written, 00 once it is whole
///     10      RWFlag: 01 for reading and writing, 00 for reading alone
///     11–13   Ln: length of the message in bytes
///     14–15   sum of bytes 0 to 13
///
/// Numbers have their high byte first. A reader that finds another sum, or WriteFlag 0F, finds no
/// message.
package struct AttributeBlock: Hashable, Sendable {
  package static let byteCount = 16
  /// Its number on the tag; the message starts in the block behind it.
  package static let number: UInt16 = 0

  package var version: UInt8
  /// Nbr.
  package var blocksPerRead: UInt8
  /// Nbw.
  package var blocksPerWrite: UInt8
  /// Nmaxb.
  package var messageBlockCount: UInt16
  /// Bytes 5 to 8.
  package var reserved: [UInt8]
  package var writeFlag: UInt8
  package var accessFlag: UInt8
  /// Ln, 24 bits.
  package var length: Int

  /// WriteFlag while a message is being written.
  static let writing: UInt8 = 0x0F
  /// RWFlag of a tag that may be written.
  package static let open: UInt8 = 0x01

  /// An empty tag of version 1.0 with so many blocks for a message.
  package init(blocksPerRead: UInt8, blocksPerWrite: UInt8, messageBlockCount: UInt16) {
    version = 0x10
    (self.blocksPerRead, self.blocksPerWrite) = (blocksPerRead, blocksPerWrite)
    self.messageBlockCount = messageBlockCount
    reserved = [0, 0, 0, 0]
    (writeFlag, accessFlag, length) = (0, Self.open, 0)
  }

  /// Reads the fields of 16 bytes, whatever their checksum; nil for another number of bytes.
  package init?(fields bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    (version, blocksPerRead, blocksPerWrite) = (bytes[0], bytes[1], bytes[2])
    messageBlockCount = UInt16(bytes[3]) << 8 | UInt16(bytes[4])
    reserved = Array(bytes[5..<9])
    (writeFlag, accessFlag) = (bytes[9], bytes[10])
    length = Int(bytes[11]) << 16 | Int(bytes[12]) << 8 | Int(bytes[13])
  }

  /// Reads a block whose checksum is right and whose version is known here; throws what is wrong
  /// with it.
  package init(parsing bytes: [UInt8]) throws(AttributeError) {
    guard let block = AttributeBlock(fields: bytes) else { throw .size(bytes.count) }
    guard bytes.contains(where: { $0 != 0 }) else { throw .blank }
    let (stored, computed) = (Self.stored(in: bytes), Self.checksum(of: bytes))
    guard stored == computed else { throw .checksum(stored: stored, computed: computed) }
    guard block.majorVersion == 1 else { throw .version(block.version) }
    self = block
  }

  /// The 16 bytes, with their checksum.
  package func serialize() -> [UInt8] {
    let count = min(max(length, 0), 0xFF_FFFF)
    let fields =
      [
        version, blocksPerRead, blocksPerWrite, UInt8(messageBlockCount >> 8),
        UInt8(messageBlockCount & 0xFF),
      ] + reserved + [
        writeFlag, accessFlag, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF),
      ]
    let sum = Self.checksum(of: fields)
    return fields + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  /// RWFlag stands at byte 10, the checksum at bytes 14 and 15.
  package static let accessOffset = 10
  package static let checksumOffset = 14

  /// The sum of bytes 0 to 13.
  package static func checksum(of bytes: [UInt8]) -> UInt16 {
    bytes.prefix(checksumOffset).reduce(0) { $0 &+ UInt16($1) }
  }

  /// The sum that 16 bytes say they have.
  package static func stored(in bytes: [UInt8]) -> UInt16 {
    UInt16(bytes[checksumOffset]) << 8 | UInt16(bytes[checksumOffset + 1])
  }
}

extension AttributeBlock {
  package var majorVersion: UInt8 { version >> 4 }
  /// The longest message in bytes: 16 for each of its blocks, at most what a length of 24 bits can
  /// say.
  package var capacity: Int { min(Int(messageBlockCount) * Self.byteCount, 0xFF_FFFF) }
  /// Is true if a message is being written: what the blocks hold is part of it at best.
  package var isBeingWritten: Bool { writeFlag != 0 }
  /// Is true if the block says that a message may be written. Values that the specification does
  /// not name count as no.
  package var allowsWriting: Bool { accessFlag == Self.open && blocksPerWrite > 0 }
  /// The blocks that a message of `byteCount` bytes takes.
  package static func blockCount(of byteCount: Int) -> Int {
    (max(0, byteCount) + Self.byteCount - 1) / Self.byteCount
  }

  /// This is the block while a message is being written: whoever reads it finds none, and one that
  /// does not look at the flag an empty one.
  package var beingWritten: AttributeBlock {
    var copy = self
    (copy.writeFlag, copy.length) = (Self.writing, 0)
    return copy
  }

  /// Returns the block with a whole message of `byteCount` bytes behind it.
  package func holding(_ byteCount: Int) -> AttributeBlock {
    var copy = self
    (copy.writeFlag, copy.length) = (0, byteCount)
    return copy
  }

  /// This is the block for reading alone.
  package var readOnly: AttributeBlock {
    var copy = self
    copy.accessFlag = 0
    return copy
  }

  /// Everything that is odd about the block of a tag with room for at most `available` message
  /// blocks; nil where that is not known. None of it keeps `init(parsing:)` from reading the block.
  package func faults(available: Int?) -> [AttributeError] {
    var faults: [AttributeError] = []
    if blocksPerRead == 0 { faults.append(.noRead) }
    if messageBlockCount == 0 { faults.append(.noRoom) }
    if let available, Int(messageBlockCount) > available {
      faults.append(.beyondMemory(claimed: Int(messageBlockCount), available: available))
    }
    if reserved.contains(where: { $0 != 0 }) { faults.append(.reserved(reserved)) }
    switch writeFlag {
    case 0: break
    case Self.writing: faults.append(.beingWritten)
    default: faults.append(.writeFlag(writeFlag))
    }
    switch accessFlag {
    case 0: break
    case Self.open: if blocksPerWrite == 0 { faults.append(.noWrite) }
    default: faults.append(.accessFlag(accessFlag))
    }
    if length > capacity { faults.append(.length(length, capacity: capacity)) }
    return faults
  }
}

extension AttributeBlock: CustomStringConvertible {
  /// `10 04 01 00 0D 00 00 00 00 00 01 00 00 14 00 37`.
  package var description: String { Hex.string(serialize(), separator: " ").uppercased() }
}
