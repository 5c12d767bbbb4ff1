extension Product {
  /// Where to look when a MIFARE Classic may be larger than its SAK says, as copies are.
  package struct ClassicSizeProbe: Hashable, Sendable {
    /// A block of the last sector of `product`; whoever authenticates there has that many sectors.
    package let block: Int
    /// What the tag is when that works.
    package let product: Product
  }

  /// Blocks to authenticate at, the largest card first; the first that works decides. The card's
  /// own last sector is among them: when not even that works, with the keys that open other
  /// sectors, then the card may be smaller than it says. Empty where the product is no MIFARE
  /// Classic.
  package var classicSizeProbes: [ClassicSizeProbe] {
    guard classicSectorCount != nil else { return [] }
    return Product.classics.reversed().compactMap { product in
      product.byteCount.map { ClassicSizeProbe(block: $0 / 16 - 1, product: product) }
    }
  }
}
