import TagMemory

/// Blocks of a Type 3 tag in sentences.
enum FeliCaWords {
  /// `Block 5 is`, `Blocks 5, 6 and 9 are`.
  static func list(_ blocks: some Collection<UInt16>) -> String {
    let numbers = blocks.sorted().map(LiteMemory.text)
    guard let last = numbers.last else { return "No block is" }
    guard numbers.count > 1 else { return "Block \(last) is" }
    return "Blocks \(numbers.dropLast().joined(separator: ", ")) and \(last) are"
  }
}
