import TagMemory

extension TagReport {
  /// Reports on a dump as on the tag with that memory, whose `info` whoever has its keys asks for.
  /// What the dump does not hold is not known.
  package init(of dump: TagDump, counters: Bool = false) {
    let found = FamilyRegistry.all.lazy.compactMap { $0.describe(dump, counters: counters) }.first
    var description = found ?? TagDescription()
    description.product = dump.product
    description.dump = dump
    if let origin = dump.origin {
      description.details.append(TagDescription.Detail("originality", origin))
    }
    self.init(.read, description: description)
  }
}

extension TagDump {
  /// What the maker's signature says; nil where the product has none that is known here.
  fileprivate var origin: String? {
    let pages = (52..<60).compactMap { image.row($0) }
    let isInPages = product.features.contains(.signaturePages) && pages.count == 8
    guard let signature = isInPages ? pages.flatMap(\.self) : signature,
      signature.contains(where: { $0 != 0 })
    else {
      return OriginalitySignature.byteCount(of: product).map { _ in
        "not known: the dump holds no signature"
      }
    }
    return OriginalitySignature.verdict(signature, uid: image.uid, of: product).map { "\($0)" }
  }
}
