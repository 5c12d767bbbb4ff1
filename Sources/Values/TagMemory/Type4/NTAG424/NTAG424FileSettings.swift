import Bytes

/// How a file of an NTAG 424 DNA is transferred, who may do what with it, and what the tag puts
/// into it as it is read (NT4H2421Gx, 10.7.1): what ChangeFileSettings takes behind the file's
/// number.
///
///     byte   what
///     0      bits 1 and 0: how it is transferred; bit 6: it mirrors
///     1, 2   rights, low byte first
///     3 …    the mirror, where bit 6 is set
package struct NTAG424FileSettings: Hashable, Sendable {
  package var mode: EV2Session.Mode
  package var rights: DESFireRights
  /// Only the message's file has one.
  package var mirror: SDMSettings?

  package init(_ mode: EV2Session.Mode, _ rights: DESFireRights, mirror: SDMSettings? = nil) {
    (self.mode, self.rights, self.mirror) = (mode, rights, mirror)
  }

  /// The message's file as it is delivered: everybody reads and writes, key 0 changes that.
  package static let deliveredMessage = NTAG424FileSettings(.plain, DESFireRights(0xEEE0))

  /// What GetFileSettings says; nil where that is nothing that ChangeFileSettings would take.
  package init?(_ settings: DESFireFileSettings) {
    guard let mode = EV2Session.Mode(rawValue: settings.options & 0x03) else { return nil }
    (self.mode, rights) = (mode, settings.rights)
    guard settings.isMirrored else { return }
    guard let mirror = SDMSettings(settings.mirror) else { return nil }
    self.mirror = mirror
  }

  package func serialize() -> [UInt8] {
    [mode.rawValue | (mirror == nil ? 0 : 0x40)] + rights.bytes + (mirror?.serialize() ?? [])
  }
}

/// What an NTAG 424 DNA puts into its message as it is read, secure dynamic messaging (NT4H2421Gx,
/// 9.3 and 10.7.1).
///
///     byte   what
///     0      80 UID, 40 counter, 20 a limit of reads, 10 encrypted file data, 08 state of the
///            tamper loop (NT4H2421Tx, 11.7.1); 01 ASCII, always
///     1, 2   keys, low byte first: bits 15 to 12 for UID and counter, 11 to 8 for file data and
///            code, 7 to 4 F, 3 to 0 for asking for the counter; E: plain text, or free; F: not
///     3 …    three bytes each, low byte first, those that apply: UID, counter, PICC data, tamper
///            loop, start of the code's input, encrypted data, its length, code, limit
///
/// Offsets count from the start of the file, the length of the message included.
package struct SDMSettings: Hashable, Sendable {
  /// Keys 0 to 4, E or F.
  package var metaRead: UInt8
  package var fileRead: UInt8
  package var counterRetrieval: UInt8
  package var mirrorsUID = false
  package var mirrorsCounter = false
  /// Where UID (14 digits) and counter (6) stand in plain text.
  package var uid: Int?
  package var counter: Int?
  /// Where both stand encrypted, 32 digits; 48 in LRP mode.
  package var picc: Int?
  /// The tag is in LRP mode. Its settings do not say so.
  package var usesLRP = false
  /// Where the two letters on the loop of a TagTamper stand: whether it ever was open, and is now.
  /// Within `encrypted`, they are encrypted with the rest.
  package var tamper: Int?
  /// The first byte that enters the code, and where the code's 16 digits stand.
  package var codeInput: Int?
  package var code: Int?
  /// Which bytes are file data and shown encrypted. The first half of them is encrypted, the second
  /// makes room.
  package var encrypted: Range<Int>?
  /// How many times the file can be read.
  package var limit: Int?

  package init(metaRead: UInt8, fileRead: UInt8, counterRetrieval: UInt8) {
    (self.metaRead, self.fileRead) = (metaRead, fileRead)
    self.counterRetrieval = counterRetrieval
  }

  package static let (everyone, nobody): (UInt8, UInt8) = (0xE, 0xF)
  package static let (uidByteCount, counterByteCount, codeByteCount) = (14, 6, 16)
  package static let tamperByteCount = 2
  /// What stands in front of a message in the file. Mirrors are counted from there, and may stand
  /// there, too.
  package static let lengthByteCount = 2
  /// AES: a block; LRP: eight random bytes before it (9.3.4).
  package static func piccByteCount(usesLRP: Bool) -> Int { usesLRP ? 48 : 32 }
  /// FFFFFFh in place of the counter's offset: it is counted and not shown.
  private static let notShown = 0xFF_FFFF

  package func serialize() -> [UInt8] {
    let bits: [(Bool, UInt8)] = [
      (mirrorsUID, 0x80), (mirrorsCounter, 0x40), (limit != nil, 0x20), (encrypted != nil, 0x10),
      (tamper != nil, 0x08),
    ]
    let options = bits.reduce(UInt8(0x01)) { $1.0 ? $0 | $1.1 : $0 }
    let rights = [0xF0 | counterRetrieval, metaRead << 4 | fileRead]
    let isPlain = metaRead == Self.everyone
    let numbers = [
      isPlain && mirrorsUID ? uid ?? 0 : nil,
      isPlain && mirrorsCounter ? counter ?? Self.notShown : nil,
      metaRead < 5 ? picc ?? 0 : nil,
      tamper,
      fileRead != Self.nobody ? codeInput ?? 0 : nil,
      encrypted?.lowerBound, encrypted?.count,
      fileRead != Self.nobody ? code ?? 0 : nil,
      limit,
    ]
    return [options] + rights
      + numbers.compactMap(\.self).flatMap { number in
        (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }

  /// Reads what stands behind a file's rights; nil where bytes are missing or left over.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func number() -> Int? {
      guard rest.count >= 3 else { return nil }
      defer { rest = rest.dropFirst(3) }
      return rest.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= 3 else { return nil }
    let options = bytes[0]
    (metaRead, fileRead, counterRetrieval) = (bytes[2] >> 4, bytes[2] & 0xF, bytes[1] & 0xF)
    (mirrorsUID, mirrorsCounter) = (options & 0x80 != 0, options & 0x40 != 0)
    rest = bytes[3...]
    let isPlain = metaRead == Self.everyone
    if isPlain, mirrorsUID {
      guard let number = number() else { return nil }
      uid = number
    }
    if isPlain, mirrorsCounter {
      guard let number = number() else { return nil }
      counter = number == Self.notShown ? nil : number
    }
    if metaRead < 5 {
      guard let number = number() else { return nil }
      picc = number
    }
    if options & 0x08 != 0 {
      guard let number = number() else { return nil }
      tamper = number
    }
    if fileRead != Self.nobody {
      guard let number = number() else { return nil }
      codeInput = number
    }
    if options & 0x10 != 0 {
      guard let start = number(), let count = number() else { return nil }
      encrypted = start..<start + count
    }
    if fileRead != Self.nobody {
      guard let number = number() else { return nil }
      code = number
    }
    if options & 0x20 != 0 {
      guard let number = number() else { return nil }
      limit = number
    }
    guard rest.isEmpty else { return nil }
  }
}
