extension TagDump {
  /// Returns the dump without what no tag shows of itself and somebody knows who has its keys: the
  /// keys of a MIFARE Classic, the password or key of a Type 2 tag.
  package var withoutSecrets: TagDump {
    let map = product.type2
    let bytes = image.bytes.enumerated().map { index, byte -> UInt8? in
      switch image.layout {
      case .classic:
        let (block, place) = index.quotientAndRemainder(dividingBy: Block.byteCount)
        let isKey = Block(UInt8(block)).isTrailer && !(6...9).contains(place)
        return isKey ? nil : byte
      case .type2:
        let page = Page(exactly: index / Page.byteCount)
        return page.flatMap { map?.hides($0) } == true ? nil : byte
      case .feliCaLite, .type4: return byte
      }
    }
    var dump = self
    dump.image = MemoryImage(image.layout, uid: image.uid, bytes: bytes) ?? image
    dump.image.isMirrored = image.isMirrored
    return dump
  }
}
