/// Why a virtual tag cannot be made.
public enum VirtualTagError: Error, Hashable, Sendable {
  /// No product has this name.
  case unknownProduct(String)
  /// The product has no UIDs of `count` bytes, only of `sizes`.
  case wrongUIDSize(product: String, count: Int, sizes: [Int])
}

extension VirtualTagError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownProduct(let name):
      "There is no virtual tag \u{201C}\(name)\u{201D}; there are \(Self.list(TagCatalog.names))."
    case .wrongUIDSize(let product, let count, let sizes):
      "A \(product) has a UID of \(Self.list(sizes.map(String.init), last: "or")) bytes, not \(count)."
    }
  }

  /// `a, b and c`.
  static func list(_ items: [String], last: String = "and") -> String {
    guard let end = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(last) " + end
  }
}
