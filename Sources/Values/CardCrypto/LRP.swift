/// The leakage resilient primitive over AES-128, with four bits a step (AN12304, 2 and 3): a key
/// becomes 16 plaintexts and an updated key, and no block is ever enciphered with the key itself.
package struct LRP: Hashable, Sendable {
  /// p0 to p15.
  private let plaintexts: [[UInt8]]
  private let updatedKey: [UInt8]

  /// Bytes of a block.
  package static let blockByteCount = 16
  private static let (fives, tens) = (
    [UInt8](repeating: 0x55, count: 16), [UInt8](repeating: 0xAA, count: 16)
  )

  /// The plaintexts of `key`, 16 bytes, with its updated key of a number, counted from 0.
  package init(key: [UInt8], updatedKey number: Int = 0) {
    plaintexts = Self.chain(AES128(key: key).encryptBlock(Self.fives), count: 16)
    updatedKey = Self.chain(AES128(key: key).encryptBlock(Self.tens), count: number + 1)[number]
  }

  /// Algorithms 1 and 2: each value is AAAA… enciphered, and 5555… enciphered the next key.
  private static func chain(_ start: [UInt8], count: Int) -> [[UInt8]] {
    var (values, key) = ([[UInt8]](), start)
    for _ in 0..<count {
      let cipher = AES128(key: key)
      values.append(cipher.encryptBlock(tens))
      key = cipher.encryptBlock(fives)
    }
    return values
  }

  /// Algorithm 3: the value at `digits`, 0 to 15 each, the first first; `isFinal`: one step more.
  package func value(at digits: [UInt8], isFinal: Bool = true) -> [UInt8] {
    let value = digits.reduce(updatedKey) {
      AES128(key: $0).encryptBlock(plaintexts[Int($1)])
    }
    return isFinal ? AES128(key: value).encryptBlock(AES128.zero) : value
  }

  private func value(atBytes bytes: [UInt8]) -> [UInt8] {
    value(at: bytes.flatMap { [$0 >> 4, $0 & 0xF] })
  }

  // MARK: Encryption

  /// LRICBEnc without padding (algorithm 4): `plain` has whole blocks, each enciphered with the
  /// value at `counter`, which goes on by one a block, its high byte first, and never grows.
  package func encrypt(_ plain: [UInt8], counter: inout [UInt8]) -> [UInt8] {
    blocks(plain, &counter) { $0.encryptBlock($1) }
  }

  /// LRICBDec without padding (algorithm 5).
  package func decrypt(_ ciphertext: [UInt8], counter: inout [UInt8]) -> [UInt8] {
    blocks(ciphertext, &counter) { $0.decrypt($1, iv: AES128.zero) }
  }

  private func blocks(
    _ bytes: [UInt8], _ counter: inout [UInt8], _ turn: (AES128, [UInt8]) -> [UInt8]
  ) -> [UInt8] {
    precondition(bytes.count.isMultiple(of: Self.blockByteCount), "whole blocks are enciphered")
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: Self.blockByteCount) {
      let cipher = AES128(key: value(atBytes: counter))
      result += turn(cipher, Array(bytes[start..<start + Self.blockByteCount]))
      Self.increment(&counter)
    }
    return result
  }

  private static func increment(_ counter: inout [UInt8]) {
    for index in counter.indices.reversed() {
      counter[index] &+= 1
      if counter[index] != 0 { return }
    }
  }

  // MARK: Codes

  /// CMAC_LRP of `message`, 16 bytes (algorithm 6).
  package func authenticationCode(of message: [UInt8]) -> [UInt8] {
    let size = Self.blockByteCount
    let isWhole = !message.isEmpty && message.count.isMultiple(of: size)
    var padded = message
    if !isWhole {
      padded.append(0x80)
      padded += [UInt8](repeating: 0, count: (size - padded.count % size) % size)
    }
    let first = Self.doubled(value(atBytes: AES128.zero))
    let subkey = isWhole ? first : Self.doubled(first)
    let last = padded.count - size
    var state = AES128.zero
    for start in stride(from: 0, through: last, by: size) {
      var block = padded[start..<start + size].enumerated().map { $1 ^ state[$0] }
      if start == last { block = zip(block, subkey).map { $0 ^ $1 } }
      state = value(atBytes: block)
    }
    return state
  }

  /// The bytes 1, 3, 5 to 15 of the code (NT4H2421Gx, 9.2.3).
  package func shortCode(of message: [UInt8]) -> [UInt8] {
    let whole = authenticationCode(of: message)
    return stride(from: 1, to: 16, by: 2).map { whole[$0] }
  }

  /// Times x in the field of 2^128 (SP 800-38B, 6.1).
  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    var result = block.indices.map { index in
      block[index] << 1 | (index + 1 < block.count ? block[index + 1] >> 7 : 0)
    }
    if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
    return result
  }
}

extension LRP: CustomStringConvertible, CustomReflectable {
  package var description: String { "a key of the leakage resilient primitive" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
