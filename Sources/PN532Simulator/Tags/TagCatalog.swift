/// Makes virtual tags by the names that `sim:` knows.
public enum TagCatalog {
  /// What lies on a new tag.
  public enum Content: String, Hashable, Sendable, CaseIterable {
    /// As it is bought: capability container and lock control TLV where the maker writes them, a Type 3 or 4 tag
    /// empty and ready for NDEF.
    case factory
    /// OTP page and user memory zero; a Type 3 tag without NDEF. Classic and Type 4 are the same either way.
    case blank
  }

  /// One product: its UID sizes, the usual one first, and how to make one.
  private struct Product {
    let name: String
    let uidSizes: [Int]
    let make: @Sendable (_ uid: [UInt8], _ blank: Bool) -> any StoredTag
  }

  private static let products =
    ClassicSilicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: silicon.uidSizes) { uid, _ in
        VirtualClassic(silicon, uid: uid)
      }
    }
    + Type2Silicon.all.map { silicon in
      Product(name: silicon.name, uidSizes: [7]) { uid, blank in
        VirtualType2(silicon, uid: uid, blank: blank)
      }
    } + [
      Product(name: "type4", uidSizes: [7, 4]) { uid, _ in VirtualType4(uid: uid) },
      Product(name: "felica-lite-s", uidSizes: [8]) { uid, blank in
        VirtualFeliCaLiteS(idm: uid, blank: blank)
      },
    ]

  /// All names, family by family.
  public static let names = products.map(\.name)

  /// A new tag. Without `uid` it gets one of its own: another for every `index` (below 2^24), the same ones in
  /// every run. Throws for an unknown name and for a UID of a size that the product does not have.
  public static func tag(
    _ name: String, uid: [UInt8]? = nil, content: Content = .factory, index: Int = 0
  ) throws(VirtualTagError) -> any StoredTag {
    let product = try product(name)
    let uid = uid ?? defaultUID(size: product.uidSizes[0], index: index)
    try check(uid, for: product)
    return product.make(uid, content == .blank)
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

  /// Seven bytes start with NXP's 04h, eight like a FeliCa IDm. The index is spread over three bytes by an odd
  /// factor: no two are alike, and neighbours do not look it. No byte that ISO/IEC 14443-3 reserves comes where
  /// it would count.
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
