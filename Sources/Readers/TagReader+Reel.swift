import TagMemory

extension TagReader {
  /// Looks from now on for the technology of `product` alone; nil: for everything that the chip can see.
  public func look(for product: Product?) {
    technologies = product.map { [$0.technology] } ?? Set(Technology.allCases)
  }
}
