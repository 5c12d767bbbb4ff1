import Bytes

/// A block of a Type 2 or MIFARE Classic data area: tag, length, value.
///
/// NFC Forum Type 2 Tag 1.1, 2.3; AN1304, 3. The length takes one byte up to 254, and three
/// (FF, then two bytes, high byte first) from 255 to 65534. NULL and Terminator have neither
/// length nor value.
package struct TLV: Hashable, Sendable {
  package var tag: Tag
  /// At most 65534 bytes; none for `null` and `terminator`.
  package let value: [UInt8]

  /// Nil when `value` is longer than 65534 bytes, or not empty where `tag` has no value.
  package init?(_ tag: Tag, _ value: some Sequence<UInt8> = []) {
    let value = Array(value)
    guard value.count <= TLV.longestValue, tag.hasLength || value.isEmpty else { return nil }
    self.tag = tag
    self.value = value
  }

  /// Tag, shortest length field, value.
  package func serialize() -> [UInt8] {
    guard tag.hasLength else { return [tag.rawValue] }
    return [tag.rawValue] + TLV.lengthField(value.count) + value
  }
}

extension TLV {
  /// Bytes of a Lock or Memory Control TLV, its tag and length included.
  static let controlByteCount = 5

  /// The longest value that a length field can announce, in bytes.
  package static let longestValue = 0xFFFE
  /// The longest value that a one-byte length field can announce.
  package static let longestShortValue = 0xFE

  /// Tag and length field of an NDEF message TLV: 2 bytes for up to 254 bytes of message, else 4.
  /// Nil when `byteCount` is not between 0 and 65534.
  package static func messageHeader(byteCount: Int) -> [UInt8]? {
    guard 0...longestValue ~= byteCount else { return nil }
    return [Tag.ndefMessage.rawValue] + lengthField(byteCount)
  }

  /// The NDEF message TLV as it goes onto a tag with `room` bytes left for it: the header, the
  /// message, and a Terminator if a byte is left. Nil when it does not fit.
  package static func messageBlock(_ message: [UInt8], room: Int) -> [UInt8]? {
    guard let header = messageHeader(byteCount: message.count) else { return nil }
    let block = header + message
    guard block.count <= room else { return nil }
    return block.count < room ? block + [Tag.terminator.rawValue] : block
  }

  /// The longest message, in bytes, whose TLV takes `room` bytes at most (no Terminator); nil when
  /// not even an empty one fits.
  package static func messageCapacity(room: Int) -> Int? {
    guard room >= 2 else { return nil }
    if room - 2 <= longestShortValue { return room - 2 }
    return min(max(longestShortValue, room - 4), longestValue)
  }

  /// `length` must lie between 0 and 65534.
  static func lengthField(_ length: Int) -> [UInt8] {
    length <= longestShortValue
      ? [UInt8(length)] : [0xFF, UInt8(length >> 8), UInt8(length & 0xFF)]
  }
}

extension TLV {
  /// The tag byte of a TLV; others than these are skipped by their length.
  package struct Tag: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Padding, a single byte.
    package static let null = Tag(rawValue: 0x00)
    /// Where the dynamic lock bits of a Type 2 tag lie.
    package static let lockControl = Tag(rawValue: 0x01)
    /// Reserved bytes of a Type 2 tag.
    package static let memoryControl = Tag(rawValue: 0x02)
    /// An NDEF message; only the first counts.
    package static let ndefMessage = Tag(rawValue: 0x03)
    /// What a job leaves of a message that it has switched off, as long as TLVs of others follow
    /// and the new message is not there yet: a tag byte that nobody uses, so that readers pass over
    /// it.
    package static let rest = Tag(rawValue: 0xFC)
    /// As `rest`, left by a job that changes more than the data area: a mirror.
    package static let restOfMore = Tag(rawValue: 0xFB)
    /// Proprietary data.
    package static let proprietary = Tag(rawValue: 0xFD)
    /// The last TLV, a single byte.
    package static let terminator = Tag(rawValue: 0xFE)

    /// Is true if a length field follows.
    package var hasLength: Bool { self != .null && self != .terminator }

    /// Is true if a job that was cut short has left it in place of its message.
    var isRest: Bool { self == .rest || self == .restOfMore }
  }
}

extension TLV.Tag: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "NULL"
    case .lockControl: "Lock Control"
    case .memoryControl: "Memory Control"
    case .ndefMessage: "NDEF Message"
    case .proprietary: "Proprietary"
    case .terminator: "Terminator"
    default: "unknown TLV \(Hex.byte(rawValue).uppercased())h"
    }
  }
}
