/// Chips whose full sheets are not public, by what their GET_VERSION answers, the public pages and
/// the tables of Proxmark3 say. What no source says is as on NTAG213.
extension Type2Silicon {
  /// FDP_CONF 11: the field detection pin shows the field (NTAG213F/216F, 8.5.7).
  private static let fieldDetection: [UInt8] = [0x07, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00]

  package static let ntag213F = Type2Silicon(
    "ntag213f", pages: 45, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: fieldDetection,
    version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x0F, 0x03],
    cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x0C, 0x34] + empty,
    counters: .reads, mirror: .uidAndCounter)

  package static let ntag215F = Type2Silicon(
    "ntag215f", pages: 135, lastUserPage: 129,
    dynamicLock: (130, .dynamic(pagesPerBit: 16, last: 129)),
    configuration: 131, factoryConfiguration: fieldDetection,
    version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x11, 0x03],
    cc: [0xE1, 0x10, 0x3E, 0x00], content: empty, counters: .reads, mirror: .uidAndCounter)

  package static let ntag216F = Type2Silicon(
    "ntag216f", pages: 231, lastUserPage: 225,
    dynamicLock: (226, .dynamic(pagesPerBit: 16, last: 225)),
    configuration: 227, factoryConfiguration: fieldDetection,
    version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x13, 0x03],
    cc: [0xE1, 0x10, 0x6D, 0x00], content: empty, counters: .reads, mirror: .uidAndCounter)

  /// The loop is watched (TT_EN); page 45 holds the tamper message.
  package static let ntag213TT = Type2Silicon(
    "ntag213tt", pages: 46, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: [0x04, 0x02, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00],
    version: [0x00, 0x04, 0x04, 0x02, 0x03, 0x00, 0x0F, 0x03],
    cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x0C, 0x34] + empty,
    counters: .reads, mirror: .tamper)

  /// As brush heads have it: no Lock Control TLV.
  package static let ntag213C = Type2Silicon(
    "ntag213c", pages: 45, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x01, 0x0F, 0x03],
    cc: [0xE1, 0x10, 0x12, 0x00], content: empty, counters: .reads, mirror: .uidAndCounter)

  package static let ntag223 = dna(
    "ntag223", pages: 60, lastUserPage: 39, configuration: 41, key: 52..<56,
    version: [0x00, 0x04, 0x04, 0x02, 0x04, 0x00, 0x0F, 0x03], areaSize: 0x12)

  package static let ntag224 = dna(
    "ntag224", pages: 76, lastUserPage: 55, configuration: 57, key: 68..<72,
    version: [0x00, 0x04, 0x04, 0x02, 0x05, 0x00, 0x10, 0x03], areaSize: 0x1A)

  /// MF0UN10, 17 pF: 40 bytes of user memory.
  package static let ultralightNano = Type2Silicon(
    "ultralight-nano", pages: 14, lastUserPage: 13, dynamicLock: nil,
    version: [0x00, 0x04, 0x03, 0x01, 0x02, 0x00, 0x0B, 0x03],
    commands: [.version, .signature])

  static let relatives = [
    ntag213F, ntag215F, ntag216F, ntag213TT, ntag213C, ntag223, ntag224, ultralightNano,
  ]

  /// NTAG 223 DNA and 224 DNA without StatusDetect. CFG0 has MIRROR_EN in bit 7 and AUTH0 3Ch (off)
  /// as delivered; password and PACK are where NTAG213 has them.
  private static func dna(
    _ name: String, pages: Int, lastUserPage: Int, configuration: Int, key: Range<Int>,
    version: [UInt8], areaSize: UInt8
  ) -> Type2Silicon {
    Type2Silicon(
      name, pages: pages, lastUserPage: lastUserPage, dynamicLock: nil,
      configuration: configuration,
      factoryConfiguration: [0x00, 0x00, 0x00, UInt8(pages), 0x00, 0x05, 0x00, 0x00],
      version: version, cc: [0xE1, 0x10, areaSize, 0x00], content: empty, counters: .reads,
      mirror: .code, codeKey: key, signature: (.secp192r1, false))
  }
}

/// Other makers' chips, and copies.
extension Type2Silicon {
  /// 64 bytes of user memory. Where the block locks and the kill mode are is not public, so what
  /// stands behind the user memory cannot be written here.
  package static let st25TN512 = st25(
    "st25tn512", lastUserPage: 19, areaSize: 0x08, code: 0x91)

  /// 160 bytes of user memory.
  package static let st25TN01K = st25(
    "st25tn01k", lastUserPage: 43, areaSize: 0x14, code: 0x90)

  /// Fudan's: the memory of an NTAG213, but no GET_VERSION; READ behind the end is answered
  /// (proxmark3#2457).
  package static let fm11nt021 = Type2Silicon(
    "fm11nt021", pages: 45, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: ntag, commands: [.fastRead, .password], maker: 0x1D,
    beyond: .again, cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x0C, 0x34] + empty)

  /// Mikron's copy of MF0UL21.
  package static let mikron = Type2Silicon(
    "mikron", pages: 41, lastUserPage: 35,
    dynamicLock: (36, .dynamic(pagesPerBit: 2, last: 35)),
    configuration: 37, factoryConfiguration: ev1,
    version: [0x00, 0x34, 0x21, 0x01, 0x01, 0x00, 0x0E, 0x03], maker: 0x34, counters: .three)

  /// Feiju's copy of NTAG213.
  package static let feiju = Type2Silicon(
    "feiju", pages: 45, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: ntag,
    version: [0x00, 0x53, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03], maker: 0x53,
    cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x0C, 0x34] + empty,
    counters: .reads, mirror: .uidAndCounter)

  static let copies = [st25TN512, st25TN01K, fm11nt021, mikron, feiju]

  /// Page 45 tells the product and the number of the key that signed the UID.
  private static func st25(
    _ name: String, lastUserPage: Int, areaSize: UInt8, code: UInt8
  ) -> Type2Silicon {
    Type2Silicon(
      name, pages: 64, lastUserPage: lastUserPage, dynamicLock: nil, maker: 0x02,
      closedPages: lastUserPage + 1..<64, special: [45: [code, 0x90, 0x01, 0x05]],
      cc: [0xE1, 0x10, areaSize, 0x00], content: empty, signature: (.secp128r1, true),
      signaturePage: 52)
  }
}
