import Bytes

/// The capability container of a Type 2 tag: page 3.
///
/// NFC Forum Type 2 Tag 1.1, 6.1. The page is one-time programmable: a write can set bits, never
/// clear one.
///
///     byte   content
///     0      E1: NDEF data is present
///     1      version, major in the high nibble: 10 is 1.0
///     2      size of the data area ÷ 8
///     3      read access (high nibble), write access (low nibble)
package struct CapabilityContainer: Hashable, Sendable {
  /// The value of byte 0 that says “NDEF”.
  package static let magic: UInt8 = 0xE1

  package var magic: UInt8
  package var version: UInt8
  package var size: UInt8
  package var access: UInt8

  /// An NDEF tag of version 1.0, readable by everyone, with a data area of `areaByteCount` bytes (a
  /// multiple of 8, at most 2040; the rest is cut off).
  package init(areaByteCount: Int, readOnly: Bool = false) {
    magic = Self.magic
    version = 0x10
    size = UInt8(clamping: areaByteCount / 8)
    access = readOnly ? 0x0F : 0x00
  }

  /// Reads the four bytes of page 3, whatever they say; throws when there are not four.
  package init(parsing bytes: some Collection<UInt8>) throws(TagMemoryError) {
    let page = Array(bytes)
    guard page.count == Page.byteCount else {
      throw .wrongLength(
        format: "a capability container", expected: Page.byteCount, found: page.count)
    }
    (magic, version, size, access) = (page[0], page[1], page[2], page[3])
  }

  /// The four bytes of page 3.
  package func serialize() -> [UInt8] { [magic, version, size, access] }

  /// 00 00 00 00: never written.
  package static let blank = CapabilityContainer(magic: 0, version: 0, size: 0, access: 0)

  private init(magic: UInt8, version: UInt8, size: UInt8, access: UInt8) {
    (self.magic, self.version, self.size, self.access) = (magic, version, size, access)
  }
}

extension CapabilityContainer {
  /// Who may do something, as one nibble of byte 3 says it.
  package enum Access: Hashable, Sendable {
    /// 0: everyone.
    case free
    /// F: nobody.
    case never
    /// 8 to E: whoever knows something that the container does not tell; 8 usually means a
    /// password.
    case proprietary(UInt8)
    /// 1 to 7: reserved by the NFC Forum.
    case reserved(UInt8)

    init(nibble: UInt8) {
      self =
        switch nibble {
        case 0: .free
        case 0xF: .never
        case 8...0xE: .proprietary(nibble)
        default: .reserved(nibble)
        }
    }
  }

  package var readAccess: Access { Access(nibble: access >> 4) }
  package var writeAccess: Access { Access(nibble: access & 0xF) }

  package var majorVersion: UInt8 { version >> 4 }
  package var minorVersion: UInt8 { version & 0xF }

  /// Is true if a reader may look for NDEF data at all: the magic number and major version 1
  /// (6.1.1).
  package var isNDEF: Bool { magic == Self.magic && majorVersion == 1 }

  /// Is true if nothing was ever written here.
  package var isBlank: Bool { self == .blank }

  /// The size of the data area in bytes, from page 4 on.
  package var areaByteCount: Int { Int(size) * 8 }

  /// This is the container with its write access set to “never”.
  package var readOnly: CapabilityContainer {
    var copy = self
    copy.access |= 0x0F
    return copy
  }

  /// What the tag holds after `other` was written over this container: both, or-ed.
  package func merged(with other: CapabilityContainer) -> CapabilityContainer {
    CapabilityContainer(
      magic: magic | other.magic, version: version | other.version, size: size | other.size,
      access: access | other.access)
  }

  /// Returns whether writing `target` makes the tag hold just that: no bit would have to be
  /// cleared.
  package func canBecome(_ target: CapabilityContainer) -> Bool { merged(with: target) == target }
}

extension CapabilityContainer: CustomStringConvertible {
  /// `E1 10 12 00`.
  package var description: String { Hex.string(serialize(), separator: " ").uppercased() }
}
