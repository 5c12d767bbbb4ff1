/// What a telephone would find on a FeliCa Lite, whose memory is blocks 0 to 14, then 82h to 88h.
extension TagImage {
  private static let configuration = 21 * 16

  /// A message that is being written is none: the tag is an NDEF tag, and empty.
  static func content(ofFeliCa memory: [UInt8]) -> Content {
    guard memory[configuration + 3] & 1 == 1, hasAttributes(memory) else { return .none }
    guard memory[9] == 0 else { return .message([]) }
    let length = Int(memory[11]) << 16 | Int(memory[12]) << 8 | Int(memory[13])
    let room = 16 * min(13, Int(memory[3]) << 8 | Int(memory[4]))
    return length > room ? .rubbish : .message(Array(memory[16..<16 + length]))
  }

  /// The sum of bytes 0 to 13 stands in 14 and 15, and the version is 1 (NFC Forum Type 3 Tag 1.0,
  /// 6.1).
  private static func hasAttributes(_ memory: [UInt8]) -> Bool {
    let sum = memory[0..<14].reduce(0) { $0 + Int($1) }
    return memory[0] >> 4 == 1 && sum == Int(memory[14]) << 8 | Int(memory[15])
  }

  /// Whether anything says that it is locked: the attribute block, or a permission to write that is
  /// gone.
  static func hasLocks(ofFeliCa memory: [UInt8]) -> Bool {
    hasAttributes(memory) && memory[10] == 0
      || memory[configuration] != 0xFF || memory[configuration + 1] & 0x3F != 0x3F
  }

  /// The memory with 00 in the byte that closes it for good: one that was torn to another value but
  /// FF says the same, and can never be put right.
  static func settingTornByte(ofFeliCa memory: [UInt8]) -> [UInt8] {
    var memory = memory
    let isLocked = memory[configuration] == 0 && memory[configuration + 1] & 0x3F == 0
    if isLocked, memory[configuration + 2] != 0xFF { memory[configuration + 2] = 0 }
    return memory
  }

  /// The same for a tag of any family.
  static func settingTornByte(_ memory: [UInt8], of product: String) -> [UInt8] {
    if product.hasPrefix("felica") { return settingTornByte(ofFeliCa: memory) }
    let isClassic = product.hasPrefix("classic") || product == "mini"
    return isClassic ? settingTornByte(ofClassic: memory) : memory
  }

  /// What a telephone would find on a tag of any family.
  static func content(_ memory: [UInt8], of product: String) -> Content {
    if product.hasPrefix("felica") { return content(ofFeliCa: memory) }
    if FaultCase.type4Products.contains(product) {
      return content(ofType4: memory, product: product)
    }
    let isClassic = product.hasPrefix("classic") || product == "mini"
    return isClassic ? content(ofClassic: memory) : content(ofType2: memory, of: product)
  }
}
