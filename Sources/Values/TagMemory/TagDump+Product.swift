/// Which chip a dump is of.
extension TagDump {
  /// The chip, as far as the dump tells: by its name or GET_VERSION, else by the size that one
  /// product alone has. A Type 2 chip that does not show is one of `type2` with the pages of those
  /// that have the size; a dump that has a chip's first pages alone has those that its container
  /// claims.
  package var product: Product {
    if let named { return named }
    switch image.layout {
    case .classic(let geometry):
      return Product.classics.first { $0.classicSectorCount == geometry.sectorCount } ?? .classic1K
    case .feliCaLite(let kind):
      return image.feliCaChip?.product ?? (kind == .lite ? .feliCaLite : .feliCaLiteS)
    case .type4: return .type4(uid: image.uid)
    case .type2(let pageCount): return type2Product(pageCount: pageCount)
    }
  }

  private func type2Product(pageCount: Int) -> Product {
    if let version, let product = (try? VersionAnswer(parsing: version))?.product,
      product.type2 != nil
    {
      return product
    }
    let claimed = image.row(3).flatMap { try? CapabilityContainer(parsing: $0) }
      .flatMap { $0.isNDEF ? $0.areaByteCount : nil }
    let shown = (pageCount - Int(Page.firstOfArea.number)) * Page.byteCount
    let isPart = claimed.map { $0 > shown } ?? false
    let candidates =
      isPart
      ? [] : (Product.type2Originals + [.ultralightAES]).filter { $0.type2?.pageCount == pageCount }
    if let only = candidates.first, candidates.count == 1 { return only }
    let names = candidates.map(\.displayName).joined(separator: " or ")
    let name = names.isEmpty ? "unknown Type 2 tag" : names
    if let map = candidates.first?.type2 {
      return Product(
        "type2", name, .type2(map),
        candidates.dropFirst().reduce(candidates[0].features) { $0.intersection($1.features) },
        support: .messagesOnly("The dump does not say which of them it is."))
    }
    let maker = image.uid.manufacturer ?? .other(0)
    return Product.unknownType2(name, areaByteCount: claimed ?? shown, manufacturer: maker)
      ?? .ultralight
  }

  /// Why the memory cannot be that of a `product`; nil where it can.
  package func misfit(_ product: Product) -> String? {
    let (rows, has): (Int, Int?)
    switch (image.layout, product.memory) {
    case (.classic(let geometry), .classic(let count)): (rows, has) = (geometry.sectorCount, count)
    case (.type2(let count), .type2(let map)): (rows, has) = (count, map.pageCount)
    case (.feliCaLite(let kind), .type3):
      let lite = product.name == Product.feliCaLite.name ? LiteMemory.Kind.lite : .liteS
      (rows, has) = (kind.blocks.count, lite.blocks.count)
    case (.type4, .type4): return nil
    default: return "it is the memory of another kind of tag (\(self.product.displayName))"
    }
    let unit = image.isMIFAREClassic ? "sectors" : "\(image.rowName.lowercased())s"
    if rows != has { return "it has \(rows) \(unit), and \(product.displayName) \(has ?? 0)" }
    guard named != nil || version != nil, self.product.name != product.name else { return nil }
    return "it is that of \(self.product.displayName)"
  }
}

extension MemoryImage {
  /// The chip of a FeliCa Lite, by the PMm in D_ID; nil where that is not known.
  package var feliCaChip: FeliCaChip? {
    feliCaBlock(LiteMemory.deviceID).map { FeliCaChip(pmm: Array($0.suffix(8))) }
  }
}
