/// Makes virtual tags by the names that `sim:` knows.
package enum TagCatalog {
  /// What lies on a new tag.
  package enum Content: String, Hashable, Sendable, CaseIterable {
    /// As it is bought: capability container and lock control TLV where the maker writes them, a
    /// Type 3 or 4 tag empty and ready for NDEF.
    case factory
    /// OTP page and user memory zero; a Type 1 or 3 tag without NDEF. Classic and Type 4 are the
    /// same either way.
    case blank
  }

  /// One product: its UID sizes, the usual one first, and how to make one.
  private struct Product {
    let name: String
    let uidSizes: [Int]
    /// The first and the last byte of a UID that is made up; nil: NXP's.
    var uidStart: UInt8?
    var uidEnd: UInt8?
    /// The keys of `CardOption` that it has.
    var options: Set<String> = []
    let make: @Sendable (_ uid: [UInt8], _ blank: Bool, _ options: CardOptions) -> any StoredTag
  }

  private static let products =
    ClassicSilicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: silicon.uidSizes) { uid, _, _ in
        VirtualClassic(silicon, uid: uid)
      }
    }
    + Type2Silicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: [7], uidStart: silicon.maker) { uid, blank, _ in
        VirtualType2(silicon, uid: uid, blank: blank)
      }
    }
    + NTAGI2CSilicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: [7]) { uid, blank, _ in
        VirtualNTAGI2C(silicon, uid: uid, blank: blank)
      }
    }
    + Type4Silicon.all.map { silicon in
      Product(
        name: silicon.name, uidSizes: silicon.uidSizes, uidStart: silicon.maker,
        options: silicon.system == nil ? CardOption.keys : CardOption.common
      ) { uid, _, options in
        VirtualType4(silicon, uid: uid, layout: options.layout(silicon.layout))
      }
    }
    + NTAG424Silicon.all.map { silicon in
      Product(
        name: silicon.name, uidSizes: [7],
        options: CardOption.common.union(silicon.hasTamperLoop ? ["loop"] : [])
      ) { uid, _, _ in
        VirtualNTAG424(silicon, uid: uid)
      }
    }
    + DESFireSilicon.all.map { silicon in
      Product(
        name: silicon.name, uidSizes: [7], options: CardOption.common.union(["size", "tears"])
      ) { uid, _, options in
        VirtualDESFire(silicon, uid: uid, size: options.fileMemory)
      }
    }
    + FeliCaLiteSilicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: [8]) { uid, blank, _ in
        VirtualFeliCaLite(silicon, idm: uid, blank: blank)
      }
    }
    + [
      Product(name: "felica-standard", uidSizes: [8]) { uid, _, _ in
        VirtualFeliCaStandard(idm: uid)
      }
    ]
    + TopazSilicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: [7], uidEnd: 0x25) { uid, blank, _ in
        VirtualTopaz(silicon, uid: uid, blank: blank)
      }
    }
    + VirtualPlus.names.map { name, major in
      Product(name: name, uidSizes: [7]) { uid, _, _ in
        VirtualPlus(name, major: major, uid: uid)
      }
    } + [
      Product(name: "typeb", uidSizes: [4]) { uid, _, _ in VirtualTypeB(pupi: uid) },
      Product(name: "phone", uidSizes: [4]) { uid, _, _ in VirtualPhone(seed: uid) },
    ]

  /// All names, family by family.
  package static let names = products.map(\.name)

  /// A new tag. Without `uid` it gets one of its own: another for every `index` (below 2^24), the
  /// same ones in every run. Throws for an unknown name and for a UID of a size that the product
  /// does not have.
  package static func tag(
    _ name: String, uid: [UInt8]? = nil, content: Content = .factory, index: Int = 0,
    options: CardOptions = CardOptions()
  ) throws(VirtualTagError) -> any StoredTag {
    let product = try product(name)
    var made = defaultUID(size: product.uidSizes[0], index: index)
    if let start = product.uidStart, made.count == 7 { made[0] = start }
    if let end = product.uidEnd { made[made.count - 1] = end }
    let uid = uid ?? made
    try check(uid, for: product)
    let tag = product.make(uid, content == .blank, options)
    (tag as? any CardWithBehaviour)?.behaviour = options.behaviour
    return tag
  }

  /// Returns whether `name` has the card option `key`.
  static func has(_ name: String, option key: String) -> Bool {
    products.first { $0.name == name }?.options.contains(key) ?? false
  }

  /// Throws where `tag` would.
  static func check(_ name: String, uid: [UInt8]?) throws(VirtualTagError) {
    let product = try product(name)
    if let uid { try check(uid, for: product) }
  }

  private static func check(_ uid: [UInt8], for product: Product) throws(VirtualTagError) {
    guard product.uidSizes.contains(uid.count) else {
      throw .wrongUIDSize(product: product.name, count: uid.count, sizes: product.uidSizes)
    }
  }

  private static func product(_ name: String) throws(VirtualTagError) -> Product {
    guard let product = products.first(where: { $0.name == name }) else {
      throw .unknownProduct(name)
    }
    return product
  }

  /// Seven bytes start with NXP's 04h, eight like a FeliCa IDm. The index is spread over three
  /// bytes by an odd factor: no two are alike, and neighbours do not look it. No byte that ISO/IEC
  /// 14443-3 reserves comes where it would count.
  private static func defaultUID(size: Int, index: Int) -> [UInt8] {
    let spread = UInt32(truncatingIfNeeded: index &+ 1) &* 0x9E_3779
    let serial = (0..<3).map { UInt8(truncatingIfNeeded: spread >> UInt32(8 * $0)) }
    switch size {
    case 4: return [0x5A] + serial
    case 7: return [0x04, serial[0], serial[1], 0x3A, serial[2], 0x6C, 0x80]
    default: return [0x01, 0x2E] + serial + [0x3A, 0x6C, 0x80]
    }
  }
}
