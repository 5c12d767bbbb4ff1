import Bytes

/// Something wrong with, or odd about, the capability container of a Type 4 tag.
package enum CapabilityError: Error, Hashable, Sendable {
  /// Fewer bytes than the shortest container has.
  case tooShort(Int)
  /// CCLEN is a reserved value.
  case lengthReserved(Int)
  /// A mapping version that is not known here.
  case version(UInt8)
  /// MLe is 0: nothing could be read.
  case readsNothing
  /// The first control TLV is not the message's but one with this type byte.
  case messageMissing(UInt8)
  /// The message's file has an identifier that is reserved for another.
  case fileReserved(FileID)
  /// The message's file has a reserved size.
  case fileSize(Int)
  /// A control TLV of this type has a wrong length.
  case controlLength(UInt8, Int)
  /// A control TLV of this type does not end within the container.
  case controlCutShort(UInt8)
  /// MLe is below 15.
  case readsFew(Int)
  /// MLc is below 13.
  case writesFew(Int)
  /// The TLV of a large file, which this mapping version does not have.
  case longFile(UInt8)
  /// Not everyone may read.
  case readAccess(FileControl.Access)
  /// Writing is neither free nor forbidden.
  case writeAccess(FileControl.Access)
  /// A second file for a message.
  case secondMessage(FileID)
  /// A TLV of an unknown type.
  case unknownControl(UInt8)
}

extension CapabilityError {
  /// Stable, for programs.
  package var code: String {
    switch self {
    case .tooShort, .lengthReserved: "cc-length"
    case .version: "cc-version"
    case .readsNothing, .readsFew: "cc-mle"
    case .writesFew: "cc-mlc"
    case .messageMissing, .secondMessage, .unknownControl, .controlLength, .controlCutShort:
      "cc-control"
    case .fileReserved: "cc-file"
    case .fileSize, .longFile: "cc-size"
    case .readAccess: "cc-read-access"
    case .writeAccess: "cc-write-access"
    }
  }
}

extension CapabilityError: CustomStringConvertible {
  /// The end of a sentence.
  package var description: String {
    switch self {
    case .tooShort(let count):
      "the capability container has \(count) bytes; the minimum is 15"
    case .lengthReserved(let length):
      "the capability container gives its own length as \(length) bytes; 15 to 32767 are possible"
    case .version(let byte):
      "the capability container has mapping version \(byte >> 4).\(byte & 0x0F), which is not supported"
    case .readsNothing: "the capability container allows 0 bytes to be read at a time (MLe)"
    case .messageMissing(let type):
      "the capability container names no file for a message: its first control TLV has type \(Self.hex(type))"
    case .fileReserved(let file):
      "the capability container puts the message into \(file), which is reserved"
    case .fileSize(let size):
      "the capability container gives the message a file of \(size) bytes, a reserved size"
    case .controlLength(let type, let length):
      "the capability container has a control TLV of type \(Self.hex(type)) with the wrong length \(length)"
    case .controlCutShort(let type):
      "the capability container ends within its control TLV of type \(Self.hex(type))"
    case .readsFew(let count):
      "the capability container allows \(count) \(count == 1 ? "byte" : "bytes") to be read at a time (MLe); the minimum is 15"
    case .writesFew(let count):
      "the capability container allows \(count) \(count == 1 ? "byte" : "bytes") to be written at a time (MLc); the minimum is 13"
    case .longFile(let byte):
      "the capability container describes a large file, which mapping version \(byte >> 4).\(byte & 0x0F) does not have"
    case .readAccess(let access):
      "the capability container does not allow everyone to read (\(access))"
    case .writeAccess(let access):
      "the capability container neither allows everyone to write nor forbids it (\(access))"
    case .secondMessage(let file):
      "the capability container names \(file) as a second file for a message"
    case .unknownControl(let type):
      "the capability container has a control TLV of the unknown type \(Self.hex(type))"
    }
  }

  private static func hex(_ byte: UInt8) -> String { Hex.byte(byte).uppercased() + "h" }
}
