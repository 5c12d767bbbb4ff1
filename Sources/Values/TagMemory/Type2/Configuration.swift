import Bytes

/// The two configuration pages of an NTAG21x, Ultralight EV1 or Ultralight AES: CFG0 and CFG1.
///
/// NTAG213/215/216, 8.5.7; NTAG210/212, 8.5.6; MF0ULX1, 8.5.6. Reserved bits are kept as they were
/// read.
///
///     byte   bit 7    6        5…4           3                   2             1…0
///     0      MIRROR_CONF       MIRROR_BYTE   reserved            STRG_MOD_EN   reserved
///     2      MIRROR_PAGE
///     3      AUTH0
///     4      PROT     CFGLCK   5: reserved   NFC_CNT_PWD_PROT    AUTHLIM (2…0)
///                              4: NFC_CNT_EN
///     5      VCTID (EV1, NTAG210/212)
///
/// Those of an Ultralight AES are described at `Style.ultralightAES`.
package struct Configuration: Hashable, Sendable {
  /// What a chip's configuration bits mean.
  package enum Style: Hashable, Sendable {
    /// NTAG213, 215, 216: mirror of UID and counter, NFC counter.
    case ntag213
    /// NTAG213F, 215F, 216F: as NTAG213, and in byte 0 the sleep mode (bit 3) and what the
    /// field-detection pin shows (bits 1 and 0), which belong to the device that the tag is in.
    case ntag213F
    /// NTAG210, 212: mirror of the UID, no counter.
    case ntag210
    /// MF0UL11, MF0UL21: no mirror; its three counters cannot be configured.
    case ultralightEV1
    /// MF0AES20: AUTH0, PROT, CFGLCK and VCTID where the others have them; RID_ACT and SEC_MSG_ACT
    /// in byte 0, bits 0 and 1; CNT_INC_EN and CNT_RD_EN in byte 4, bits 3 and 2; AUTH_LIM, ten
    /// bits, low byte first, in bytes 6 and 7. So libpretixnfc and Proxmark3 have it, and a
    /// description of stustapay, each after the data sheet.
    case ultralightAES
  }

  package let style: Style
  /// CFG0 and CFG1 as they are stored: eight bytes.
  package private(set) var bytes: [UInt8]

  /// Reads CFG0 and CFG1; throws when there are not eight bytes.
  package init(parsing pages: some Collection<UInt8>, style: Style) throws(TagMemoryError) {
    let pages = Array(pages)
    guard pages.count == 8 else {
      throw .wrongLength(format: "a configuration (CFG0 and CFG1)", expected: 8, found: pages.count)
    }
    self.style = style
    bytes = pages
  }

  /// As delivered: no password protection, no mirror, no counter.
  package init(factory style: Style) {
    self.style = style
    bytes =
      switch style {
      case .ntag213, .ntag213F: [0x04, 0, 0, 0xFF, 0, 0, 0, 0]
      case .ntag210: [0x04, 0, 0, 0xFF, 0, 0x05, 0, 0]
      case .ultralightEV1: [0x00, 0, 0, 0xFF, 0, 0x05, 0, 0]
      // AUTH0 as all sources have it; PROT and the counter's two bits as the Flipper Zero's
      // unleashed firmware alone has them, from one tag. They do nothing as long as AUTH0 is off.
      case .ultralightAES: [0x00, 0, 0, 0x3C, 0x8C, 0x05, 0, 0]
      }
  }

  /// With a page as delivered in place of one that holds other bits than zeros where every chip has
  /// them (bytes 1, 6 and 7): it lost power while it was written.
  package var repaired: Configuration {
    if style == .ultralightAES { return repairedAES }
    var repaired = self
    let delivered = Configuration(factory: style)
    if bytes[1] != 0 {
      repaired.bytes.replaceSubrange(0..<4, with: delivered.bytes[0..<4])
      repaired.setBits(style.foreignBits, to: bytes[0], inByte: 0)
    }
    if bytes[6] != 0 || bytes[7] != 0 {
      repaired.bytes.replaceSubrange(4..<8, with: [0, 0x05, 0, 0])
    }
    return repaired
  }

  /// The eight bytes of CFG0 and CFG1.
  package func serialize() -> [UInt8] { bytes }

  /// The four bytes of CFG0.
  package var cfg0: [UInt8] { Array(bytes[0..<4]) }
  /// The four bytes of CFG1.
  package var cfg1: [UInt8] { Array(bytes[4..<8]) }
}

extension Configuration {
  /// STRG_MOD_EN: strong load modulation.
  package var strongModulation: Bool {
    get { bytes[0] & 0x04 != 0 }
    set { set(0x04, newValue, inByte: 0) }
  }

  /// AUTH0: the first page that needs the password. Beyond the last page, usually FF: none.
  package var auth0: UInt8 {
    get { bytes[3] }
    set { bytes[3] = newValue }
  }

  /// PROT: reading the protected pages needs the password too.
  package var protectsReading: Bool {
    get { bytes[4] & 0x80 != 0 }
    set { set(0x80, newValue, inByte: 4) }
  }

  /// CFGLCK: CFG0 and CFG1 are read-only for good from the next power-up. PWD and PACK are not.
  package var isLocked: Bool {
    get { bytes[4] & 0x40 != 0 }
    set { set(0x40, newValue, inByte: 4) }
  }

  /// NFC_CNT_EN: the first READ or FAST_READ after each power-up counts. Always false where the
  /// chip has no such counter.
  package var countsReads: Bool {
    get { style.hasReadCounter && bytes[4] & 0x10 != 0 }
    set { if style.hasReadCounter { set(0x10, newValue, inByte: 4) } }
  }

  /// NFC_CNT_PWD_PROT: reading the counter needs the password.
  package var protectsCounter: Bool {
    get { style.hasReadCounter && bytes[4] & 0x08 != 0 }
    set { if style.hasReadCounter { set(0x08, newValue, inByte: 4) } }
  }

  /// AUTHLIM, 0 to 7, of an Ultralight AES 0 to 1023: so many wrong passwords in a row close the
  /// protected pages for good, even to the right one; 0: no limit. Higher bits of a new value are
  /// cut off.
  package var attemptLimit: Int {
    get { style == .ultralightAES ? attemptLimitAES : Int(bytes[4] & 0x07) }
    set {
      if style == .ultralightAES {
        (bytes[6], bytes[7]) = (UInt8(newValue & 0xFF), bytes[7] & ~0x03 | UInt8(newValue >> 8 & 3))
      } else {
        bytes[4] = bytes[4] & ~0x07 | UInt8(newValue & 0x07)
      }
    }
  }

  /// VCTID: the virtual card type identifier that answers VCSL (05 as delivered).
  package var virtualCardType: UInt8 {
    get { bytes[5] }
    set { bytes[5] = newValue }
  }

  /// MIRROR_PAGE: the page where the mirror starts; up to 03 it is off.
  var mirrorPage: UInt8 {
    get { bytes[2] }
    set { bytes[2] = newValue }
  }

  mutating func set(_ mask: UInt8, _ on: Bool, inByte index: Int) {
    bytes[index] = on ? bytes[index] | mask : bytes[index] & ~mask
  }

  mutating func setBits(_ mask: UInt8, to value: UInt8, inByte index: Int) {
    bytes[index] = bytes[index] & ~mask | value & mask
  }
}

extension Configuration.Style {
  /// Is true if the chip counts its readings, and can show that counter.
  package var hasReadCounter: Bool { self == .ntag213 || self == .ntag213F }

  /// Bits of byte 0 that say nothing of the tag's memory, and that no job here sets or clears.
  var foreignBits: UInt8 { self == .ntag213F ? 0x0F : 0 }
}

extension Configuration: CustomStringConvertible {
  /// CFG0 and CFG1: `04 00 00 FF 00 00 00 00`.
  package var description: String { Hex.string(bytes, separator: " ").uppercased() }
}
