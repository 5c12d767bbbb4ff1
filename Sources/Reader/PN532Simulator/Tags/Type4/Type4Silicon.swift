/// The Type 4 chips that know files and nothing else: one row a product. To add a chip, add a row
/// here.
///
/// ST25TA: ST data sheets DocID027801 and relatives; the system file and the password commands as
/// in those of the M24SR.
package struct Type4Silicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  let uidSizes: [Int]
  /// The first byte of a UID that is made up: the maker.
  let maker: UInt8
  let atqa: UInt16
  /// FSCI: the longest frame it takes.
  let frameSizeIndex: UInt8
  /// TA, TB and TC of the ATS and its historical bytes.
  let interface: [UInt8]
  /// The identifier of the NDEF file.
  let fileID: UInt16
  let layout: Type4Layout
  /// A system file, passwords and permanent locks, as ST's chips have them.
  var system: System?

  struct System: Hashable, Sendable {
    /// The product code at the end of the system file.
    let code: UInt8
  }

  static let all = [
    Type4Silicon(
      name: "type4", uidSizes: [7, 4], maker: 0x04, atqa: 0x0344, frameSizeIndex: 5,
      interface: [0x77, 0x81, 0x02, 0x80], fileID: 0xE104, layout: Type4Layout()),
    st25("st25ta512", size: 0x40, mle: 0xFF, mlc: 0x36, code: 0xE5),
    st25("st25ta02k", size: 0x100, mle: 0xFF, mlc: 0x36, code: 0xE2),
    st25("st25ta16k", size: 0x800, mle: 0xF6, mlc: 0xF6, code: 0xC5),
  ]

  private static func st25(_ name: String, size: Int, mle: Int, mlc: Int, code: UInt8) -> Self {
    Type4Silicon(
      name: name, uidSizes: [7], maker: 0x02, atqa: 0x0042,
      frameSizeIndex: mlc > 64 ? 8 : 5, interface: [0x80, 0x60, 0x02], fileID: 0x0001,
      layout: Type4Layout(size: size, mle: mle, mlc: mlc), system: System(code: code))
  }
}

/// What a Type 4 tag is made with: most of it stands in its capability container afterwards.
package struct Type4Layout: Hashable, Sendable {
  /// Mapping version 1, 2 or 3.
  var mapping = 2
  /// Bytes of the NDEF file, the length of the message included.
  var size = 0x0800
  /// The longest READ and the longest UPDATE, in bytes.
  var mle = 0xF6
  var mlc = 0xF6
  var rights = Rights.free

  enum Rights: String, CaseIterable, Sendable {
    case free
    /// Write access FFh.
    case readonly
    /// Write access 80h: somebody's own way to be let in.
    case password
    /// Read and write access 80h.
    case closed

    var access: [UInt8] {
      switch self {
      case .free: [0x00, 0x00]
      case .readonly: [0x00, 0xFF]
      case .password: [0x00, 0x80]
      case .closed: [0x80, 0x80]
      }
    }
  }

  /// CCLEN, version, MLe, MLc, NDEF file control TLV (Type 4 Tag, 4.2).
  func container(fileID: UInt16) -> [UInt8] {
    let word = { (value: Int) in [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    let control: [UInt8] =
      mapping == 3
      ? [0x06, 0x08] + word(Int(fileID)) + word(size >> 16) + word(size)
      : [0x04, 0x06] + word(Int(fileID)) + word(size)
    let tail = [UInt8(mapping << 4)] + word(mle) + word(mlc) + control + rights.access
    return word(tail.count + 2) + tail
  }
}

/// How a Type 4 tag does what it does; none of this is stored.
package struct Type4Behaviour: Hashable, Sendable {
  /// FSCI; nil: the product's.
  var frameSizeIndex: UInt8?
  /// How often it asks for more time with each write.
  var waits = 0
  var longRead = LongRead.short
  var tearing = Tearing.page
  /// It has the file EF.CardAccess, as identity documents have (ICAO Doc 9303, part 11).
  var hasCardAccess = false
  /// The loop of a TagTamper is open.
  var loopIsOpen = false

  /// What becomes of a READ for more than there is.
  enum LongRead: String, CaseIterable, Sendable {
    /// What there is comes; a Le above MLe is 6700h.
    case short
    /// 6Cxxh with the right Le.
    case corrected = "6cxx"
    case refused = "6700"
  }

  /// What is written in one piece.
  enum Tearing: String, CaseIterable, Sendable {
    /// Nothing: memory is programmed by 32 bytes, and each of these cycles may be torn within.
    case page
    /// The data of each frame, as NTAG 424 DNA has it.
    case frame
  }
}
