/// MIFARE Classic, a row each (MF1S50YYX_V1 and MF1S70YYX_V1, 8.6).
extension Product {
  package static let classicMini = Product(
    "mini", "MIFARE Classic Mini", .classic(sectorCount: 5))
  package static let classic1K = Product(
    "classic1k", "MIFARE Classic 1K", .classic(sectorCount: 16))
  /// MIFARE Plus 2K in security level 1, and a few cards of other makers.
  package static let classic2K = Product(
    "classic2k", "MIFARE Classic 2K", .classic(sectorCount: 32))
  package static let classic4K = Product(
    "classic4k", "MIFARE Classic 4K", .classic(sectorCount: 40))

  static let classics = [classicMini, classic1K, classic2K, classic4K]
}

/// Products that are recognised and differ from those above, a row each.
extension Product {
  /// FeliCa, by the chip code of the PMm (`FeliCaChip`).
  package static let feliCaLiteS = Product(
    "felica-lite-s", "FeliCa Lite-S", by: .sony, .type3)
  package static let feliCaLite = Product("felica-lite", "FeliCa Lite", by: .sony, .type3)
  /// In its Lite-S mode.
  package static let feliCaLink = Product("felica-link", "FeliCa Link", by: .sony, .type3)
  static let feliCaLites = [feliCaLite, feliCaLiteS, feliCaLink]
  package static let feliCaStandard = Product(
    "felica-standard", "FeliCa Standard", by: .sony, .type3)
  package static let feliCaMobile = Product("felica-mobile", "Mobile FeliCa", by: .sony, .type3)
  package static let feliCaPlug = Product("felica-plug", "FeliCa Plug", by: .sony, .type3)
  package static let feliCa = Product("felica", "FeliCa", by: .sony, .type3)

  package static let ultralightNano = Product(
    "ultralight-nano", "MIFARE Ultralight Nano",
    .type2(
      Type2Map(pages: 14, user: 4...13, area: 40, delivered: .blank, mayHidePassword: true)),
    [.version, .signature],
    support: .messagesOnly("Its lock bytes differ from those of other Ultralight chips."),
    sizeIsGuess: true)
  /// MF0AES20. Its sheet was not at hand: pages and bits are those of libpretixnfc, stustapay and
  /// Proxmark3, which agree.
  package static let ultralightAES = Product(
    "ultralight-aes", "MIFARE Ultralight AES",
    .type2(
      Type2Map(
        pages: 60, user: 4...39, area: 144, delivered: .blank, dynamicLocks: .ultralightAES,
        configuration: ConfigurationPages(cfg0: 41, style: .ultralightAES), key: .ultralightAES)),
    [.version, .fastRead, .aes, .signature, .threeCounters])
  package static let ntag210Micro = Product(
    "ntag210u", "NTAG210µ",
    .type2(Type2Map(pages: 16, user: 4...15, area: 48, mayHidePassword: true)),
    [.version, .signature],
    support: .messagesOnly("Its configuration is not known here."))
  /// NTAG213F/216F, 8.5: the memory of NTAG213; field detection and sleep besides.
  package static let ntag213F = Product(
    "ntag213f", "NTAG213F", fieldDetecting(map213), features213)
  package static let ntag215F = Product(
    "ntag215f", "NTAG215F", fieldDetecting(map215), features213)
  package static let ntag216F = Product(
    "ntag216f", "NTAG216F", fieldDetecting(map216), features213)
  /// The chip of brush heads, which come with a message in page 4.
  package static let ntag213C = Product(
    "ntag213c", "NTAG213C",
    .type2(
      Type2Map(
        pages: 45, user: 4...39, area: 144, mayHidePassword: true, likelyAUTH0: 41,
        fixedMirror: .likeNTAG21x)),
    [.version, .fastRead, .signature],
    support: .messagesOnly("Its configuration pages differ from those of NTAG213."))
  /// NTAG213 with one page more, the tamper message.
  package static let ntag213TT = Product(
    "ntag213tt", "NTAG213 TagTamper",
    .type2(
      Type2Map(
        pages: 46, user: 4...39, area: 144,
        content: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE], dynamicLocks: .ntag213,
        mayHidePassword: true, likelyAUTH0: 41, fixedMirror: .tamper)),
    [.version, .fastRead, .signature],
    support: .messagesOnly(
      "Its configuration pages carry the tamper loop and differ from those of NTAG213."))
  package static let ntagI2C1K = i2c(
    "ntag-i2c-1k", "NTAG I2C 1K", .formatted, .ntag216, gaps: 227...231)
  /// Behind its user memory, which goes on in sector 1, stand the lock bytes (page 224 there) and
  /// the configuration (232 and 233).
  package static let ntagI2C2K = i2c(
    "ntag-i2c-2k", "NTAG I2C 2K", .formatted, .ntagI2C2K, pages: 490, user: 4...479,
    gaps: 481...487)
  package static let ntagI2CPlus1K = i2c(
    "ntag-i2c-plus-1k", "NTAG I2C plus 1K", .blank, .ntag216,
    access: AccessPages(auth0: 227, last: 0xEB, password: 229...230))
  /// All of sector 1 is user memory.
  package static let ntagI2CPlus2K = i2c(
    "ntag-i2c-plus-2k", "NTAG I2C plus 2K", .blank, .ntagI2CPlus2K, pages: 512,
    further: 256...511, gaps: 234...255,
    access: AccessPages(auth0: 227, last: 0xEB, nextSector: 231, password: 229...230))
  /// NTAG 223 DNA and 224 DNA, with and without StatusDetect: what shows differs from what is
  /// stored where they mirror a counter or a signature. Behind the user memory stand lock bytes,
  /// the configuration (from page 41 and 57 on) and keys (from page 52 and 68 on), in places that
  /// "BREAKMEIFYOUCAN!" gives (IACR ePrint 2026/100) and no public sheet: none of it is written.
  package static let ntag223 = dna(
    "ntag223", "NTAG 223 DNA", pages: 60, user: 4...39, AccessPages(auth0: 41, key: 52...55))
  package static let ntag224 = dna(
    "ntag224", "NTAG 224 DNA", pages: 76, user: 4...55, AccessPages(auth0: 57, key: 68...71))

  /// ST25TN512 and ST25TN01K (DS13433). Their block locks, kill mode and augmented message are not
  /// known here.
  package static let st25TN512 = st25TN("st25tn512", "ST25TN512", user: 4...19)
  package static let st25TN01K = st25TN("st25tn01k", "ST25TN01K", user: 4...43)

  static let others = [
    ntag223, ntag224, st25TN512, st25TN01K,
    feliCaLiteS, feliCaLite, feliCaLink, feliCaStandard, feliCaMobile, feliCaPlug, feliCa,
    ultralightNano, ultralightAES, ntag210Micro, ntag213F,
    ntag215F, ntag216F, ntag213C, ntag213TT, ntagI2C1K, ntagI2C2K, ntagI2CPlus1K, ntagI2CPlus2K,
  ]

  /// The memory of an NTAG21x with the configuration of its variant that detects fields.
  private static func fieldDetecting(_ memory: Memory) -> Memory {
    guard case .type2(let map) = memory, let place = map.configuration else { return memory }
    return .type2(
      Type2Map(
        pages: map.pageCount, user: map.user, area: map.areaByteCount,
        content: map.deliveredArea, dynamicLocks: map.dynamicLocks,
        configuration: ConfigurationPages(cfg0: place.cfg0, style: .ntag213F)))
  }

  /// The data area, and where the chip says what its password protects.
  private static func dna(
    _ name: String, _ displayName: String, pages: Int, user: ClosedRange<Page>,
    _ access: AccessPages
  ) -> Product {
    Product(
      name, displayName,
      .type2(
        Type2Map(
          pages: pages, user: user, area: user.count * Page.byteCount, access: access,
          fixedMirror: .code)),
      [.version, .fastRead, .signature],
      support: .messagesOnly("Its lock bytes and its configuration are not known here."))
  }

  /// NT3H1101/NT3H1201, 8.3; NT3H2111/NT3H2211, 8.3. The first generation has no password.
  private static func i2c(
    _ name: String, _ displayName: String, _ delivered: Type2Map.Delivered, _ locks: LockMap,
    pages: Int = 234,
    user: ClosedRange<Page> = 4...225, further: ClosedRange<Page>? = nil,
    gaps: ClosedRange<Page>? = nil, access: AccessPages? = nil
  ) -> Product {
    Product(
      name, displayName,
      .type2(
        Type2Map(
          pages: pages, user: user, area: user.upperBound == 225 ? 872 : 1872,
          delivered: delivered, dynamicLocks: locks, access: access, further: further, gaps: gaps,
          deliversNoise: delivered == .blank)),
      access == nil
        ? [.version, .fastRead, .sectorSelect]
        : [.version, .fastRead, .sectorSelect, .signature],
      support: .messagesOnly(
        "Its lock bytes, its I2C configuration and its session registers are left alone."))
  }

  private static func st25TN(
    _ name: String, _ displayName: String, user: ClosedRange<Page>
  ) -> Product {
    Product(
      name, displayName, by: .stMicroelectronics,
      .type2(
        Type2Map(
          pages: 64, user: user, area: user.count * Page.byteCount, mayHidePassword: true)),
      [.signaturePages],
      support: .messagesOnly("Its block locks and its configuration are not known here."))
  }
}

/// First versions of a chip that know less, a row each: they bear the name of what came after.
extension Product {
  package static let firstNTAGI2C1K = firstI2C(of: ntagI2C1K)
  package static let firstNTAGI2C2K = firstI2C(of: ntagI2C2K)

  static let firstVersions = [firstNTAGI2C1K, firstNTAGI2C2K]

  /// Without FAST_READ.
  private static func firstI2C(of product: Product) -> Product {
    Product(
      product.name, product.displayName + ", first version", product.memory,
      product.features.subtracting([.fastRead]),
      support: product.support)
  }
}

/// Copies by other makers, a row each: they bear the name of what they copy.
extension Product {
  /// Mikron MIK640M2D.
  package static let mikronUltralight = Product(
    ultralightEV1x21.name, "Ultralight EV1 copy by Mikron", by: .mikron, ultralightEV1x21.memory,
    ultralightEV1x21.features)
  package static let feiju213 = Product(
    ntag213.name, "NTAG213 copy by Shanghai Feiju", by: .feiju, map213, features213)
  package static let feiju215 = Product(
    ntag215.name, "NTAG215 copy by Shanghai Feiju", by: .feiju, map215, features213)

  static let copies = [mikronUltralight, feiju213, feiju215]
}

extension Product {
  /// A Type 2 tag that no table knows: the data area that its capability container claims, as far
  /// as page addresses go; nothing behind it is touched. Nil when the container claims none.
  package static func unknownType2(
    _ displayName: String, areaByteCount: Int, manufacturer: Manufacturer, sizeIsGuess: Bool = false
  ) -> Product? {
    let pages = min(areaByteCount / Page.byteCount, 252)
    let auth0 = likelyAUTH0(areaByteCount: pages * Page.byteCount)
    guard pages > 0, let last = Page(exactly: 3 + pages) else { return nil }
    return Product(
      "type2", displayName, by: manufacturer,
      .type2(
        Type2Map(
          pages: 4 + pages, user: 4...last, area: pages * Page.byteCount, delivered: .blank,
          mayHidePassword: true, likelyAUTH0: auth0,
          fixedMirror: auth0.map { _ in .likeNTAG21x })),
      support: .messagesOnly(
        "This chip is not in the product table, so its lock bytes are not known."),
      sizeIsGuess: sizeIsGuess)
  }

  /// Where the NTAG21x or Ultralight EV1 with an area of this size has AUTH0.
  private static func likelyAUTH0(areaByteCount: Int) -> Page? {
    type2Originals.compactMap(\.type2).first { map in
      map.areaByteCount == areaByteCount && map.configuration != nil
    }?.configuration?.cfg0
  }
}
