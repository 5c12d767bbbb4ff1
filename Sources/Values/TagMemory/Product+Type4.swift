/// Products that speak ISO-DEP, a row each. GetVersion (`DESFireVersion`) or the UID
/// (`type4(uid:)`) tells which a tag is.
extension Product {
  package static let type4 = Product("type4", "NFC Forum Type 4 tag (ISO-DEP)", .type4)
  /// The first generation, MF3ICD40: mapping version 1.0, without ISO names for files.
  package static let desFire = Product("desfire", "MIFARE DESFire", .type4)
  package static let desFireEV1 = Product("desfire-ev1", "MIFARE DESFire EV1", .type4)
  package static let desFireEV2 = Product("desfire-ev2", "MIFARE DESFire EV2", .type4)
  package static let desFireEV3 = Product("desfire-ev3", "MIFARE DESFire EV3", .type4)
  /// Its one application and its files are there from the start.
  package static let desFireLight = Product("desfire-light", "MIFARE DESFire Light", .type4)
  package static let plusEV1 = Product("plus-ev1", "MIFARE Plus EV1", .type4)
  package static let plusEV2 = Product("plus-ev2", "MIFARE Plus EV2", .type4)
  package static let ntag413 = Product("ntag413", "NTAG 413 DNA", .type4)
  package static let ntag424 = Product("ntag424", "NTAG 424 DNA", .type4)
  package static let ntag424TagTamper = Product("ntag424tt", "NTAG 424 DNA TagTamper", .type4)
  package static let st25TA02K = Product("st25ta02k", "ST25TA02K", by: .stMicroelectronics, .type4)
  package static let st25TA02KB = Product(
    "st25ta02kb", "ST25TA02KB", by: .stMicroelectronics, .type4)
  package static let st25TA02KBD = Product(
    "st25ta02kb-d", "ST25TA02KB-D", by: .stMicroelectronics, .type4)
  package static let st25TA02KBP = Product(
    "st25ta02kb-p", "ST25TA02KB-P", by: .stMicroelectronics, .type4)
  package static let st25TA512 = Product("st25ta512", "ST25TA512", by: .stMicroelectronics, .type4)
  package static let st25TA512B = Product(
    "st25ta512b", "ST25TA512B", by: .stMicroelectronics, .type4)
  package static let st25TA16K = Product("st25ta16k", "ST25TA16K", by: .stMicroelectronics, .type4)
  package static let st25TA64K = Product("st25ta64k", "ST25TA64K", by: .stMicroelectronics, .type4)

  package static let type4s = [
    type4, desFire, desFireEV1, desFireEV2, desFireEV3, desFireLight, plusEV1, plusEV2, ntag413,
    ntag424, ntag424TagTamper, st25TA02K, st25TA02KB, st25TA02KBD, st25TA02KBP, st25TA512,
    st25TA512B,
    st25TA16K, st25TA64K,
  ]

  /// ST's product code, the second byte of the UID (Proxmark3, `cmdhfst25ta.c`).
  private static let codesOfST: [UInt8: Product] = [
    0xE2: st25TA02K, 0xE3: st25TA02KB, 0xF3: st25TA02KBD, 0xA3: st25TA02KBP, 0xE4: st25TA512B,
    0xE5: st25TA512, 0xC4: st25TA64K, 0xC5: st25TA16K,
  ]

  /// The product that ST's chips say that they are at the end of their system file.
  package static func ofST(code: UInt8) -> Product? { codesOfST[code] }

  /// The product of an ISO-DEP tag as far as its UID tells: ST's chips.
  package static func type4(uid: UID) -> Product {
    guard uid.bytes.count == 7, uid.bytes[0] == 0x02 else { return type4 }
    return codesOfST[uid.bytes[1]] ?? type4
  }

  /// Returns whether it may be one of NXP's chips that answer GetVersion, by its UID: NXP's maker
  /// code, or a random one.
  package static func mayAnswerGetVersion(_ uid: UID) -> Bool {
    uid.isRandom || uid.bytes.first == 0x04
  }

  /// Is true if no command makes an NDEF tag of one that is none: a card with ISO-DEP that cannot
  /// get an application.
  package var cannotBeFormatted: Bool { Self.type4s.contains(self) && !isDESFireEV1OrLater }

  /// A blank DESFire that can be formatted with ISO names: EV1 and later.
  package var isDESFireEV1OrLater: Bool {
    [Product.desFireEV1, .desFireEV2, .desFireEV3].contains(self)
  }

  /// NTAG 424 DNA, with and without the tamper loop.
  package var isNTAG424: Bool { self == .ntag424 || self == .ntag424TagTamper }

  /// ST's Type 4 tags.
  package var isST25TA: Bool { Self.codesOfST.values.contains(self) }

  /// How many bytes of an UPDATE BINARY the chip writes whole or not at all, whatever becomes of
  /// its power; nil where that is not promised (NT4H2421Gx, 8.2.3.1: a frame of 128 bytes, with
  /// what stands around the data).
  package var wholeUpdateByteCount: Int? { isNTAG424 ? 119 : nil }
}
