/// Type 2 chips, a row each. Pages, areas and contents as delivered: the data sheets' memory maps.
extension Product {
  /// MF0ICU1, 7.5.
  package static let ultralight = Product(
    "ultralight", "MIFARE Ultralight",
    .type2(Type2Map(pages: 16, user: 4...15, area: 48, delivered: .blank)))

  /// MF0UL11, MF0ULX1, 8.5.
  package static let ultralightEV1x11 = Product(
    "ultralight-ev1-11", "MIFARE Ultralight EV1 (MF0UL11)",
    .type2(
      Type2Map(
        pages: 20, user: 4...15, area: 48, delivered: .blank,
        configuration: ConfigurationPages(cfg0: 16, style: .ultralightEV1))),
    [.version, .fastRead, .password, .signature, .threeCounters])

  /// MF0UL21, MF0ULX1, 8.5.
  package static let ultralightEV1x21 = Product(
    "ultralight-ev1-21", "MIFARE Ultralight EV1 (MF0UL21)",
    .type2(
      Type2Map(
        pages: 41, user: 4...35, area: 128, delivered: .blank, dynamicLocks: .ntag212,
        configuration: ConfigurationPages(cfg0: 37, style: .ultralightEV1))),
    [.version, .fastRead, .password, .signature, .threeCounters])

  /// MF0ICU2, 7.5.
  package static let ultralightC = Product(
    "ultralight-c", "MIFARE Ultralight C",
    .type2(
      Type2Map(
        pages: 48, user: 4...39, area: 144, delivered: .blank,
        content: withLockControl([0xA0, 0x10, 0x44]), dynamicLocks: .ultralightC, counter: 41,
        tripleDES: TripleDESPages())),
    [.tripleDES, .pageCounter])

  /// NTAG203, 8.5.
  package static let ntag203 = Product(
    "ntag203", "NTAG203",
    .type2(
      Type2Map(
        pages: 42, user: 4...39, area: 144, content: withLockControl([0xA0, 0x10, 0x44]),
        dynamicLocks: .ntag203, counter: 41)),
    [.pageCounter])

  /// NTAG210/212, 8.5.
  package static let ntag210 = Product(
    "ntag210", "NTAG210",
    .type2(
      Type2Map(
        pages: 20, user: 4...15, area: 48,
        configuration: ConfigurationPages(cfg0: 16, style: .ntag210))),
    [.version, .fastRead, .password, .signature, .uidMirror])

  /// NTAG210/212, 8.5.
  package static let ntag212 = Product(
    "ntag212", "NTAG212",
    .type2(
      Type2Map(
        pages: 41, user: 4...35, area: 128, content: withLockControl([0x90, 0x0A, 0x34]),
        dynamicLocks: .ntag212, configuration: ConfigurationPages(cfg0: 37, style: .ntag210))),
    [.version, .fastRead, .password, .signature, .uidMirror])

  /// NTAG213/215/216, 8.5.
  package static let ntag213 = Product("ntag213", "NTAG213", map213, features213)

  /// NTAG213/215/216, 8.5: 504 bytes of user memory, of which the container as delivered covers
  /// 496.
  package static let ntag215 = Product("ntag215", "NTAG215", map215, features213)

  /// NTAG213/215/216, 8.5: 888 bytes of user memory, of which the container as delivered covers
  /// 872.
  package static let ntag216 = Product("ntag216", "NTAG216", map216, features213)

  package static let type2Originals = [
    ultralight, ultralightEV1x11, ultralightEV1x21, ultralightC, ntag203, ntag210, ntag212, ntag213,
    ntag215, ntag216,
  ]

  static let map213 = Memory.type2(
    Type2Map(
      pages: 45, user: 4...39, area: 144, content: withLockControl([0xA0, 0x0C, 0x34]),
      dynamicLocks: .ntag213, configuration: ConfigurationPages(cfg0: 41, style: .ntag213)))
  static let map215 = Memory.type2(
    Type2Map(
      pages: 135, user: 4...129, area: 496, dynamicLocks: .ntag215,
      configuration: ConfigurationPages(cfg0: 131, style: .ntag213)))
  static let map216 = Memory.type2(
    Type2Map(
      pages: 231, user: 4...225, area: 872, dynamicLocks: .ntag216,
      configuration: ConfigurationPages(cfg0: 227, style: .ntag213)))
  static let features213: Set<Feature> = [
    .version, .fastRead, .password, .signature, .nfcCounter, .uidAndCounterMirror,
  ]

  /// A data area as delivered: a Lock Control TLV, an empty message, a Terminator.
  private static func withLockControl(_ value: [UInt8]) -> [UInt8] {
    [0x01, 0x03] + value + [0x03, 0x00, 0xFE]
  }
}
