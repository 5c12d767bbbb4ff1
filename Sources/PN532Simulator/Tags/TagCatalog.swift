/// Makes virtual tags by the names that `sim:` knows.
public enum TagCatalog {
  /// What lies on a new tag.
  public enum Content: String, Hashable, Sendable, CaseIterable {
    /// As the maker delivers it: capability container and lock control TLV where there are any.
    case factory
    /// OTP page and user memory zero, no NDEF anywhere.
    case blank
  }

  /// All names, in the order of the products' families.
  public static let names =
    ClassicSilicon.all.map(\.name) + Type2Silicon.all.map(\.name)

  /// A new tag. Without `uid` it gets one of its own: another for every `index` (below 2^24), the same ones in
  /// every run. Throws for an unknown name and for a UID of a size that the product does not have.
  public static func tag(
    _ name: String, uid: [UInt8]? = nil, content: Content = .factory, index: Int = 0
  ) throws(VirtualTagError) -> any VirtualTag {
    let sizes = try uidSizes(of: name)
    let uid = uid ?? defaultUID(size: sizes[0], index: index)
    guard sizes.contains(uid.count) else {
      throw .wrongUIDSize(product: name, count: uid.count, sizes: sizes)
    }
    if let silicon = ClassicSilicon.all.first(where: { $0.name == name }) {
      return VirtualClassic(silicon, uid: uid)
    }
    guard let silicon = Type2Silicon.all.first(where: { $0.name == name }) else {
      throw .unknownProduct(name)
    }
    return VirtualType2(silicon, uid: uid, blank: content == .blank)
  }

  /// The UID sizes of a product, the usual one first.
  static func uidSizes(of name: String) throws(VirtualTagError) -> [Int] {
    if let silicon = ClassicSilicon.all.first(where: { $0.name == name }) {
      return silicon.uidSizes
    }
    if Type2Silicon.all.contains(where: { $0.name == name }) { return [7] }
    throw .unknownProduct(name)
  }

  /// Seven bytes start with NXP's 04h. The index is spread over three bytes by an odd factor, so that no two
  /// are alike and neighbours do not look it; no byte that ISO/IEC 14443-3 reserves comes where it would count.
  static func defaultUID(size: Int, index: Int) -> [UInt8] {
    let spread = UInt32(truncatingIfNeeded: index &+ 1) &* 0x9E_3779
    let serial = (0..<3).map { UInt8(truncatingIfNeeded: spread >> UInt32(8 * $0)) }
    return size == 7 ? [0x04] + serial + [0x3A, 0x6C, 0x80] : [0x5A] + serial
  }
}
