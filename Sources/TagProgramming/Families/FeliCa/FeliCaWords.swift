import Bytes
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

  /// What a block holds, and what it was given.
  static func mismatch(_ block: UInt16, found: [UInt8], wanted: [UInt8]) -> String {
    "Block \(LiteMemory.text(of: block)) holds \(Hex.string(found, separator: " ").uppercased()) where "
      + "\(Hex.string(wanted, separator: " ").uppercased()) was written"
  }

  /// What to do where data that may be somebody's would be lost.
  static let overwriteAdvice = "pass --overwrite if what is on it may be lost."
  static let needsLite =
    "use a FeliCa Lite or Lite-S, or a tag that its maker has formatted for NDEF."
}
