import TagMemory

extension TagReader {
  /// Looks from now on for the technology of `product` alone; nil: for everything that the chip can see, beside a tag of type A,
  /// too.
  public func look(for product: Product?) {
    technologies = product.map { [$0.technology] } ?? Set(Technology.allCases)
    looksBesideTypeA = product == nil
  }
}
