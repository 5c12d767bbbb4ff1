import Bytes

/// Byte 9 of a sector trailer, which the card itself gives no meaning.
///
///     sector 0, 16 (AN10787, 3)        bit 7 DA: there is a MAD    bit 6 MA: several applications
///                                      bits 1…0 ADV: 01 MAD1, 10 MAD2
///     NFC sectors (AN1304)             bits 7…6 major, 5…4 minor mapping version
///                                      bits 3…2 read access, 00 free
///                                      bits 1…0 write access, 00 free, 11 none
package struct GeneralPurposeByte: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 69h, as delivered: no MAD.
  package static let transport = GeneralPurposeByte(rawValue: 0x69)
  /// C1h: MAD1, several applications.
  package static let mad1 = GeneralPurposeByte(rawValue: 0xC1)
  /// C2h: MAD2, several applications.
  package static let mad2 = GeneralPurposeByte(rawValue: 0xC2)
  /// 40h: mapping version 1.0, read and write free.
  package static let nfcReadWrite = GeneralPurposeByte(rawValue: 0x40)
  /// 43h: mapping version 1.0, read free, no write.
  package static let nfcReadOnly = GeneralPurposeByte(rawValue: 0x43)
}

/// In sector 0.
extension GeneralPurposeByte {
  /// DA.
  package var hasMAD: Bool { rawValue & 0x80 != 0 }
  /// MA.
  package var isMultiApplication: Bool { rawValue & 0x40 != 0 }
  /// Is true if any of bits 5 to 2 is set, which are reserved.
  package var hasReservedBits: Bool { rawValue & 0x3C != 0 }
  /// ADV; nil when DA is zero, and for the values 00 and 11, which name no version.
  package var madVersion: MAD.Version? {
    hasMAD ? MAD.Version(rawValue: rawValue & 0x03) : nil
  }
}

/// In NFC sectors.
extension GeneralPurposeByte {
  /// Readers know version 1; a higher one must be refused.
  package var majorVersion: UInt8 { rawValue >> 6 }
  package var minorVersion: UInt8 { rawValue >> 4 & 0x03 }
  /// Is true if the sector may be read freely.
  package var isReadFree: Bool { rawValue & 0x0C == 0 }
  /// Is true if it is one that formatters write: version 1.0, read free, write free or never.
  package var isUsual: Bool { [.nfcReadWrite, .nfcReadOnly].contains(self) }
  /// Is true if the sector may be written freely.
  package var isWriteFree: Bool { rawValue & 0x03 == 0 }
}

extension GeneralPurposeByte: CustomStringConvertible {
  package var description: String { "\(Hex.byte(rawValue).uppercased())h" }
}
