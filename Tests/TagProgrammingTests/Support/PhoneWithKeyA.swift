@testable import TagProgramming

/// What a reader finds in the memory of a MIFARE Classic that has the public keys A alone, by the
/// tables of the data sheet written out again (MF1S50YYX_V1, 8.7.1 to 8.7.3).
enum PhoneWithKeyA {
  static func content(of memory: [UInt8]) -> TagImage.Content {
    guard (1...2).allSatisfy({ isReadable(block: $0, memory) }) else { return .none }
    var seen = memory
    for sector in 1..<memory.count / 64 where memory.count <= 2048 {
      for block in sector * 4..<sector * 4 + 3 where !isReadable(block: block, memory) {
        // A reader stops at what does not show.
        seen.replaceSubrange(sector * 64 + 48..<sector * 64 + 54, with: [0, 0, 0, 0, 0, 0])
      }
    }
    return TagImage.content(ofClassic: seen)
  }

  /// Whether key A reads `block`: all conditions but 011, 101 and 111.
  private static func isReadable(block: Int, _ memory: [UInt8]) -> Bool {
    let trailer = block / 4 * 64 + 48
    let (byte7, byte8) = (memory[trailer + 7], memory[trailer + 8])
    let group = UInt8(block % 4)
    let bits = [byte7 >> (4 + group) & 1, byte8 >> group & 1, byte8 >> (4 + group) & 1]
    return ![[0, 1, 1], [1, 0, 1], [1, 1, 1]].contains(bits)
  }
}
