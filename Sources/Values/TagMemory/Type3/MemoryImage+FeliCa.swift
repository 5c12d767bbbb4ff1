extension MemoryImage {
  /// The bytes of a FeliCa block by its number; nil unless all of them are known.
  package func feliCaBlock(_ number: UInt16) -> [UInt8]? {
    guard case .feliCaLite(let kind) = layout, let place = kind.row(of: number) else { return nil }
    return row(place)
  }

  /// The message of a FeliCa Lite (NFC Forum Type 3 Tag 1.0, 6).
  var messageOfFeliCa: [UInt8]? {
    guard case .feliCaLite(let kind) = layout, let block0 = feliCaBlock(AttributeBlock.number)
    else { return nil }
    let configuration = feliCaBlock(MemoryConfiguration.block).flatMap {
      MemoryConfiguration(parsing: $0, of: kind)
    }
    let ndef = Type3NDEF(
      block0: block0, configuration: configuration,
      answersNDEF: configuration?.declaresNDEF ?? true)
    guard let length = ndef.messageLength else { return nil }
    let blocks = (0..<AttributeBlock.blockCount(of: length)).map { feliCaBlock(UInt16($0 + 1)) }
    guard !blocks.contains(nil) else { return nil }
    return Array(blocks.flatMap { $0 ?? [] }.prefix(length))
  }
}
