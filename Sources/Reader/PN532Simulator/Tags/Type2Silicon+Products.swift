extension Type2Silicon {
  static let ev1: [UInt8] = [0x00, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00]
  static let ntag: [UInt8] = [0x04, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00]
  static let empty: [UInt8] = [0x03, 0x00, 0xFE]

  /// MF0ICU1. Page 3 is OTP, delivered as zeros.
  package static let ultralight = Type2Silicon(
    "ultralight", pages: 16, lastUserPage: 15, dynamicLock: nil)

  /// MF0UL11, 17 pF.
  package static let ultralightEV1x11 = Type2Silicon(
    "ultralight-ev1-11", pages: 20, lastUserPage: 15, dynamicLock: nil,
    configuration: 16, factoryConfiguration: ev1,
    version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03], counters: .three)

  /// MF0UL21, 17 pF.
  package static let ultralightEV1x21 = Type2Silicon(
    "ultralight-ev1-21", pages: 41, lastUserPage: 35,
    dynamicLock: (36, .dynamic(pagesPerBit: 2, last: 35)),
    configuration: 37, factoryConfiguration: ev1,
    version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03], counters: .three)

  /// MF0ICU2. Delivered with an empty page 3 (7.5.10, table 13).
  package static let ultralightC = Type2Silicon(
    "ultralight-c", pages: 48, lastUserPage: 39, dynamicLock: (40, .ultralightC),
    counterPage: 41, hasTripleDES: true, writeErrorNAK: 0x2)

  /// MF0AES20, 17 pF. Pages and bits as libpretixnfc, stustapay and Proxmark3 have them; PROT and
  /// the counter's bits as delivered are those of the Flipper Zero's unleashed firmware alone.
  package static let ultralightAES = Type2Silicon(
    "ultralight-aes", pages: 60, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: [0x00, 0x00, 0x00, 0x3C, 0x8C, 0x05, 0x00, 0x00],
    version: [0x00, 0x04, 0x03, 0x01, 0x04, 0x00, 0x0F, 0x03], counters: .three, hasAES: true,
    signature: (.secp192r1, false))

  package static let ntag203 = Type2Silicon(
    "ntag203", pages: 42, lastUserPage: 39, dynamicLock: (40, .ntag203),
    cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x10, 0x44] + empty, counterPage: 41)

  package static let ntag210 = Type2Silicon(
    "ntag210", pages: 20, lastUserPage: 15, dynamicLock: nil,
    configuration: 16, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0B, 0x03],
    cc: [0xE1, 0x10, 0x06, 0x00], content: empty, mirror: .uid)

  package static let ntag212 = Type2Silicon(
    "ntag212", pages: 41, lastUserPage: 35,
    dynamicLock: (36, .dynamic(pagesPerBit: 2, last: 35)),
    configuration: 37, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0E, 0x03],
    cc: [0xE1, 0x10, 0x10, 0x00], content: [0x01, 0x03, 0x90, 0x0A, 0x34] + empty, mirror: .uid)

  package static let ntag213 = Type2Silicon(
    "ntag213", pages: 45, lastUserPage: 39,
    dynamicLock: (40, .dynamic(pagesPerBit: 2, last: 39)),
    configuration: 41, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03],
    cc: [0xE1, 0x10, 0x12, 0x00], content: [0x01, 0x03, 0xA0, 0x0C, 0x34] + empty,
    counters: .reads, mirror: .uidAndCounter)

  package static let ntag215 = Type2Silicon(
    "ntag215", pages: 135, lastUserPage: 129,
    dynamicLock: (130, .dynamic(pagesPerBit: 16, last: 129)),
    configuration: 131, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03],
    cc: [0xE1, 0x10, 0x3E, 0x00], content: empty, counters: .reads, mirror: .uidAndCounter)

  package static let ntag216 = Type2Silicon(
    "ntag216", pages: 231, lastUserPage: 225,
    dynamicLock: (226, .dynamic(pagesPerBit: 16, last: 225)),
    configuration: 227, factoryConfiguration: ntag,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03],
    cc: [0xE1, 0x10, 0x6D, 0x00], content: empty, counters: .reads, mirror: .uidAndCounter)

  package static let all =
    [
      ultralight, ultralightEV1x11, ultralightEV1x21, ultralightC, ultralightAES, ntag203, ntag210,
      ntag212, ntag213, ntag215, ntag216,
    ] + relatives + copies
}
