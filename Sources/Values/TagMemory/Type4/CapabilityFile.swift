/// The capability container of a Type 4 tag: a file that says where the message is, and how it is
/// read and written (Type 4 Tag 1.2, 4.3; mapping 1.0 has the same layout).
///
///     offset  bytes  what
///     0       2      CCLEN: length of all that follows, itself included; 000F to 7FFF
///     2       1      mapping version, major and minor in a nibble each
///     3       2      MLe: the most bytes of an answer's data
///     5       2      MLc: the most bytes of a command's data
///     7       …      control TLVs, the one of the message first
package struct CapabilityFile: Hashable, Sendable {
  /// Bytes in front of the first control TLV.
  package static let headByteCount = 7
  /// The shortest container: its head and one control TLV for a file of up to 7FFFh bytes.
  package static let leastByteCount = 15

  /// Major version in the high nibble: 1, 2 or 3.
  package var version: UInt8
  /// MLe.
  package var longestRead: Int
  /// MLc.
  package var longestWrite: Int
  /// The file of the message.
  package var message: FileControl
  /// Files of the tag's maker or owner.
  package var others: [FileControl]
  /// What is odd about it, and does not keep the message from being found.
  package internal(set) var faults: [CapabilityError] = []

  package init(
    version: UInt8 = 0x20, longestRead: Int, longestWrite: Int, message: FileControl,
    others: [FileControl] = []
  ) {
    (self.version, self.longestRead, self.longestWrite) = (version, longestRead, longestWrite)
    (self.message, self.others) = (message, others)
  }

  package var majorVersion: UInt8 { version >> 4 }

  /// In CoreNFC's words: whether everyone can read the message, and whether everyone can write it.
  package var status: NDEFStatus {
    guard message.readAccess == .free else { return .notSupported }
    return obstacleToWriting == nil ? .readWrite : .readOnly
  }

  /// One of these reasons keeps a reader from writing the message.
  package enum WriteObstacle: Hashable, Sendable {
    /// Nobody may.
    case never
    /// The container sets a condition for writing.
    case condition(FileControl.Access)
    /// The message's length, which takes effect in one command, does not fit MLc.
    case tooFew(Int)
  }

  /// Nil where everyone can write the message.
  package var obstacleToWriting: WriteObstacle? {
    switch message.writeAccess {
    case .free: longestWrite < message.lengthByteCount ? .tooFew(longestWrite) : nil
    case .never: .never
    case .proprietary, .reserved: .condition(message.writeAccess)
    }
  }

  /// The bytes of the file.
  package func serialize() -> [UInt8] {
    let controls = ([message] + others).flatMap { $0.serialize() }
    let count = Self.word(Self.headByteCount + controls.count)
    return count + [version] + Self.word(longestRead) + Self.word(longestWrite) + controls
  }

  private static func word(_ value: Int) -> [UInt8] {
    [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }
}

/// What a control TLV says of a file.
package struct FileControl: Hashable, Sendable {
  /// By the TLV's type byte.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The message, in a file of up to 7FFFh bytes.
    case message = 0x04
    /// A file of the maker's or owner's own.
    case proprietary = 0x05
    /// The message in a larger file, whose length field has four bytes (mapping version 3.0).
    case longMessage = 0x06
    /// A larger file of the maker's or owner's own.
    case longProprietary = 0x07

    /// Bytes of the file's size in the TLV.
    var sizeByteCount: Int { self == .message || self == .proprietary ? 2 : 4 }
    /// The TLV's length byte.
    package var valueByteCount: Int { sizeByteCount + 4 }
    package var isMessage: Bool { self == .message || self == .longMessage }
  }

  /// Who may read, or write, a file.
  package enum Access: Hashable, Sendable {
    /// Everyone.
    case free
    /// Whoever fulfils the maker's own condition: 80h to FEh.
    case proprietary(UInt8)
    /// Nobody: FFh, of writing only.
    case never
    case reserved(UInt8)

    package init(_ byte: UInt8) {
      self =
        switch byte {
        case 0x00: .free
        case 0x80...0xFE: .proprietary(byte)
        case 0xFF: .never
        default: .reserved(byte)
        }
    }

    package var rawValue: UInt8 {
      switch self {
      case .free: 0x00
      case .never: 0xFF
      case .proprietary(let byte), .reserved(let byte): byte
      }
    }
  }

  package var kind: Kind
  package var file: FileID
  /// Bytes in the file; of a message file, its length field included.
  package var byteCount: Int
  package var readAccess: Access
  package var writeAccess: Access

  package init(
    _ kind: Kind, _ file: FileID, byteCount: Int, readAccess: Access = .free,
    writeAccess: Access = .free
  ) {
    (self.kind, self.file, self.byteCount) = (kind, file, byteCount)
    (self.readAccess, self.writeAccess) = (readAccess, writeAccess)
  }

  /// NLEN, or ENLEN of a larger file.
  package var lengthByteCount: Int { kind.sizeByteCount }
  /// The longest message in bytes.
  package var capacity: Int { max(0, byteCount - lengthByteCount) }

  func serialize() -> [UInt8] {
    let size = (0..<kind.sizeByteCount).map { UInt8(truncatingIfNeeded: byteCount >> (8 * $0)) }
    return [kind.rawValue, UInt8(kind.valueByteCount)] + file.bytes + size.reversed()
      + [readAccess.rawValue, writeAccess.rawValue]
  }
}

extension FileControl.Access: CustomStringConvertible {
  package var description: String {
    switch self {
    case .free: "free"
    case .never: "never"
    case .proprietary(let byte): "proprietary, \(String(byte, radix: 16, uppercase: true))h"
    case .reserved(let byte): "reserved, \(String(byte, radix: 16, uppercase: true))h"
    }
  }
}
