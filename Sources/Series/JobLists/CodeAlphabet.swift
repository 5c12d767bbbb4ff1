/// Crockford's base 32: digits and capital letters without I, L, O and U, of which nobody takes one
/// for another. Each character has five bits.
package enum CodeAlphabet {
  private static let characters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Is in no code: it stands for any character where codes are compared.
  static let any = UInt8(ascii: "I")

  /// The text of `values`, each below 32.
  static func text(_ values: some Sequence<UInt8>) -> String {
    String(decoding: values.map { characters[Int($0)] }, as: UTF8.self)
  }

  /// The first `count` characters of `bytes`, the highest bit first.
  package static func text(of bytes: [UInt8], count: Int) -> String {
    text(
      (0..<count).map { place in
        (0..<5).reduce(0) { value, bit in
          let index = place * 5 + bit
          return value << 1 | (bytes[index / 8] >> (7 - index % 8)) & 1
        }
      })
  }

  static func contains(_ byte: UInt8) -> Bool { characters.contains(byte) }

  /// `text` as codes are written: small letters are taken for capital ones, O for 0, I and L for 1.
  /// Nil where it is none.
  package static func canonical(_ text: some StringProtocol) -> String? {
    var result: [UInt8] = []
    for byte in text.uppercased().utf8 {
      switch byte {
      case UInt8(ascii: "O"): result.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): result.append(UInt8(ascii: "1"))
      case _ where characters.contains(byte): result.append(byte)
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
