/// A message authentication code made of a block cipher (SP 800-38B).
///
/// libcrypto has CMAC, too, but only from a vector of zeros.
extension BlockCipher {
  /// The code of `message`, one block long. Cards that chain their codes give the one before as
  /// `iv`.
  package func authenticationCode(of message: [UInt8], iv: [UInt8]? = nil) -> [UInt8] {
    let size = blockByteCount
    let first = Self.doubled(encryptBlock(Self.zero))
    let isWhole = !message.isEmpty && message.count.isMultiple(of: size)
    var padded = message
    if !isWhole {
      padded.append(0x80)
      padded += [UInt8](repeating: 0, count: (size - padded.count % size) % size)
    }
    let subkey = isWhole ? first : Self.doubled(first)
    let start = padded.count - size
    padded.replaceSubrange(start..., with: Self.xor(Array(padded[start...]), subkey))
    return Array(encrypt(padded, iv: iv ?? Self.zero).suffix(size))
  }

  /// `block` times x in the field of its size (5.3 and 6.1).
  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    var result = block.indices.map { index in
      block[index] << 1 | (index + 1 < block.count ? block[index + 1] >> 7 : 0)
    }
    if block[0] & 0x80 != 0 { result[block.count - 1] ^= blockByteCount == 16 ? 0x87 : 0x1B }
    return result
  }
}
