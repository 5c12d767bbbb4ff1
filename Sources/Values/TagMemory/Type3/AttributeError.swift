import Bytes

/// Something wrong with, or odd about, the attribute block of a Type 3 tag.
package enum AttributeError: Error, Hashable, Sendable {
  /// Not 16 bytes.
  case size(Int)
  /// Nothing but zeros: never written.
  case blank
  /// The sum that stands there is not that of its bytes: no attribute block, or one that was torn.
  case checksum(stored: UInt16, computed: UInt16)
  /// A major version that is not known here.
  case version(UInt8)
  /// Nbr is 0.
  case noRead
  /// Nbw is 0, and RWFlag says that writing is allowed.
  case noWrite
  /// Nmaxb is 0.
  case noRoom
  /// Nmaxb counts more blocks than the tag has.
  case beyondMemory(claimed: Int, available: Int)
  /// Bytes 5 to 8 are not zeros.
  case reserved([UInt8])
  /// WriteFlag is 0F: a message was begun and not finished.
  case beingWritten
  /// WriteFlag is neither 00 nor 0F.
  case writeFlag(UInt8)
  /// RWFlag is neither 00 nor 01.
  case accessFlag(UInt8)
  /// Ln is more than the blocks hold.
  case length(Int, capacity: Int)

  /// Stable, for programs.
  package var code: String {
    switch self {
    case .size: "attribute-size"
    case .blank: "attribute-blank"
    case .checksum: "attribute-checksum"
    case .version: "attribute-version"
    case .noRead, .noWrite: "attribute-blocks"
    case .noRoom: "attribute-empty"
    case .beyondMemory: "attribute-room"
    case .reserved: "attribute-reserved"
    case .beingWritten, .writeFlag: "half-written"
    case .accessFlag: "attribute-access"
    case .length: "attribute-length"
    }
  }
}

extension AttributeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .size(let count): "the attribute block takes 16 bytes, not \(count)"
    case .blank: "block 0 holds no attribute block yet"
    case .checksum(let stored, let computed):
      "block 0 has the checksum \(Self.hex(stored)), its bytes give \(Self.hex(computed))"
    case .version(let version):
      "the attribute block has version \(version >> 4).\(version & 0xF), which is not supported"
    case .noRead: "the attribute block allows zero blocks to be read at a time (Nbr is 0)"
    case .noWrite: "the attribute block allows writing, but zero blocks at a time (Nbw is 0)"
    case .noRoom: "the attribute block claims zero blocks for a message (Nmaxb is 0)"
    case .beyondMemory(let claimed, let available):
      "the attribute block claims \(claimed) blocks for a message; the tag has \(available)"
    case .reserved(let bytes):
      "bytes 5 to 8 of the attribute block are reserved, and hold \(Hex.string(bytes, separator: " ").uppercased())"
    case .beingWritten:
      "the message is half written: a write was interrupted (WriteFlag 0F), and readers find no message"
    case .writeFlag(let flag):
      "WriteFlag is \(Hex.byte(flag).uppercased()), neither 00 nor 0F: readers find no message"
    case .accessFlag(let flag):
      "RWFlag is \(Hex.byte(flag).uppercased()), neither 00 nor 01: it counts as read-only"
    case .length(let length, let capacity):
      "the message's length is \(length), and its blocks hold \(capacity) bytes"
    }
  }

  private static func hex(_ number: UInt16) -> String {
    Hex.string([UInt8(number >> 8), UInt8(number & 0xFF)]).uppercased()
  }
}
