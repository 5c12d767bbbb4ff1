import Bytes

/// The two status flags in the answer to a FeliCa read or write (JIS X 6319-4; FeliCa Lite-S User's
/// Manual, status flags, as nfcpy and flipperzero-firmware have them).
package struct FeliCaStatus: Hashable, Sendable {
  /// 00: done. Else FF, or a bit for the place in the block list that is to blame.
  package let first: UInt8
  package let second: UInt8

  package init(_ first: UInt8, _ second: UInt8) { (self.first, self.second) = (first, second) }

  package var isGood: Bool { first == 0 }

  /// Of a whole answer, code first, to Read or Write Without Encryption; nil for anything else.
  package init?(answer: [UInt8]) {
    guard answer.count >= 11, answer[0] == 0x07 || answer[0] == 0x09 else { return nil }
    self.init(answer[9], answer[10])
  }

  /// What the second flag says; nil where it is in no table here.
  package var meaning: String? { Self.table[second] }

  private static let table: [UInt8: String] = [
    0x70: "the memory failed", 0x71: "done, but the memory was written too often",
    0xA1: "wrong number of services", 0xA2: "wrong number of blocks or a list of a wrong length",
    0xA3: "wrong place in the service list", 0xA5: "access is not allowed",
    0xA6: "there is no such service, or it does not allow this", 0xA7: "wrong access mode",
    0xA8: "there is no such block, or it is read-only", 0xA9: "the value cannot be stored",
    0xB0: "MAC and MAC_A in one list", 0xB1: "the card key must be proved first",
    0xB2: "the MAC is missing or wrong",
  ]
}

extension FeliCaStatus: CustomStringConvertible {
  /// `01A8, there is no such block, or it is read-only`.
  package var description: String {
    Hex.string([first, second]).uppercased() + (meaning.map { ", \($0)" } ?? "")
  }
}
